#if os(Linux)
import Foundation
import RejoinChat
import Testing

@Suite("Exposures of a rollout (section 7)", .timeLimit(.minutes(1)))
struct ExposureTests {
    private let file = FileManager.default.temporaryDirectory
        .appending(path: "rejoin-exposures-\(UUID().uuidString).json")

    private func choose(_ variant: PipelineVariant, waitingFor rollout: FlagRollout? = nil)
        async
        throws
    {
        let text = """
            {"flags":{"message-pipeline":{"state":"ENABLED","defaultVariant":"\(variant)",
            "variants":{"legacy":"legacy","refactored":"refactored","shadow":"shadow"}}}}
            """
        try Data(text.utf8).write(to: file, options: .atomic)
        let context = SelectionContext(
            user: UserID("ben"), room: ChatWorld.room, hostProduct: "", appVersion: "")
        while let rollout, rollout.selection(for: context).variant != variant {
            await Task.yield()
        }
    }

    /// A room that is open to somebody whose flags file says `first`; then tells what was exposed.
    private func following(
        _ first: PipelineVariant,
        _ body: (ChatWorld, ChatClient, FlagRollout, ChatRoom, FlagExposures) async throws -> Void
    ) async throws -> [[FlagExposure]] {
        defer { try? FileManager.default.removeItem(at: file) }
        try await choose(first)
        let registry = FlagRegistry(path: file.path, pollInterval: .milliseconds(20))
        let exposures = FlagExposures()
        let rollout = FlagRollout(registry: registry, exposures: exposures)
        let world = try await ChatWorld()
        let client = try world.client("ben", rollout: rollout)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The file is read before the room opens.
            group.addTask { await registry.run() }
            while registry.snapshot.set["message-pipeline"] == nil { await Task.yield() }
            try await world.with(client) { room in
                try await body(world, client, rollout, room, exposures)
            }
            group.cancelAll()
        }
        await world.end()
        exposures.finish()
        var told: [[FlagExposure]] = []
        for await batch in exposures { told.append(batch) }
        return told
    }

    @Test("told is what served a room: openings and returns, and no ramp that waited")
    func decisions() async throws {
        let told = try await following(.legacy) { world, client, rollout, room, _ in
            // A ramp that another replaces before the next session.
            try await choose(.shadow, waitingFor: rollout)
            await client.selectionChanged()
            try await choose(.refactored, waitingFor: rollout)
            await client.selectionChanged()
            await client.suspend()
            await client.enterForeground()
            try await world.post(["one"])
            try await room.shows(["one"])
        }.flatMap(\.self)
        #expect(told.allSatisfy { $0.targetingKey == "ben" && $0.reason == .static })
        #expect(told.map(\.variant) == ["legacy", "refactored"])
    }

    @Test("a rollback in an open room is told when it hands the room over")
    func rollback() async throws {
        _ = try await following(.refactored) { world, client, rollout, room, exposures in
            try await world.post(["one"])
            try await room.shows(["one"])
            var batches = exposures.makeAsyncIterator()
            #expect(await batches.next()?.map(\.variant) == ["refactored"])
            try await choose(.legacy, waitingFor: rollout)
            await client.selectionChanged()
            #expect(await batches.next()?.map(\.variant) == ["legacy"])
        }
    }
}
#endif
