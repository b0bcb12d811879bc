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

    @Test(
        "P1, P2, P3, P4: two people chat and read while the server is killed again and again",
        arguments: ["plain", "no revisions", "late", "not idempotent", "no receipts", "socket"])
    func restarts(kind: String) async throws {
        var behaviour = ServerBehaviour()
        switch kind {
        case "no revisions": behaviour.revisions = false
        case "late": behaviour.settle = .milliseconds(200)
        case "not idempotent": behaviour.idempotentSends = false
        case "no receipts": behaviour.subscribeReceipts = false
        default: break
        }
        let world = try await ChatWorld(behaviour: behaviour)
        guard
            case .capabilities(let capabilities) = try await world.server.perform(
                .capabilities, as: UserID("ann"))
        else {
            Issue.record("the server does not say what it keeps")
            return
        }
        let clients = try ["ann", "ben"].map { name in
            try world.client(name) {
                $0.capabilities = capabilities
                if kind == "socket" { $0.sending = .socket }
                if kind == "no receipts" {
                    $0.stomp.subscribeTimeout = .milliseconds(300)
                    $0.stomp.settleTime = .milliseconds(300)
                    $0.stomp.subscriptionRest = .milliseconds(300)
                }
            }
        }
        try await world.with(clients[0]) { hers in
            try await world.with(clients[1]) { his in
                try await withThrowingDiscardingTaskGroup { group in
                    for (room, name) in [(hers, "ann"), (his, "ben")] {
                        group.addTask {
                            for number in 1...15 {
                                try await room.send("\(name) \(number)")
                                try await SystemTime().sleep(for: .milliseconds(100))
                                if let last = await room.snapshot?.timeline.messages.last?.id {
                                    await room.markRead(through: last)
                                }
                            }
                        }
                    }
                    group.addTask {
                        for _ in 1...(kind == "no receipts" ? 6 : 3) {
                            try await SystemTime().sleep(for: .milliseconds(350))
                            await world.server.kill()
                            try await SystemTime().sleep(for: .milliseconds(150))
                            try await world.server.start()
                        }
                    }
                }
                if kind != "not idempotent" {
                    for room in [hers, his] {
                        try await room.snapshot { $0.unsent.isEmpty && $0.recovery == .upToDate }
                    }
                } else {
                    for room in [hers, his] {
                        while await room.outbox.contains(where: {
                            switch $0.state {
                            case .waiting, .accepted, .outcomeUnknown: true
                            case .unconfirmed, .failed: false
                            }
                        }) {
                            await Task.yield()
                        }
                    }
                }
                try await world.post(["the end"])
                let stored = try await world.server.messages(in: ChatWorld.room)
                let texts = stored.compactMap(\.text)
                if kind != "not idempotent" {
                    for name in ["ann", "ben"] {
                        #expect(
                            texts.filter { $0.hasPrefix(name) }
                                == (1...15).map { "\(name) \($0)" })
                    }
                }
                #expect(Set(texts).count == texts.count)
                for (room, name) in [(hers, "ann"), (his, "ben")] {
                    let shown = try await room.snapshot {
                        $0.recovery == .upToDate && $0.timeline.messages.last?.text == "the end"
                    }
                    #expect(shown.timeline.messages.map(\.id) == stored.map(\.id))
                    let last = try #require(stored.last?.id)
                    await room.markRead(through: last)
                    while try await world.server.readMark(
                        of: UserID(name), in: ChatWorld.room
                    ).position != last { await Task.yield() }
                }
            }
        }
        await world.end()
    }
}
#endif
