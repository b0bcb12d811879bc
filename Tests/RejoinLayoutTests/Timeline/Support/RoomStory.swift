import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTime

func messageID(_ value: Int) -> MessageID { MessageID(UInt128(value)) }

/// Snapshots of a room made by hand.
struct RoomScript {
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour
    /// Some days after the epoch, at noon.
    static let noon = 20_000 * day + 12 * hour

    var items: [TimelineSnapshot.Item] = []
    var unsent: [UnsentMessage] = []
    var failedChanges: [FailedChange] = []
    var localKeys: Set<ClientMessageID> = []
    var hasOlder = false
    var hasNewer = false
    private(set) var snapshot: RoomSnapshot?

    /// A message `minutes` after the noon of the script's first day.
    static func message(
        _ id: Int, _ author: String = "ada", minutes: Int64 = 0, text: String = "text",
        key: ClientMessageID? = nil
    ) -> Message {
        Message(
            id: messageID(id), author: UserID(author), clientID: key,
            sentAt: WallTime(milliseconds: noon + minutes * 60_000), content: [.text(text)])
    }

    static let environment = LayoutEnvironment(
        width: 320, today: Date(timeIntervalSince1970: Double(noon) / 1_000))

    /// The next snapshot, and what changed since the last one.
    mutating func next() -> (snapshot: RoomSnapshot, changes: ChangeSet?) {
        let version = snapshot?.timeline.version.following() ?? SnapshotVersion()
        let next = RoomSnapshot(
            following: snapshot,
            timeline: TimelineSnapshot(
                room: RoomID("room"), version: version, window: .newest(), items: items,
                members: [:], hasOlder: hasOlder, hasNewer: hasNewer),
            unsent: unsent, failedChanges: failedChanges, localKeys: localKeys)
        defer { snapshot = next }
        return (next, snapshot.map { next.changes(since: $0) })
    }
}

extension RowComposer {
    /// Takes the next snapshot of a script.
    mutating func follow(
        _ script: inout RoomScript, surroundings: Surroundings = Surroundings(),
        environment: LayoutEnvironment = RoomScript.environment
    ) -> RowChangeSet {
        let (snapshot, changes) = script.next()
        return update(
            snapshot, changes: changes, environment: environment, surroundings: surroundings)
    }

    /// Its rows in short words.
    var words: [String] {
        rows.elements.map { row in
            switch row.content {
            case .message(let message, let group):
                switch message.content {
                case .message(let sent): "\(sent.id) \(group)"
                case .unsent: "unsent \(group)"
                case .gap: "a gap as a message"
                @unknown default: "unknown"
                }
            case .gap(let gap): "gap \(gap.state)"
            case .date(let header): "\(header.relation)"
            case .unreadDivider: "unread"
            case .typing(let users): "typing \(users.map(\.rawValue).joined(separator: " "))"
            @unknown default: "unknown"
            }
        }
    }
}
