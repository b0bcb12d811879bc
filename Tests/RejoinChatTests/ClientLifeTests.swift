#if os(Linux)
import RejoinChat
import RejoinServer
import Testing

/// What a host may call at any moment, in any order, from tasks that it cancels as it likes.
@Suite("A client's life", .serialized, .timeLimit(.minutes(1)))
struct ClientLifeTests {
    @Test("P1: a return to the foreground while the suspension is still at work wins")
    func foregroundDuringSuspension() async throws {
        let world = try await ChatWorld()
        let client = try world.client("ben") { $0.suspendTimeout = .milliseconds(500) }
        try await world.with(client) { room in
            try await world.post(["one"])
            let last = try await room.shows(["one"]).timeline.messages.last?.id
            // The report cannot end, so the suspension takes all of its time.
            world.proxy.set(.swallow)
            await room.markRead(through: try #require(last))
            async let suspension: Void = client.suspend()
            while await room.visibilityToken != nil { await Task.yield() }
            await client.enterForeground()
            await suspension
            world.proxy.reset()
            world.proxy.pass()
            try await world.post(["two"])
            try await room.shows(["one", "two"])
        }
        await world.end()
    }

    @Test("P8: after the last of many changes between foreground and background, it counts")
    func flapping() async throws {
        let world = try await ChatWorld()
        let client = try world.client("ben") { $0.suspendTimeout = .milliseconds(50) }
        try await world.with(client) { room in
            for _ in 1...20 {
                await withDiscardingTaskGroup { group in
                    for number in 1...6 {
                        group.addTask(priority: number.isMultiple(of: 4) ? .high : .low) {
                            if number.isMultiple(of: 2) {
                                await client.enterForeground()
                            } else {
                                await client.suspend()
                            }
                        }
                    }
                }
            }
            await client.suspend()
            for await status in client.connectionUpdates {
                if case .stopped = status { break }
            }
            await client.enterForeground()
            try await world.post(["one"])
            try await room.shows(["one"])
        }
        await world.end()
    }

    @Test("P7: closing returns in its time also in a task that is cancelled")
    func closeWhileCancelled() async throws {
        let world = try await ChatWorld()
        let client = try world.client("ben") {
            $0.suspendTimeout = .milliseconds(200)
            $0.requestTimeout = .seconds(600)
        }
        try await world.with(client) { room in
            try await world.post(["one"])
            let last = try await room.shows(["one"]).timeline.messages.last?.id
            world.proxy.set(.swallow)
            await room.markRead(through: try #require(last))
            await withDiscardingTaskGroup { group in
                group.addTask { await room.close() }
                group.cancelAll()
            }
            #expect(await room.snapshot == nil)
        }
        await world.end()
    }

    @Test("P4, P5: a room that is opened again while its store is slow has what it had")
    func reopenWhileStoring() async throws {
        let world = try await ChatWorld()
        let store = HeldStore()
        let client = try world.client("ben", store: store) {
            $0.suspendTimeout = .milliseconds(200)
        }
        try await world.with(client) { room in
            try await world.post(["one", "two"])
            let last = try await room.shows(["one", "two"]).timeline.messages.last?.id
            world.proxy.refuse()
            world.proxy.reset()
            await store.hold()
            await room.markRead(through: try #require(last))
            // Two more commits in the queue behind the one that the store holds.
            async let sent = try? room.send("three")
            while await store.waiting == 0 { await Task.yield() }
            while await room.outbox.isEmpty { await Task.yield() }
            async let closed: Void = room.close()
            // Opened earlier, it would be the room that closes.
            while await room.visibilityToken != nil { await Task.yield() }
            async let opened = client.room(ChatWorld.room)
            await closed
            await store.release()
            let again = try await opened
            _ = await sent
            #expect(await again.snapshot?.read.position == last)
            #expect(await again.outbox.count == 1)
            world.proxy.pass()
            try await again.snapshot { $0.unsent.isEmpty && $0.timeline.messages.count == 3 }
        }
        await world.end()
    }

    @Test("run() returns at whatever moment it is cancelled, and everybody who waits learns it")
    func cancelledAtAnyMoment() async throws {
        let world = try await ChatWorld()
        for round in 0..<40 {
            let client = try world.client("ben") { $0.suspendTimeout = .milliseconds(100) }
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await withDiscardingTaskGroup { running in
                        running.addTask { await client.run() }
                        for _ in 0..<(round * round) { await Task.yield() }
                        running.cancelAll()
                    }
                }
                group.addTask { await client.enterForeground() }
                group.addTask {
                    guard let room = try? await client.room(ChatWorld.room) else { return }
                    _ = try? await room.send("hello")
                    for await _ in room.updates {}
                }
                group.addTask {
                    guard let room = try? await client.room(ChatWorld.room) else { return }
                    await room.close()
                }
                group.addTask { _ = await client.handlePush(room: ChatWorld.room) }
                group.addTask { await client.suspend() }
                group.addTask { for await _ in client.connectionUpdates {} }
            }
        }
        await world.end()
    }

    @Test("Rooms may be opened and closed by many at once; what is open in the end works")
    func openAndClose() async throws {
        let world = try await ChatWorld()
        let client = try world.client("ben") { $0.suspendTimeout = .milliseconds(100) }
        try await world.with(client) { _ in
            await withDiscardingTaskGroup { group in
                for _ in 1...8 {
                    group.addTask {
                        for _ in 1...20 {
                            guard let room = try? await client.room(ChatWorld.room) else {
                                continue
                            }
                            _ = try? await room.send("x")
                            await room.close()
                        }
                    }
                }
                group.addTask {
                    for _ in 1...20 { _ = await client.handlePush(room: ChatWorld.room) }
                }
            }
            let room = try await client.room(ChatWorld.room)
            let shown = try await room.snapshot {
                $0.unsent.isEmpty && $0.recovery == .upToDate
            }
            let stored = try await world.server.messages(in: ChatWorld.room)
            #expect(shown.timeline.messages.map(\.id) == stored.map(\.id))
        }
        await world.end()
    }
}
#endif
