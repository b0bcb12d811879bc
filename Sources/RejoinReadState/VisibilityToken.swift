import RejoinModel

/// The leave to report visible rows of one room: issued by ``ReadSync`` while the room's scene is
/// active, void as soon as it goes to the background or closes, and when the person marks the room
/// unread.
///
/// A report that was made while the scene was active and arrives later therefore reads nothing
/// (GetStream/stream-chat-swift#2826), and one that reaches the wrong room is ignored there
/// (element-hq/element-ios#2481).
public struct VisibilityToken: Hashable, Sendable {
    let room: RoomID
    /// Which activation of the scene issued it.
    let generation: UInt64
}
