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

    @Test("told is what served a room: openings and returns, and no ramp that waited")
    func decisions() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try await choose(.legacy)
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
                // A ramp that another replaces before the next session.
                try await choose(.shadow, waitingFor: rollout)
                await client.selectionChanged()
                try await choose(.refactored, waitingFor: rollout)
                await client.selectionChanged()
                await client.suspend()
                await client.enterForeground()
                try await world.post(["one"])
                try await room.shows(["one"])
            }
            group.cancelAll()
        }
        await world.end()
        exposures.finish()
        var told: [String?] = []
        for await batch in exposures {
            #expect(batch.allSatisfy { $0.targetingKey == "ben" && $0.reason == .static })
            told += batch.map(\.variant)
        }
        #expect(told == ["legacy", "refactored"])
    }

    @Test("a rollback in an open room is told when it hands the room over")
    func rollback() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try await choose(.refactored)
        let registry = FlagRegistry(path: file.path, pollInterval: .milliseconds(20))
        let exposures = FlagExposures()
        let rollout = FlagRollout(registry: registry, exposures: exposures)
        let world = try await ChatWorld()
        let client = try world.client("ben", rollout: rollout)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registry.run() }
            while registry.snapshot.set["message-pipeline"] == nil { await Task.yield() }
            try await world.with(client) { room in
                try await world.post(["one"])
                try await room.shows(["one"])
                var batches = exposures.makeAsyncIterator()
                #expect(await batches.next()?.map(\.variant) == ["refactored"])
                try await choose(.legacy, waitingFor: rollout)
                await client.selectionChanged()
                #expect(await batches.next()?.map(\.variant) == ["legacy"])
            }
            group.cancelAll()
        }
        await world.end()
    }
}
#endif
