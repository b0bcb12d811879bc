import RejoinModel
import RejoinSync
import RejoinTime

/// Own work that the outbox has done with and the pipeline does not show yet, because it is on its
/// way to the store or waits for a catch-up. Without it an own message would vanish, and an own
/// edit fall back, for that moment (promise P5).
///
/// Bounded: at the limit the oldest is given up, which costs a flicker and nothing else.
struct Landing: Sendable {
    static let limit = 64

    private var echoes: [Echo] = []
    private var changes: [Change] = []

    private struct Echo: Sendable {
        let message: UnsentMessage
        let id: MessageID
        let since: Instant
    }

    private struct Change: Sendable {
        let pending: PendingChange
        /// The message as the server has it with the change.
        let message: Message
        let since: Instant
    }

    /// Sends that the server has, as they were shown last.
    var unsent: [UnsentMessage] { echoes.map(\.message) }
    /// Whether everything that is kept is within its limit.
    var isWithinLimits: Bool { echoes.count <= Self.limit && changes.count <= Self.limit }
    /// Changes that the server has.
    var overlay: [PendingChange] { changes.map(\.pending) }

    /// Notes a send that the outbox has done with.
    mutating func add(_ echo: UnsentMessage, as id: MessageID, at now: Instant) {
        var echo = echo
        echo.state = .accepted
        echoes.append(Echo(message: echo, id: id, since: now))
        if echoes.count > Self.limit { echoes.removeFirst() }
    }

    /// Notes changes that the outbox has done with, and the message that showed it so.
    mutating func add(_ done: [PendingChange], in message: Message, at now: Instant) {
        changes += done.map { Change(pending: $0, message: message, since: now) }
        if changes.count > Self.limit { changes.removeFirst(changes.count - Self.limit) }
    }

    /// Forgets what is shown.
    ///
    /// - Complexity: O(rows) where anything is held, else O(1).
    mutating func settle(by shown: TimelineSnapshot) {
        guard !echoes.isEmpty || !changes.isEmpty else { return }
        echoes.removeAll { Self.message($0.id, in: shown) != nil }
        changes.removeAll { change in
            guard let message = Self.message(change.message.id, in: shown) else { return true }
            guard let shown = message.revision, let wanted = change.message.revision else {
                return message == change.message
            }
            return shown >= wanted
        }
    }

    /// Own work is new, so it is looked for from the end.
    private static func message(_ id: MessageID, in shown: TimelineSnapshot) -> Message? {
        for case .message(let message) in shown.items.reversed() where message.id == id {
            return message
        }
        return nil
    }

    /// Forgets the changes that carry no revision: the pipeline has just shown something new, and
    /// without revisions nobody can tell whether that is older or newer than they are.
    mutating func forgetUnversionedChanges() {
        changes.removeAll { $0.message.revision == nil }
    }

    /// A recovery that began then has ended, and what it found is shown: forgets what was done by
    /// then. What is not shown of it is missing for another reason, which a gap or a failed
    /// recovery shows. What was done since, the recovery need not have seen.
    mutating func recovered(begunAt began: Instant) {
        echoes.removeAll { $0.since < began }
        changes.removeAll { $0.since < began }
    }
}
