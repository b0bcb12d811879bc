internal import RejoinModel
internal import RejoinPipeline
internal import RejoinSync
internal import RejoinTime

/// What a room's inbound message pipeline must keep, in two levels.
public enum PipelineContract {
    /// What every pipeline keeps, whatever else it may lose: the seam's terms.
    public static func baseline(_ make: @escaping PipelineFactory) -> [ContractCheck] {
        let checks = BaselineChecks(make: make)
        return [
            ContractCheck("pipeline.shows-what-is-stored", promise: "P6", body: checks.resumes),
            ContractCheck("pipeline.persists-first", promise: "P5", body: checks.persistsFirst),
            ContractCheck("pipeline.takes-once", promise: "P2", body: checks.takesOnce),
            ContractCheck("pipeline.settles", promise: "P6", body: checks.settles),
            ContractCheck("pipeline.retries-commits", promise: "P1", body: checks.retriesCommits),
            ContractCheck("pipeline.ignores-the-stale", promise: "P1", body: checks.ignoresStale),
            ContractCheck("pipeline.ignores-the-rest", promise: "P2", body: checks.ignoresRest),
            ContractCheck("pipeline.raises-no-cursor", promise: "P6", body: checks.raisesNoCursor),
            ContractCheck("pipeline.hands-over", promise: "P6", body: checks.handsOver),
            ContractCheck("pipeline.applies-changes", promise: "P1", body: checks.appliesChanges),
        ]
    }

    /// What only a pipeline that proves its coverage keeps: simulated lives of a room under faults,
    /// one for each seed. After each commit every covered range equals what the server has, each
    /// snapshot ascends, repeats nothing, shows only what is stored and hides no hole; and after
    /// the last fault everything is there.
    public static func complete(
        seeds: [UInt64] = telling, _ make: @escaping PipelineFactory
    ) -> [ContractCheck] {
        seeds.map { seed in
            ContractCheck("pipeline.complete.\(seed)", promise: "P1, P2, P3, P6") {
                _ = try life(PipelineScenario(seed: seed), make)
            }
        }
    }

    /// Sixteen seeds, and those that have found mistakes before.
    public static let telling: [UInt64] =
        Array(0..<16) + [53, 178, 274, 687, 774, 1_466, 2_219]

    /// One simulated life.
    ///
    /// - Throws: ``ContractFailure``, whose text holds the scenario.
    public static func life(
        _ scenario: PipelineScenario, _ make: @escaping PipelineFactory
    ) throws(ContractFailure) -> PipelineStatistics {
        var simulation = PipelineSimulation(scenario, check: "pipeline.complete", make: make)
        return try simulation.run()
    }
}

private struct BaselineChecks: Sendable {
    let make: PipelineFactory

    /// A pipeline on the bench, with a store that does as it is told.
    private struct Bench {
        var pipeline: any RoomPipeline
        var commits: [TimelineCommit] = []
        var published = 0
        var now = Instant.origin
        var timers: [PipelineTimer: Instant] = [:]

        init(_ pipeline: any RoomPipeline) { self.pipeline = pipeline }

        @discardableResult
        mutating func give(_ input: PipelineInput) -> [PipelineEffect] {
            let effects = pipeline.handle(input, at: now)
            for effect in effects {
                switch effect {
                case .commit(let commit): commits.append(commit)
                case .publish: published += 1
                case .setTimer(let timer, let deadline): timers[timer] = deadline
                case .cancelTimer(let timer): timers[timer] = nil
                default: break
                }
            }
            return effects
        }

        mutating func storeAll() {
            while !commits.isEmpty { give(.committed(commits.removeFirst().id)) }
        }

        var shown: [MessageID] { pipeline.snapshot.messages.map(\.id) }
    }

    private func room(_ count: Int) -> ModelRoom {
        var room = ModelRoom(
            id: RoomID("r"), capabilities: BackendCapabilities(hasRevisions: false))
        for number in 0..<count { _ = room.create(author: UserID("a"), text: "\(number)") }
        return room
    }

    private func bench(_ checkpoint: PipelineCheckpoint = PipelineCheckpoint()) -> Bench {
        Bench(
            make(
                checkpoint,
                PipelineConfiguration(
                    room: RoomID("r"), user: UserID("me"),
                    capabilities: BackendCapabilities(hasRevisions: false), seed: 7)))
    }

    private func live(_ bench: inout Bench) {
        bench.give(.subscription(.pending))
        bench.give(.subscription(.confirmed))
    }

    func resumes() async throws {
        let room = room(4)
        let bench = bench(PipelineCheckpoint(messages: room.messages))
        try require(
            bench.shown, equals: room.messages.map(\.id), "pipeline.shows-what-is-stored",
            whoIsHurt: "people who open a room without a network")
        try require(
            bench.pipeline.checkpoint().messages, equals: room.messages,
            "pipeline.shows-what-is-stored", whoIsHurt: "whoever switches at once")
        try require(
            bench.pipeline.isSettled, "pipeline.shows-what-is-stored", expected: "settled",
            got: "not settled", whoIsHurt: "a switch, which would wait")
    }

    func persistsFirst() async throws {
        var room = room(0)
        var bench = bench()
        live(&bench)
        let event = room.create(author: UserID("a"), text: "hello")
        let effects = bench.give(.live(event))
        let stores = effects.contains { if case .commit = $0 { true } else { false } }
        let shows = effects.contains(.publish)
        try require(
            stores && !shows, "pipeline.persists-first",
            expected: "a commit, and no publication before it is stored",
            got: "commit \(stores), publish \(shows)",
            whoIsHurt: "people whose messages are gone after a kill")
        bench.storeAll()
        try require(
            bench.published > 0 && bench.shown == room.messages.map(\.id),
            "pipeline.persists-first", expected: "the message shown once it is stored",
            got: inWords(bench.shown), whoIsHurt: "people who wait for a message")
    }

    func takesOnce() async throws {
        var room = room(0)
        var bench = bench()
        live(&bench)
        let event = room.create(author: UserID("a"), text: "hello")
        for _ in 0..<3 {
            bench.give(.live(event))
            bench.storeAll()
        }
        bench.give(.settledSend(room.messages[0]))
        bench.storeAll()
        try require(
            bench.shown, equals: room.messages.map(\.id), "pipeline.takes-once",
            whoIsHurt: "people who see a message twice")
    }

    func settles() async throws {
        var room = room(0)
        var bench = bench()
        live(&bench)
        bench.give(.live(room.create(author: UserID("a"), text: "hello")))
        try require(
            !bench.pipeline.isSettled, "pipeline.settles",
            expected: "not settled while a commit is on its way", got: "settled",
            whoIsHurt: "a switch that starts from less than is stored")
        bench.storeAll()
        try require(
            bench.pipeline.isSettled, "pipeline.settles", expected: "settled once it is stored",
            got: "not settled", whoIsHurt: "a rollback that never comes")
    }

    func retriesCommits() async throws {
        var room = room(0)
        var bench = bench()
        live(&bench)
        bench.give(.live(room.create(author: UserID("a"), text: "hello")))
        for _ in 0..<3 {
            let failed = bench.commits.removeFirst()
            bench.give(.commitFailed(failed.id))
            try require(
                bench.commits.isEmpty && !bench.pipeline.isSettled, "pipeline.retries-commits",
                expected: "a wait before the next attempt", got: "\(bench.commits.count) commits",
                whoIsHurt: "a device whose disk is full, and its battery")
            guard let deadline = bench.timers.removeValue(forKey: .retry) else { break }
            bench.now = deadline
            bench.give(.timer(.retry))
        }
        try require(
            bench.commits.contains { $0.upserts == room.messages }, "pipeline.retries-commits",
            expected: "the message committed again", got: inWords(bench.commits),
            whoIsHurt: "people whose messages are gone after a kill")
    }

    func ignoresStale() async throws {
        let room = room(2)
        var bench = bench(PipelineCheckpoint(messages: room.messages))
        let before = bench.shown
        let answer = HistoryAnswer.page(
            HistoryPage(
                messages: [], from: nil, through: nil, hasBefore: false, hasAfter: false, tip: nil))
        let effects =
            bench.give(.answered(RequestID(12_345), .success(answer)))
            + bench.give(.committed(CommitID(12_345)))
            + bench.give(.commitFailed(CommitID(12_345)))
        let isQuiet = effects.allSatisfy { if case .commit = $0 { false } else { true } }
        try require(
            isQuiet && bench.shown == before, "pipeline.ignores-the-stale",
            expected: "nothing of an answer that nobody waits for", got: inWords(effects),
            whoIsHurt: "people whose room shows what an old connection brought")
    }

    func ignoresRest() async throws {
        var bench = bench()
        live(&bench)
        let commits = bench.commits.count
        bench.give(.live(RoomEvent(room: RoomID("r"), kind: .typing(UserID("a")))))
        bench.give(.live(RoomEvent(room: RoomID("r"), kind: .unknown(type: "poll"))))
        try require(
            bench.commits.count == commits && bench.shown.isEmpty, "pipeline.ignores-the-rest",
            expected: "nothing stored or shown", got: "\(bench.commits.count - commits) commits",
            whoIsHurt: "people who see rows that are no messages")
    }

    func raisesNoCursor() async throws {
        var room = room(5)
        var coverage = Coverage()
        coverage.insert(.init(from: nil, through: room.messages[2].id))
        let proof = TimelineProof(coverage: coverage)
        var bench = bench(
            PipelineCheckpoint(messages: Array(room.messages.prefix(3)), proof: proof))
        live(&bench)
        bench.give(.live(room.create(author: UserID("a"), text: "after a hole")))
        let raised = bench.commits.compactMap(\.proof).contains { proof in
            room.messages[3...].contains { proof.coverage.contains($0.id) }
        }
        try require(
            !raised, "pipeline.raises-no-cursor",
            expected: "no coverage that only a live message speaks for",
            got: inWords(bench.commits),
            whoIsHurt: "people whose missed messages are never fetched")
    }

    func handsOver() async throws {
        var room = room(3)
        var first = bench(PipelineCheckpoint(messages: room.messages))
        live(&first)
        first.give(.live(room.create(author: UserID("a"), text: "live")))
        first.storeAll()
        let second = bench(first.pipeline.checkpoint())
        try require(
            second.shown, equals: room.messages.map(\.id), "pipeline.hands-over",
            whoIsHurt: "people whose room changes when a flag does")
    }

    func appliesChanges() async throws {
        var room = room(3)
        var bench = bench(PipelineCheckpoint(messages: room.messages))
        live(&bench)
        let id = room.messages[1].id
        if let event = room.edit(id, text: "edited") { bench.give(.live(event)) }
        bench.storeAll()
        try require(
            bench.pipeline.snapshot.messages.first { $0.id == id }?.text, equals: "edited",
            "pipeline.applies-changes", whoIsHurt: "people who read what was taken back")
    }
}
