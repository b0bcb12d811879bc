import RejoinContracts
import RejoinModel
import RejoinReadState
import RejoinTime

/// A read state with a store and a clock that a test moves by hand.
struct ReadRig {
    static let room = RoomID("room")
    static let user = UserID("me")

    var sync: ReadSync
    var record: ReadRecord
    var now = Instant.origin
    var random = SeededGenerator(seed: 7)
    /// Whether commits are stored as soon as they are asked for.
    var storesAtOnce = true
    var commits: [ReadCommit] = []
    /// Reports that wait for an answer.
    var reports: [Report] = []

    struct Report: Equatable {
        let id: ReadSync.AttemptID
        let mark: ReadMark
        let unread: Bool
    }

    init(resuming record: ReadRecord = ReadRecord()) {
        self.record = record
        sync = ReadSync(room: Self.room, resuming: record)
    }

    /// A room of which the messages 1 to 20 by somebody else are held, read up to 5.
    static func reading(_ facts: ReadFacts = .held(1...20)) -> ReadRig {
        let mark = ReadMark(version: 0, position: MessageID(5))
        var rig = ReadRig(resuming: ReadRecord(mark: mark, acknowledged: mark))
        rig.give(.timeline(facts))
        rig.give(.activated)
        return rig
    }

    @discardableResult
    mutating func give(_ input: ReadSyncInput) -> [ReadSyncEffect] {
        var effects = sync.handle(input, at: now, using: &random)
        for effect in effects {
            switch effect {
            case .commit(let commit): commits.append(commit)
            case .report(let id, let mark, let unread):
                reports.append(Report(id: id, mark: mark, unread: unread))
            case .abandon(let id): reports.removeAll { $0.id == id }
            case .fetchSummary, .publish, .setTimer, .cancelTimer: break
            }
        }
        if storesAtOnce { effects += storeAll() }
        return effects
    }

    @discardableResult
    mutating func storeAll() -> [ReadSyncEffect] {
        var effects: [ReadSyncEffect] = []
        while !commits.isEmpty {
            let commit = commits.removeFirst()
            record = commit.record
            effects += give(.committed(commit.id))
        }
        return effects
    }

    /// Reports visible rows with the present token.
    @discardableResult
    mutating func see(_ range: ClosedRange<UInt128>) -> [ReadSyncEffect] {
        guard let token = sync.visibilityToken else { return [] }
        return give(.visible(token, MessageID(range.lowerBound)...MessageID(range.upperBound)))
    }

    @discardableResult
    mutating func answer(_ answer: ReadAnswer) -> [ReadSyncEffect] {
        guard !reports.isEmpty else { return [] }
        return give(.reported(reports.removeFirst().id, .success(answer)))
    }

    @discardableResult
    mutating func fail(
        _ code: BackendFailure.Code, retryAfter: Duration? = nil
    ) -> [ReadSyncEffect] {
        guard !reports.isEmpty else { return [] }
        let failure = BackendFailure(code, "a test", retryAfter: retryAfter)
        return give(.reported(reports.removeFirst().id, .failure(failure)))
    }

    mutating func pass(_ duration: Duration) {
        now = now + duration
    }

    /// Lets the gathering or a wait end.
    mutating func passTimer() {
        pass(.seconds(60))
        give(.timer(.report))
    }

    var position: UInt128? { sync.mark.position?.rawValue }
}

extension ReadFacts {
    /// Messages by somebody else, complete from the beginning.
    static func held(
        _ range: ClosedRange<UInt128>, invisible: Set<UInt128> = [], own: Set<UInt128> = [],
        gaps: [Gap] = []
    ) -> ReadFacts {
        ReadFacts(
            rows: range.map { id in
                Row(
                    id: MessageID(id), counts: !invisible.contains(id) && !own.contains(id),
                    isInvisible: invisible.contains(id))
            }, gaps: gaps)
    }
}

extension Gap {
    /// A gap between two held messages.
    static func between(_ from: UInt128?, _ before: UInt128?) -> Gap {
        Gap(
            from: from.map { MessageID($0) }, before: before.map { MessageID($0) },
            reason: .disconnected)
    }
}

extension ReadMark {
    /// A mark of the first version.
    static func at(_ position: UInt128, version: UInt64 = 0) -> ReadMark {
        ReadMark(version: version, position: MessageID(position))
    }
}

extension RoomSummary {
    static func of(_ mark: ReadMark, unread: Int, asOf: UInt128, room: RoomID = ReadRig.room)
        -> RoomSummary
    {
        RoomSummary(room: room, name: "", read: mark, unread: unread, unreadAsOf: MessageID(asOf))
    }
}
