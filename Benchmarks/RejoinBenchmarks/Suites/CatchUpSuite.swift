import Foundation
import RejoinChat
import RejoinServer

extension Suite {
    /// Coming back after ten thousand missed messages.
    static let catchUp = Suite(
        name: "catchup",
        summary: "10,000 missed messages through the real server, up to a whole, stored room"
    ) { report in
        try await CatchUpBenchmark(report).run()
    }
}

/// The client opens a room whose store ends before ten thousand messages, and is measured until the
/// room is up to date: fetched, merged, proven, stored and shown. The peer downloads the same pages
/// one after the other and decodes them with Foundation, and does nothing else.
private struct CatchUpBenchmark {
    private let report: Report

    private static let missed = 10_000
    private static let rounds = 7
    private static let pageSize = 200
    private static let room = RoomID("room")
    private static let user = UserID("reader")

    init(_ report: Report) {
        self.report = report
    }

    func run() async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-bench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = ReferenceServer(
            ServerConfiguration(
                directory: directory, secret: .random(), format: ReferenceFormat()))
        let port = try await server.start()
        try await server.createRoom(Self.room, users: [UserID("writer"), Self.user])
        report.progress("storing \(Self.missed) messages")
        let held = try await post(1, to: server)
        for _ in 0..<(Self.missed / 500) { _ = try await post(500, to: server) }

        guard let origin = URL(string: "http://127.0.0.1:\(port)"),
            let exchange = PlatformHTTPExchange(origin: origin)
        else { return }
        let token = server.token(for: Self.user)
        var own: [Double] = []
        var plain: [Double] = []
        for round in 0...Self.rounds {
            report.progress("round \(round) of \(Self.rounds)")
            let ours = try await catchUp(origin, token, holding: held)
            let theirs = try await download(exchange, token, after: held)
            // The first round warms up.
            guard round > 0 else { continue }
            own.append(ours)
            plain.append(theirs)
        }
        await server.stop()
        guard let time = Measure.median(own) else { return }
        report.add(
            .cost(
                "catch up 10,000", time / 1e6, "ms",
                peers: [("download + JSONDecoder", Measure.median(plain).map { $0 / 1e6 }, 1)]))
    }

    private func post(_ count: Int, to server: ReferenceServer) async throws -> [Message] {
        let text = "A message of a usual length, as people write them. 안녕하세요, 잘 지내요?"
        let drafts = (0..<count).map { _ in
            MessageDraft(clientID: ClientMessageID(UUID()), content: [.text(text)])
        }
        return try await server.post(drafts, as: UserID("writer"), in: Self.room)
    }

    private func catchUp(_ origin: URL, _ token: String, holding held: [Message]) async throws
        -> Double
    {
        let store = InMemoryRoomStore()
        var proof = TimelineProof(revision: held.last?.revision)
        if let last = held.last {
            proof.coverage.insert(Coverage.Interval(from: nil, through: last.id))
        }
        await store.execute(
            RoomCommit(
                room: Self.room,
                part: .timeline(
                    TimelineCommit(id: CommitID(1), upserts: held, proof: proof))))
        var configuration = ChatConfiguration(
            user: Self.user,
            endpoints: ["ws://127.0.0.1:\(origin.port ?? 80)/ws"])
        configuration.recovery.pageSize = Self.pageSize
        configuration.recovery.catchUpPages = Self.missed / Self.pageSize + 1
        var services = try ChatServices.platform(
            origin: origin, credentials: FixedCredentials(.bearer(token)))
        services.store = store
        let client = ChatClient(configuration: configuration, services: services)
        let start = ContinuousClock.now
        let duration = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            await client.enterForeground()
            let room = try await client.room(Self.room)
            for await update in room.updates where update.snapshot.recovery == .upToDate { break }
            let duration = start.duration(to: .now)
            group.cancelAll()
            return duration
        }
        let stored = await store.checkpoint(of: Self.room)?.timeline.messages.count
        guard stored == Self.missed + held.count else {
            throw BackendFailure(.rejected, "the room holds \(stored ?? 0) messages")
        }
        return duration / .nanoseconds(1)
    }

    private func download(
        _ exchange: PlatformHTTPExchange, _ token: String, after held: [Message]
    ) async throws -> Double {
        let format = ReferenceFormat()
        let start = ContinuousClock.now
        var revision = held.last?.revision ?? Revision(0)
        var count = 0
        while true {
            var request = format.encode(
                .changes(Self.room, after: revision, limit: Self.pageSize))
            request.headers["Authorization"] = "Bearer \(token)"
            let response = try await exchange.response(
                to: request, timeout: .seconds(30), maximumBytes: 32 << 20)
            let page = try JSONDecoder().decode(CodableChanges.self, from: Data(response.body))
            count += page.messages.count
            revision = Revision(page.revision)
            if !page.hasMore { break }
        }
        guard count == Self.missed else {
            throw BackendFailure(.rejected, "downloaded \(count) messages")
        }
        return start.duration(to: .now) / .nanoseconds(1)
    }
}

private struct CodableChanges: Codable {
    let messages: [CodableMessage]
    let members: [CodableMember]
    let revision: UInt64
    let hasMore: Bool
}
