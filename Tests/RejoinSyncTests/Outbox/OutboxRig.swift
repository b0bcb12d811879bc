import Foundation
import RejoinContracts
import RejoinModel
import RejoinSync
import RejoinTime

/// An outbox with a store and clocks that a test moves by hand.
struct OutboxRig {
    static let user = UserID("me")

    var outbox: Outbox
    var record: OutboxRecord
    var now = Instant.origin
    var wall = WallTime(milliseconds: 1_700_000_000_000)
    var random = SeededGenerator(seed: 7)
    /// Whether commits are stored as soon as they are asked for.
    var storesAtOnce = true
    /// Commits that wait to be stored.
    var commits: [OutboxCommit] = []
    /// Attempts that wait for an answer.
    var attempts: [(id: Outbox.AttemptID, mutation: Mutation)] = []
    /// All effects so far.
    var log: [OutboxEffect] = []

    init(
        idempotent: Bool = true, retention: Duration = .seconds(86_400),
        configuration: OutboxConfiguration = OutboxConfiguration(),
        resuming record: OutboxRecord = OutboxRecord()
    ) {
        self.record = record
        outbox = Outbox(
            user: Self.user, capabilities: Self.capabilities(idempotent ? retention : nil),
            configuration: configuration, resuming: record)
    }

    static func capabilities(_ retention: Duration?) -> BackendCapabilities {
        BackendCapabilities(idempotentSendRetention: retention)
    }

    /// Gives one input and carries the effects out as far as they concern the store.
    @discardableResult
    mutating func give(_ input: OutboxInput) -> [OutboxEffect] {
        var effects = outbox.handle(input, at: now, wall: wall, using: &random)
        log += effects
        for effect in effects {
            switch effect {
            case .commit(let commit): commits.append(commit)
            case .perform(let id, let mutation): attempts.append((id, mutation))
            case .abandon(let id): attempts.removeAll { $0.id == id }
            case .accepted, .cancelled, .refused, .settled, .learned, .requestRecovery, .publish,
                .setTimer, .cancelTimer:
                break
            }
        }
        if storesAtOnce { effects += storeAll() }
        return effects
    }

    /// Stores what waits, and what that leads to.
    @discardableResult
    mutating func storeAll() -> [OutboxEffect] {
        var effects: [OutboxEffect] = []
        while !commits.isEmpty {
            let commit = commits.removeFirst()
            record.apply(commit)
            effects += give(.committed(commit.id))
        }
        return effects
    }

    /// Answers the oldest attempt.
    @discardableResult
    mutating func answer(
        _ result: Result<MutationAnswer, BackendFailure>
    ) -> [OutboxEffect] {
        guard !attempts.isEmpty else { return [] }
        return give(.performed(attempts.removeFirst().id, result))
    }

    @discardableResult
    mutating func fail(
        _ code: BackendFailure.Code, retryAfter: Duration? = nil
    ) -> [OutboxEffect] {
        answer(.failure(BackendFailure(code, "a test", retryAfter: retryAfter)))
    }

    /// Opens the subscription and catches up.
    mutating func open() {
        give(.subscription(isOpen: true))
        give(.recovered(begunAt: now))
    }

    /// Lets both clocks run.
    mutating func pass(_ duration: Duration) {
        now = now + duration
        wall = wall.advanced(by: duration)
    }

    /// Ends the process and resumes from what was stored.
    mutating func kill(idempotent: Bool = true) {
        var next = OutboxRig(idempotent: idempotent, resuming: record)
        next.now = now
        next.wall = wall
        next.log = log
        self = next
    }

    mutating func send(_ id: ClientMessageID, _ text: String = "hello") {
        give(.submit(id, .send([.text(text)])))
    }
}

extension ClientMessageID {
    /// A key that a test can name.
    static func key(_ number: UInt8) -> ClientMessageID {
        ClientMessageID(
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))
    }

    /// The number of ``key(_:)``.
    var number: UInt8 { rawValue.uuid.15 }

    static let a = key(0xA)
    static let b = key(0xB)
    static let c = key(0xC)
}

extension Message {
    /// A message as the server has it.
    static func own(
        _ id: UInt128, _ key: ClientMessageID?, _ text: String = "hello", isDeleted: Bool = false,
        by author: UserID = OutboxRig.user
    ) -> Message {
        Message(
            id: MessageID(id), author: author, clientID: key, sentAt: WallTime(milliseconds: 0),
            content: isDeleted ? [] : [.text(text)], isDeleted: isDeleted)
    }
}

extension OutboxItem {
    var text: String? {
        switch work {
        case .send(let content), .edit(_, let content):
            if case .text(let text)? = content.first { text } else { nil }
        case .delete, .react: nil
        }
    }
}
