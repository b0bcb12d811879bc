/// A bounded window of a timeline, ready to be shown.
public struct TimelineSnapshot: Hashable, Sendable {
    /// The room.
    public let room: RoomID

    /// Creates an empty snapshot.
    public init(room: RoomID) { self.room = room }
}
