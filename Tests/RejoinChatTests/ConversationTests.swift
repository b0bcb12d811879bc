#if os(Linux)
import RejoinChat
import RejoinServer
import Testing

/// The promises on real sockets, a real server and a proxy that breaks things.
@Suite("A conversation through real sockets", .serialized)
struct ConversationTests {
    @Test("P1: what is sent while the connection is reset comes back")
    func reset() async throws {
        let world = try await ChatWorld()
        try await world.with(try world.client("ben")) { room in
            try await world.post(["one"])
            try await room.shows(["one"])
            world.proxy.refuse()
            world.proxy.reset()
            try await world.post(["two", "three"])
            world.proxy.pass()
            try await room.shows(["one", "two", "three"])
        }
        await world.end()
    }

    @Test("P1: a half-open socket is noticed by its silence, and left")
    func halfOpen() async throws {
        let world = try await ChatWorld()
        try await world.with(try world.client("ben")) { room in
            try await world.post(["one"])
            try await room.shows(["one"])
            world.proxy.set(.swallow)
            try await world.post(["two"])
            try await room.snapshot { $0.recovery == .catchingUp }
            world.proxy.reset()
            world.proxy.pass()
            try await room.shows(["one", "two"])
        }
        await world.end()
    }

    @Test(
        "P1: an edit, a deletion and a reaction missed in an outage come back",
        arguments: [true, false])
    func missedChanges(hasRevisions: Bool) async throws {
        let world = try await ChatWorld(
            behaviour: ServerBehaviour(revisions: hasRevisions))
        let ben = try world.client("ben") { $0.capabilities.hasRevisions = hasRevisions }
        let ann = try world.client("ann") { $0.capabilities.hasRevisions = hasRevisions }
        try await world.with(ben) { his in
            try await world.with(ann) { hers in
                for text in ["one", "two", "three"] { try await hers.send(text) }
                let ids = try await his.shows(["one", "two", "three"]).timeline.messages
                    .map(\.id)
                await ben.suspend()
                try await hers.edit(.sent(ids[0]), to: [.text("edited")])
                try await hers.delete(.sent(ids[1]))
                try await hers.react("👍", to: .sent(ids[2]))
                try await hers.snapshot { snapshot in
                    snapshot.timeline.messages.last?.reactions.isEmpty == false
                }
                _ = try await hers.snapshot { $0.timeline.messages.first?.text == "edited" }
                while await !hers.outbox.isEmpty { await Task.yield() }
                await ben.enterForeground()
                try await his.snapshot { snapshot in
                    let messages = snapshot.timeline.messages
                    return messages.first?.text == "edited" && messages[1].isDeleted
                        && messages.last?.reactions.first?.emoji == "👍"
                }
            }
        }
        await world.end()
    }

    @Test("P5: what is sent while the server is away reaches it once")
    func serverAway() async throws {
        let world = try await ChatWorld()
        try await world.with(try world.client("ann")) { room in
            try await room.send("one")
            try await room.snapshot { $0.unsent.isEmpty && !$0.timeline.messages.isEmpty }
            await world.server.kill()
            for text in ["two", "three"] { try await room.send(text) }
            #expect(await room.snapshot?.unsent.count == 2)
            try await world.server.start()
            try await room.snapshot { $0.unsent.isEmpty }
            let stored = try await world.server.messages(in: ChatWorld.room)
            #expect(stored.map(\.text) == ["one", "two", "three"])
        }
        await world.end()
    }

    @Test("P5: an answer that is lost on its way does not double the message")
    func lostAnswers() async throws {
        let world = try await ChatWorld()
        try await world.with(try world.client("ann")) { room in
            try await room.snapshot { $0.recovery == .upToDate }
            for number in 1...5 {
                world.proxy.set(.cut(after: 20 * number), for: .down)
                try await room.send("message \(number)")
                world.proxy.pass()
            }
            try await room.snapshot { $0.unsent.isEmpty && $0.timeline.messages.count == 5 }
            let stored = try await world.server.messages(in: ChatWorld.room)
            #expect(stored.map(\.text) == (1...5).map { "message \($0)" })
        }
        await world.end()
    }

    @Test("P4: a read position reached while the network is gone is sent when it is back")
    func readLater() async throws {
        let world = try await ChatWorld()
        let ben = UserID("ben")
        try await world.with(try world.client("ben")) { room in
            try await world.post(["one", "two"])
            let last = try await room.shows(["one", "two"]).timeline.messages.last?.id
            world.proxy.refuse()
            world.proxy.reset()
            await room.markRead(through: try #require(last))
            #expect(await room.snapshot?.read.position == last)
            world.proxy.pass()
            while try await world.server.readMark(of: ben, in: ChatWorld.room).position != last {
                await Task.yield()
            }
            try await room.snapshot { $0.unread == .exact(0) }
        }
        await world.end()
    }

    @Test("A room without access says so, and the client goes on")
    func noAccess() async throws {
        let world = try await ChatWorld()
        let client = try world.client("eve")
        try await world.with(client) { room in
            try await room.snapshot { $0.state == .noAccess }
            try await world.server.createRoom(RoomID("hers"), users: [UserID("eve")])
            let other = try await client.room(RoomID("hers"))
            try await other.snapshot { $0.recovery == .upToDate }
        }
        await world.end()
    }

    @Test("An expired token is renewed, for the socket and REST together")
    func expiredToken() async throws {
        struct Provider: ChatCredentialsProvider {
            let server: ReferenceServer

            func credentials(_ reason: StompCredentialsReason)
                async throws(StompCredentialsFailure) -> ChatCredentials
            {
                let lifetime: Duration = reason == .expired ? .seconds(60) : .zero
                return .bearer(server.token(for: UserID("ben"), lifetime: lifetime))
            }
        }
        let world = try await ChatWorld()
        let client = try world.client("ben", credentials: Provider(server: world.server))
        try await world.with(client) { room in
            try await world.post(["one"])
            try await room.shows(["one"])
        }
        await world.end()
    }

    @Test("A push in the background catches up by REST, without a socket")
    func push() async throws {
        let world = try await ChatWorld()
        let store = InMemoryRoomStore()
        let client = try world.client("ben", store: store)
        try await world.post(["one", "two"])
        let outcome = await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            defer { group.cancelAll() }
            return await client.handlePush(room: ChatWorld.room)
        }
        guard case .complete(let evidence) = outcome else {
            Issue.record("the push did not catch up: \(outcome)")
            return
        }
        #expect(evidence.messagesAdded == 2)
        let held = await store.checkpoint(of: ChatWorld.room)?.timeline.messages
        #expect(held?.map(\.text) == ["one", "two"])
        await world.end()
    }

    @Test("P7: pushes in the foreground open no room for good, and put none on screen")
    func pushesInForeground() async throws {
        let world = try await ChatWorld()
        let client = try world.client("ben") { $0.openRoomLimit = 2 }
        try await world.with(client) { _ in
            for number in 1...4 {
                let id = RoomID("pushed-\(number)")
                try await world.server.createRoom(id, users: [UserID("ben")])
                guard case .complete = await client.handlePush(room: id) else {
                    Issue.record("push \(number) did not catch up")
                    return
                }
            }
            let room = try await client.room(RoomID("pushed-1"))
            #expect(await room.visibilityToken != nil)
        }
        await world.end()
    }

    @Test("P7: suspending returns in its time although the network swallows everything")
    func suspendIsBounded() async throws {
        let world = try await ChatWorld()
        let client = try world.client("ben") { $0.suspendTimeout = .milliseconds(200) }
        try await world.with(client) { room in
            try await world.post(["one"])
            let last = try await room.shows(["one"]).timeline.messages.last?.id
            world.proxy.set(.swallow)
            await room.markRead(through: try #require(last))
            await client.suspend()
            #expect(await room.visibilityToken == nil)
            world.proxy.reset()
            world.proxy.pass()
            await client.enterForeground()
            try await room.snapshot { $0.recovery == .upToDate }
        }
        await world.end()
    }

    @Test("P5: a process that is killed and started again on its store sends what was accepted")
    func killed() async throws {
        let world = try await ChatWorld()
        let store = InMemoryRoomStore()
        world.proxy.refuse()
        try await world.with(try world.client("ann", store: store)) { room in
            try await room.send("accepted")
        }
        world.proxy.pass()
        try await world.with(try world.client("ann", store: store)) { room in
            try await room.snapshot { $0.unsent.isEmpty && $0.timeline.messages.count == 1 }
        }
        let stored = try await world.server.messages(in: ChatWorld.room)
        #expect(stored.map(\.text) == ["accepted"])
        await world.end()
    }

    @Test("Background A: the legacy pipeline does not get back what a drop took")
    func legacyLoses() async throws {
        let world = try await ChatWorld()
        try await world.with(try world.client("ben", .legacy)) { room in
            try await world.post(["one"])
            while await room.snapshot?.timeline.messages.isEmpty != false {
                try await world.post(["again"])
            }
            world.proxy.refuse()
            world.proxy.reset()
            try await room.snapshot { $0.recovery == .catchingUp }
            try await world.post(["lost"])
            world.proxy.pass()
            try await room.snapshot { $0.recovery != .catchingUp }
            try await world.post(["later"])
            let shown = try await room.snapshot { $0.timeline.messages.last?.text == "later" }
            #expect(!shown.timeline.messages.contains { $0.text == "lost" })
        }
        await world.end()
    }
}
#endif
