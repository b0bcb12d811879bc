#if os(Linux)
import Foundation
import RejoinContracts
import RejoinModel
import RejoinServer
import RejoinTime
import RejoinTransport
import RejoinWire
import Testing

@Suite("REST on a real socket (section 9)")
struct RestTests {
    @Test("the contract of backends holds over HTTP and the reference format")
    func contract() async throws {
        try await TestServer.run { test in
            let account = { @Sendable (user: UserID) in
                DirectBackendAccount(user) { (call) async throws(BackendFailure) in
                    do {
                        return try await test.perform(call, as: user)
                    } catch let failure as BackendFailure {
                        throw failure
                    } catch {
                        throw BackendFailure(.outcomeUnknown, "\(error)")
                    }
                }
            }
            let backend = BackendUnderTest(
                first: account(TestServer.ann), second: account(TestServer.bob),
                outsider: account(TestServer.eve), room: { _ in TestServer.room })
            for check in backendChecks(backend) { try await check.run() }
        }
    }

    @Test("capabilities are what the configuration says")
    func capabilities() async throws {
        let behaviour = ServerBehaviour(
            subscribeReceipts: false, idempotentSends: false, revisions: false,
            settle: .milliseconds(1_500))
        try await TestServer.run {
            $0.behaviour = behaviour
            $0.limits.pageMessages = 7
            $0.limits.contentBytes = 1_000
        } _: { test in
            let answer = try await test.perform(.capabilities, as: TestServer.ann)
            #expect(
                answer
                    == .capabilities(
                        BackendCapabilities(
                            commitOrder: .settles(within: .milliseconds(1_500)),
                            idempotentSendRetention: nil, hasRevisions: false,
                            hasSubscribeReceipts: false, maximumPageSize: 7,
                            maximumContentBytes: 1_000)))
        }
    }

    @Test("requests follow each other on one connection, also in one packet")
    func keepAlive() async throws {
        try await TestServer.run { test in
            let http = try RawHTTP(port: test.port)
            for number in 1...5 {
                let call = BackendCall.send(TestServer.room, draft("message \(number)"))
                _ = try await test.perform(call, as: TestServer.ann, over: http)
            }
            let one =
                "GET /v1/rooms HTTP/1.1\r\nHost: x\r\nX-AUTH-TOKEN: "
                + "\(test.token(TestServer.ann))\r\n\r\n"
            let first = try await http.response(toRaw: Array((one + one).utf8))
            let second = try await http.response()
            #expect(first.status == 200)
            #expect(first == second)
        }
    }

    @Test("a trimmed history says where it begins, and a trimmed feed is gone (410)")
    func trimming() async throws {
        try await TestServer.run { test in
            var all: [Message] = []
            for number in 1...6 {
                all.append(try await test.say("message \(number)", as: TestServer.ann))
            }
            let room = TestServer.room
            try await test.server.trimHistory(of: room, before: all[3].id)
            // P1: the feed no longer tells of what was trimmed, so it must not be followed across
            // it.
            for (revision, code) in [(2, BackendFailure.Code.gone), (3, nil)] {
                let call = BackendCall.changes(
                    room, after: Revision(UInt64(revision)), limit: 10)
                #expect(try await failure(of: call, test) == code)
            }
            try await test.server.trimChanges(of: room, through: Revision(4))
            for anchor in [
                HistoryAnchor.newest, .after(nil), .after(all[0].id), .around(all[4].id),
            ] {
                let answer = try await test.perform(
                    .history(room, anchor, limit: 10), as: TestServer.ann)
                guard case .history(let page) = answer else { continue }
                #expect(page.messages == Array(all[3...]))
                #expect(page.horizon == all[3].id)
                #expect(page.from == MessageID(all[3].id.rawValue - 1))
                #expect(!page.hasBefore)
            }
            await #expect(throws: BackendFailure.self) {
                try await test.perform(.message(room, all[0].id), as: TestServer.ann)
            }
            for (revision, code) in [(3, BackendFailure.Code.gone), (7, .gone), (4, nil)] {
                let call = BackendCall.changes(
                    room, after: Revision(UInt64(revision)), limit: 10)
                #expect(try await failure(of: call, test) == code)
            }
            // The key of a trimmed message is still known.
            let repeated = MessageDraft(
                clientID: try #require(all[0].clientID), content: all[0].content)
            let answer = try await test.perform(.send(room, repeated), as: TestServer.ann)
            #expect(answer == .message(all[0]))
        }
    }

    @Test("content beyond the limit is refused, and the room stays as it was")
    func contentLimit() async throws {
        try await TestServer.run {
            $0.limits.contentBytes = 1_000
            $0.limits.envelopeBytes = 1_000
        } _: { test in
            let fits = BackendCall.send(
                TestServer.room, draft(String(repeating: "x", count: 990)))
            #expect(try await failure(of: fits, test) == nil)
            for count in [1_001, 5_000] {
                let call = BackendCall.send(
                    TestServer.room, draft(String(repeating: "x", count: count)))
                #expect(try await failure(of: call, test) == .tooLarge)
            }
            let empty = BackendCall.send(
                TestServer.room, MessageDraft(clientID: draft("").clientID, content: []))
            #expect(try await failure(of: empty, test) == .rejected)
            let stored = try await test.server.messages(in: TestServer.room)
            #expect(stored.count == 1)
        }
    }

    @Test("too many requests get 429 with the time to wait")
    func rateLimit() async throws {
        try await TestServer.run {
            $0.limits.rate = RateLimit(perSecond: 1, burst: 3)
        } _: { test in
            let http = try RawHTTP(port: test.port)
            let request = test.format.encode(.rooms)
            var last: HTTPResponse?
            // A slow machine lets a permit come back in between; it cannot keep pace for long.
            for _ in 0..<200 where last?.status != 429 {
                last = try await http.response(to: request, token: test.token(TestServer.ann))
            }
            #expect(last?.status == 429)
            #expect(last?.headers["retry-after"] == "1")
            let other = try await http.response(to: request, token: test.token(TestServer.bob))
            #expect(other.status == 200)
        }
    }

    @Test("two writers and a reader: pages are complete at every moment")
    func concurrentWriters() async throws {
        try await TestServer.run { test in
            let count = 150
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in [TestServer.ann, TestServer.bob] {
                    group.addTask {
                        let http = try RawHTTP(port: test.port)
                        for number in 1...count {
                            let call = BackendCall.send(
                                TestServer.room, draft("\(user) \(number)"))
                            _ = try await test.perform(call, as: user, over: http)
                        }
                    }
                }
                group.addTask {
                    let http = try RawHTTP(port: test.port)
                    var met: [Message] = []
                    while met.count < 2 * count {
                        let anchor = HistoryAnchor.after(met.last?.id)
                        let answer = try await test.perform(
                            .history(TestServer.room, anchor, limit: 7), as: TestServer.ann,
                            over: http)
                        guard case .history(let page) = answer else { break }
                        met += page.messages
                    }
                    // Whoever only ever reads on from its cursor misses nothing.
                    let all = try await test.server.messages(in: TestServer.room)
                    #expect(met == all)
                    #expect(all.map(\.id) == all.map(\.id).sorted())
                    #expect(all.compactMap(\.revision) == (1...300).map { Revision($0) })
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(
        "late commits: an ID below the tip appears later, and the answer waits for the commit")
    func lateCommits() async throws {
        try await TestServer.run {
            $0.behaviour.settle = .milliseconds(120)
            $0.behaviour.seed = 3
        } _: { test in
            let socket = try await test.socket(TestServer.bob)
            try await socket.subscribe(test.format.destination(of: TestServer.room))
            let count = 12
            try await withThrowingTaskGroup(of: MessageID.self) { group in
                for number in 1...count {
                    group.addTask {
                        try await test.say("message \(number)", as: TestServer.ann).id
                    }
                }
                var answered: Set<MessageID> = []
                for try await id in group { answered.insert(id) }
                let all = try await test.server.messages(in: TestServer.room)
                #expect(Set(all.map(\.id)) == answered)
                #expect(all.count == count)
            }
            var live: [Message] = []
            for _ in 0..<count {
                let frame = try await socket.frame()
                let event = try test.format.decodeEvent(
                    frame.body, at: test.format.destination(of: TestServer.room))
                if case .created(let message, _) = event.kind { live.append(message) }
            }
            #expect(live.map(\.id) != live.map(\.id).sorted())
            #expect(live.compactMap(\.revision) == (1...12).map { Revision($0) })
        }
    }

    private func failure(of call: BackendCall, _ test: TestServer) async throws
        -> BackendFailure.Code?
    {
        do {
            _ = try await test.perform(call, as: TestServer.ann)
            return nil
        } catch let failure as BackendFailure {
            return failure.code
        }
    }
}
#endif
