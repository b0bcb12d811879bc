public import RejoinModel
public import RejoinReadState

/// A room of a backend on which ``readReporterChecks(_:)`` try a reporter. Each check gets a fresh
/// one, with at least ten messages of somebody else, none of them read.
public protocol ReadReporterBench: Sendable {
    /// What is tried.
    var reporter: any ReadReporter { get }
    /// The room.
    var room: RoomID { get }

    /// The IDs of the room's messages, ascending.
    func messages() async throws -> [MessageID]
    /// The mark that the server has now.
    func mark() async throws -> ReadMark
    /// Lets the server take the next report and loses its answer.
    func loseNextAnswer() async throws
}

/// What every ``RejoinReadState/ReadReporter`` keeps, with the backend behind it: what several
/// devices rely on to agree (promise P4).
///
/// - Parameter make: makes a fresh room.
public func readReporterChecks(
    _ make: @escaping @Sendable () async throws -> any ReadReporterBench
) -> [ContractCheck] {
    let checks = ReadReporterChecks(make: make)
    return [
        ContractCheck("read.advances", promise: "P4", body: checks.advances),
        ContractCheck("read.never-goes-back", promise: "P4", body: checks.neverGoesBack),
        ContractCheck("read.folds-in-any-order", promise: "P4", body: checks.foldsInAnyOrder),
        ContractCheck("read.clamps-to-last", promise: "P4", body: checks.clamps),
        ContractCheck("read.lost-answer-changes-nothing", promise: "P4", body: checks.lostAnswer),
        ContractCheck("unread.takes-next-version", promise: "P4", body: checks.unread),
        ContractCheck("unread.second-is-told", promise: "P4", body: checks.secondIsTold),
        ContractCheck("unread.outlives-old-reads", promise: "P4", body: checks.oldReads),
    ]
}

private struct ReadReporterChecks: Sendable {
    let make: @Sendable () async throws -> any ReadReporterBench

    @Sendable
    func advances() async throws {
        let bench = try await make()
        let ids = try await bench.messages()
        let mark = ReadMark(version: try await bench.mark().version, position: ids[3])
        let answer = try await bench.reporter.report(mark, unread: false, in: bench.room)
        try require(
            answer.mark, equals: mark, "read.advances",
            whoIsHurt: "a device that reports the same position for ever")
        try require(
            try await bench.mark(), equals: mark, "read.advances",
            whoIsHurt: "a person who sees on one device as unread what they read on another")
        try require(
            answer.unread, equals: ids.count - 4, "read.advances",
            whoIsHurt: "a person with a wrong badge")
        try require(
            answer.unreadAsOf, equals: ids.last, "read.advances",
            whoIsHurt: "a device that counts a message twice, or not at all")
    }

    @Sendable
    func neverGoesBack() async throws {
        let bench = try await make()
        let ids = try await bench.messages()
        let version = try await bench.mark().version
        let high = ReadMark(version: version, position: ids[6])
        _ = try await bench.reporter.report(high, unread: false, in: bench.room)
        let answer = try await bench.reporter.report(
            ReadMark(version: version, position: ids[2]), unread: false, in: bench.room)
        try require(
            answer.mark, equals: high, "read.never-goes-back",
            whoIsHurt: "a person whose read messages turn unread by themselves")
        try require(
            try await bench.mark(), equals: high, "read.never-goes-back",
            whoIsHurt: "a person whose read messages turn unread by themselves")
    }

    @Sendable
    func foldsInAnyOrder() async throws {
        for places in [[1, 5, 3], [5, 3, 1], [3, 1, 5, 5]] {
            let bench = try await make()
            let ids = try await bench.messages()
            let version = try await bench.mark().version
            for place in places {
                _ = try await bench.reporter.report(
                    ReadMark(version: version, position: ids[place]), unread: false,
                    in: bench.room)
            }
            try require(
                try await bench.mark().position, equals: ids[5], "read.folds-in-any-order",
                whoIsHurt: "devices that never agree")
        }
    }

    @Sendable
    func clamps() async throws {
        let bench = try await make()
        let ids = try await bench.messages()
        guard let last = ids.last else { return }
        let beyond = MessageID(last.rawValue + 1_000)
        let answer = try await bench.reporter.report(
            ReadMark(version: try await bench.mark().version, position: beyond), unread: false,
            in: bench.room)
        try require(
            answer.mark.position, equals: last, "read.clamps-to-last",
            whoIsHurt: "a person to whom messages that do not exist yet count as read")
    }

    @Sendable
    func lostAnswer() async throws {
        let bench = try await make()
        let ids = try await bench.messages()
        let mark = ReadMark(version: try await bench.mark().version, position: ids[3])
        try await bench.loseNextAnswer()
        do {
            _ = try await bench.reporter.report(mark, unread: false, in: bench.room)
        } catch {
            try require(
                error.isTransient, "read.lost-answer-changes-nothing",
                expected: "a failure after which it may be tried again", got: inWords(error),
                whoIsHurt: "a person whose read position never arrives")
        }
        let answer = try await bench.reporter.report(mark, unread: false, in: bench.room)
        try require(
            answer.mark, equals: mark, "read.lost-answer-changes-nothing",
            whoIsHurt: "a person whose read position never arrives")
    }

    @Sendable
    func unread() async throws {
        let (bench, ids, version) = try await read()
        let unread = ReadMark(version: version + 1, position: ids[2])
        let answer = try await bench.reporter.report(unread, unread: true, in: bench.room)
        try require(
            answer.mark, equals: unread, "unread.takes-next-version",
            whoIsHurt: "a person who marks a message unread to come back to it, and loses it")
        try require(
            answer.unread, equals: ids.count - 3, "unread.takes-next-version",
            whoIsHurt: "a person with a wrong badge")
    }

    @Sendable
    func secondIsTold() async throws {
        let (bench, ids, version) = try await read()
        let first = ReadMark(version: version + 1, position: ids[2])
        _ = try await bench.reporter.report(first, unread: true, in: bench.room)
        do {
            let answer = try await bench.reporter.report(
                ReadMark(version: version + 1, position: ids[4]), unread: true, in: bench.room)
            throw ContractFailure(
                check: "unread.second-is-told", expected: "conflict", got: inWords(answer),
                whoIsHurt: "a person whose two devices keep different marks of one version")
        } catch let failure as BackendFailure {
            try require(
                failure.code, equals: .conflict, "unread.second-is-told",
                whoIsHurt: "a device that never learns of the other's act")
        }
        try require(
            try await bench.mark(), equals: first, "unread.second-is-told",
            whoIsHurt: "the device that was first")
    }

    @Sendable
    func oldReads() async throws {
        let (bench, ids, version) = try await read()
        let unread = ReadMark(version: version + 1, position: ids[2])
        _ = try await bench.reporter.report(unread, unread: true, in: bench.room)
        _ = try? await bench.reporter.report(
            ReadMark(version: version, position: ids[8]), unread: false, in: bench.room)
        try require(
            try await bench.mark(), equals: unread, "unread.outlives-old-reads",
            whoIsHurt: "a person whose other device, coming back, undoes their mark-unread")
    }

    /// A room that is read up to its seventh message.
    private func read() async throws -> (any ReadReporterBench, [MessageID], UInt64) {
        let bench = try await make()
        let ids = try await bench.messages()
        let version = try await bench.mark().version
        _ = try await bench.reporter.report(
            ReadMark(version: version, position: ids[6]), unread: false, in: bench.room)
        return (bench, ids, version)
    }
}
