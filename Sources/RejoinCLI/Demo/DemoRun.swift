#if os(Linux)
import Foundation
import RejoinChat
import RejoinServer

/// One run of the demonstration: a backend, a writer, and a reader on each pipeline, who go
/// through the same troubles.
struct DemoRun {
    let plan: DemoPlan
    /// Whether a third reader takes part whose flags file changes meanwhile.
    let flips: Bool
    /// Tells a person how far it is.
    let progress: @Sendable (String) -> Void

    private static let room = RoomID("demo")
    private static let writer = UserID("writer")
    /// How long a peer stays vanished at least: long enough that its silence is noticed.
    private static let silence = Duration.seconds(2)
    /// How long the readers may take to agree after the last trouble.
    private static let patience = Duration.seconds(30)

    /// Runs it.
    ///
    /// - Throws: where the backend or a proxy cannot start.
    func run() async throws -> DemoResult {
        let directory = try Self.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let server = ReferenceServer(
            ServerConfiguration(
                directory: directory.path, secret: .random(), format: ReferenceFormat(),
                heartbeat: .seconds(1)))
        let port = try await server.start()
        let clock = DemoClock()
        var pipelines = [DemoReader.Pipeline.fixed(.legacy), .fixed(.refactored)]
        if flips { pipelines.append(.flipped(try DemoFlags(directory: directory))) }
        let readers = try pipelines.map {
            try DemoReader($0, server: server, port: port, clock: clock)
        }
        try await server.createRoom(
            Self.room, name: "Demonstration", users: [Self.writer] + readers.map(\.user))
        let writer = try DemoClient.make(
            user: Self.writer, token: server.token(for: Self.writer), port: port,
            pipeline: .fixed(.refactored))
        let result = try await withThrowingTaskGroup(of: Void.self) { group in
            for client in readers.map(\.client) + [writer] {
                group.addTask { await client.run() }
            }
            let result = try await converse(
                server: server, writer: writer, readers: readers, clock: clock, in: &group)
            group.cancelAll()
            return result
        }
        for reader in readers { reader.proxy.stop() }
        await server.stop(within: .seconds(1))
        return result
    }

    /// Makes a folder for the backend in the one for temporary files, which is not made: where it
    /// is missing somebody has mistyped it, and would look for its content elsewhere.
    private static func makeDirectory() throws(CommandError) -> URL {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-demo-\(UUID().uuidString)", directoryHint: .isDirectory)
        guard mkdir(directory.path, 0o700) == 0 else {
            let reason = SystemError.text(errno)
            throw .failure(
                "the demonstration cannot make its folder '\(directory.path)': \(reason); let "
                    + "TMPDIR name a folder that exists and takes files, or unset it for /tmp")
        }
        return directory
    }

    private func converse(
        server: ReferenceServer, writer: ChatClient, readers: [DemoReader], clock: DemoClock,
        in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> DemoResult {
        await writer.enterForeground()
        let desk = try await writer.room(Self.room)
        group.addTask {
            for await update in desk.updates {
                for message in update.snapshot.timeline.messages { clock.note(message.id) }
            }
        }
        var rooms: [ChatRoom] = []
        for reader in readers {
            await reader.client.enterForeground()
            let room = try await reader.client.room(Self.room)
            rooms.append(room)
            group.addTask { await reader.read(room) }
            group.addTask { [progress] in await reader.tellHandovers(progress) }
        }
        try await wait("the readers to connect") {
            await rooms.asyncAllSatisfy { await $0.snapshot?.recovery != .catchingUp }
        }

        var sent = 0
        func send(_ count: Int) async throws {
            for _ in 0..<count {
                sent += 1
                try await desk.send("message \(sent) of \(plan.messageCount)")
                try await SystemTime().sleep(for: plan.pace)
            }
        }
        for (number, step) in plan.steps.enumerated() {
            try await send(step.messages)
            let variant = number.isMultiple(of: 2) ? PipelineVariant.refactored : .legacy
            for reader in readers { try await reader.flip(to: variant) }
            progress("\(sent) of \(plan.messageCount) sent; now: \(step.event.description)")
            for reader in readers { await reader.suffer(step.event) }
            if case .restart = step.event { await server.stop(within: .milliseconds(300)) }
            try await send(step.event.messages)
            if case .halfOpen = step.event { try await SystemTime().sleep(for: Self.silence) }
            if case .restart = step.event { try await server.start() }
            for reader in readers { await reader.recover(from: step.event) }
            if number.isMultiple(of: 2) {
                for reader in readers { await reader.lookAgain() }
            }
        }
        for reader in readers { try await reader.flip(to: .refactored) }
        for reader in readers { await reader.lookAgain() }
        try await send(plan.farewell)
        progress("\(sent) of \(plan.messageCount) sent; waiting for the readers to agree")
        return try await settle(server: server, desk: desk, readers: readers, rooms: rooms)
    }

    /// After the last trouble: everything is sent, the refactored reader is up to date, and the
    /// read positions have reached the server. The legacy reader gets the same time.
    private func settle(
        server: ReferenceServer, desk: ChatRoom, readers: [DemoReader], rooms: [ChatRoom]
    ) async throws -> DemoResult {
        try await wait("everything to be sent") { await desk.snapshot?.unsent.isEmpty == true }
        let stored = try await server.messages(in: Self.room)
        for (reader, room) in zip(readers, rooms) {
            // What is not reached in time is a result too: the table shows it.
            try? await wait("the \(reader.name) reader") {
                let snapshot = await room.snapshot
                let mark = try? await server.readMark(of: reader.user, in: Self.room)
                // Older history that nobody has loaded yet is shown as a gap; people scroll up.
                if !reader.mayLose {
                    for gap in snapshot?.timeline.gaps ?? [] { await room.fill(gap) }
                }
                return reader.mayLose
                    ? snapshot?.read == mark
                    : snapshot?.recovery == .upToDate && snapshot?.timeline.gaps == []
                        && snapshot?.read == mark
                        && snapshot?.read.position == stored.last?.id
            }
        }
        var rows: [DemoResult.Row] = []
        var shown: RoomSnapshot?
        for (reader, room) in zip(readers, rooms) {
            // Leaving the room sends the last read position, on both pipelines.
            let snapshot = await room.snapshot
            if case .fixed(.refactored) = reader.pipeline { shown = snapshot }
            await room.close()
            let metrics = await reader.client.metrics
            rows.append(
                DemoResult.Row(
                    name: reader.name, handovers: flips ? reader.handovers : nil,
                    stored: stored.map(\.id),
                    held: snapshot?.timeline.messages.map(\.id) ?? [],
                    readHere: snapshot?.read.position,
                    readThere: try await server.readMark(of: reader.user, in: Self.room)
                        .position,
                    recoveries: metrics.completeRecoveries + metrics.partialRecoveries,
                    longestStale: reader.longestStale))
        }
        return DemoResult(seed: plan.seed, rows: rows, room: shown)
    }

    private func wait(_ what: String, until isTrue: () async -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        while await !isTrue() {
            guard ContinuousClock.now < deadline else {
                throw CommandError.failure("waited \(Self.patience) in vain for \(what)")
            }
            try await SystemTime().sleep(for: .milliseconds(20))
        }
    }
}

extension Sequence {
    fileprivate func asyncAllSatisfy(_ isTrue: (Element) async -> Bool) async -> Bool {
        for element in self where await !isTrue(element) { return false }
        return true
    }
}
#endif
