import RejoinContracts
import RejoinTime
import RejoinTransport
import Testing

/// A WebSocket adapter that breaks one rule, and the check that finds it.
struct BrokenSocket: Sendable, CustomTestStringConvertible {
    let name: String
    let checks: Set<String>
    let also: Set<String>
    let breaking: @Sendable (inout SocketHooks) -> Void

    init(
        _ name: String, foundBy checks: String..., also: Set<String> = [],
        breaking: @escaping @Sendable (inout SocketHooks) -> Void
    ) {
        self.name = name
        self.checks = Set(checks.map { "websocket.\($0)" })
        self.also = Set(also.map { "websocket.\($0)" })
        self.breaking = breaking
    }

    var testDescription: String { name }

    /// Checks of large messages and of waiting, which cost much: only for faults that they are to
    /// find.
    private static let heavy: Set<String> = [
        "websocket.messages-come-back-as-they-went", "websocket.sixteen-mebibytes-both-ways",
        "websocket.maximum-itself-is-taken", "websocket.a-slow-peer-slows-sends",
    ]

    /// The checks that fail with it.
    func findings() async -> Set<String> {
        let server = ScriptedServer()
        return await withTaskGroup(of: Set<String>.self) { group in
            group.addTask {
                await server.run()
                return []
            }
            group.addTask {
                var hooks = SocketHooks()
                breaking(&hooks)
                let connector = HookedConnector(base: server.connector, hooks: hooks)
                let contract = webSocketContract(
                    connector: connector, peer: server, patience: .seconds(3))
                var found: Set<String> = []
                for check in contract
                where checks.contains(check.id) || !Self.heavy.contains(check.id) {
                    let result = await check.result()
                    if result.failure != nil { found.insert(result.id) }
                }
                return found
            }
            defer { group.cancelAll() }
            for await found in group { return found }
            return []
        }
    }
}

@Suite(
    "The WebSocket contract can fail: each check that a fake can run finds a fault", .serialized)
struct BrokenSocketTests {
    @Test("A broken adapter is found out", arguments: BrokenSocket.all)
    func found(_ broken: BrokenSocket) async {
        let found = await broken.findings()
        #expect(found.isSuperset(of: broken.checks), "found by \(found.sorted())")
        let unforeseen = found.subtracting(broken.also).subtracting(broken.checks)
        #expect(unforeseen.isEmpty, "found by \(unforeseen.sorted()), too")
    }

    @Test("No check that a fake can run is without a fault that it finds")
    func complete() async throws {
        let server = ScriptedServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            let known = BrokenSocket.all.reduce(into: Set<String>()) { $0.formUnion($1.checks) }
            for check in webSocketContract(connector: server.connector, peer: server) {
                guard try await check.run() == .kept else { continue }
                #expect(known.contains(check.id), "no fault for \(check.id)")
            }
            group.cancelAll()
        }
    }
}

extension BrokenSocket {
    static let all = upgrades + messages + endings + pings

    private static let upgrades: [BrokenSocket] =
        [
            BrokenSocket(
                "hides which subprotocol was chosen", foundBy: "first-subprotocol-is-offered-first"
            ) { $0.subprotocol = { _ in nil } },
            BrokenSocket(
                "takes the first subprotocol for chosen",
                foundBy: "no-chosen-subprotocol-is-tolerated"
            ) { $0.subprotocol = { $0.subprotocols.first } },
            BrokenSocket("connects once", foundBy: "connecting-again-works", also: everything) {
                let count = Shared(0)
                $0.connect = { (request, connect) async throws(WebSocketError) in
                    let turn = count.update { count in
                        count += 1
                        return count
                    }
                    guard !turn.isMultiple(of: 12) else {
                        throw WebSocketError(.unreachable, "the port is taken")
                    }
                    return try await connect(request)
                }
            },
            refusals("loses the body of a refusal", foundBy: "refused-upgrade-refusal401") {
                WebSocketError(
                    $0.code, $0.message, httpStatus: $0.httpStatus, retryAfter: $0.retryAfter)
            },
            refusals("loses Retry-After", foundBy: "refused-upgrade-refusal503") {
                WebSocketError($0.code, $0.message, httpStatus: $0.httpStatus, body: $0.body)
            },
            refusals("keeps the whole body of a refusal", foundBy: "refused-upgrade-longRefusal") {
                WebSocketError(
                    $0.code, $0.message, httpStatus: $0.httpStatus, retryAfter: $0.retryAfter,
                    body: $0.body.count > 1_000 ? $0.body + $0.body : $0.body)
            },
            refusals(
                "takes an end during the upgrade for a violation",
                foundBy: "broken-upgrade-endsDuringUpgrade"
            ) { $0.code == .unreachable ? WebSocketError(.protocolViolation, "?") : $0 },
            refusals(
                "takes its own cancelling for a timeout", foundBy: "connecting-can-be-cancelled"
            ) { $0.code == .cancelled ? WebSocketError(.timedOut, "too late") : $0 },
        ]
        + [("refusal403", 403), ("redirect", 301), ("page", 200)].map { behaviour, status in
            refusals(
                "loses the status \(status)", foundBy: "refused-upgrade-\(behaviour)"
            ) { $0.httpStatus == status ? WebSocketError($0.code, $0.message) : $0 }
        }

    /// Who cannot connect at times fails anywhere.
    private static let everything = Set(
        webSocketContract(connector: NoConnector(), peer: ScriptedServer())
            .map { String($0.id.dropFirst("websocket.".count)) })

    private static let messages: [BrokenSocket] = [
        received("loses what came with the upgrade", foundBy: "frames-with-the-upgrade-are-kept") {
            $0.bytes.elementsEqual("one".utf8) ? .text("two") : $0
        },
        received("cuts what comes byte by byte", foundBy: "bytes-may-come-one-by-one") {
            $0.bytes.elementsEqual("drip".utf8) ? .text("d") : $0
        },
        received("gives the first fragment for the whole", foundBy: "fragments-are-joined") {
            $0.bytes.elementsEqual("héllo".utf8) ? .text("h") : $0
        },
        received(
            "takes TEXT for BINARY where it is long", foundBy: "messages-come-back-as-they-went"
        ) {
            if case .text(let bytes) = $0, bytes.count > 65_535 { .binary(bytes) } else { $0 }
        },
        received("replaces what is beyond ASCII", foundBy: "text-beyond-ascii") {
            if case .text(let bytes) = $0, bytes.contains(0xF4) { .text("????") } else { $0 }
        },
        received("cuts at eight mebibytes", foundBy: "sixteen-mebibytes-both-ways") {
            $0.bytes.count > 8 << 20
                ? .binary(ContiguousArray($0.bytes.prefix(8 << 20))) : $0
        },
        BrokenSocket("lets messages overtake each other", foundBy: "order-is-kept") {
            let held = Shared<WebSocketMessage?>(nil)
            $0.send = { (message, send) async throws(WebSocketError) in
                if message.bytes.elementsEqual("100".utf8) {
                    return held.update { $0 = message }
                }
                try await send(message)
                guard message.bytes.elementsEqual("101".utf8),
                    let late = held.update({ held in
                        defer { held = nil }
                        return held
                    })
                else { return }
                try await send(late)
            }
        },
        BrokenSocket("mixes sends that overlap", foundBy: "sends-may-overlap") {
            let running = Shared(0)
            $0.send = { (message, send) async throws(WebSocketError) in
                let count = running.update { running in
                    running += 1
                    return running
                }
                for _ in 0..<20 { await Task.yield() }
                running.update { $0 -= 1 }
                try await send(count == 1 || message.bytes.count > 2 ? message : .text("mixed"))
            }
        },
        BrokenSocket("refuses a message of the permitted size", foundBy: "maximum-itself-is-taken")
        {
            $0.receive = { (receive) async throws(WebSocketError) in
                let message = try await receive()
                guard message.bytes.count == 100_000 else { return message }
                throw WebSocketError(.messageTooLarge, "it has 100000 bytes")
            }
        },
        BrokenSocket("takes any number of messages for a peer", foundBy: "a-slow-peer-slows-sends")
        {
            $0.send = { (message, send) async throws(WebSocketError) in
                if message.bytes.count != 1 << 20 { try await send(message) }
            }
        },
        BrokenSocket(
            "drops messages before a close", foundBy: "a-message-before-the-close-is-delivered"
        ) {
            $0.receive = { (receive) async throws(WebSocketError) in
                let message = try await receive()
                guard message.bytes.elementsEqual("last".utf8) else { return message }
                return try await receive()
            }
        },
    ]

    private static let endings: [BrokenSocket] =
        [
            ended("takes a good end for a broken one", foundBy: "peer-closesNormally", code: 1000),
            ended("loses private codes", foundBy: "peer-closesPrivately", code: 4001),
            ended(
                "invents a code where there was none", foundBy: "peer-closesWithoutCode", code: 1005
            ),
            BrokenSocket(
                "takes a broken socket for a good end", foundBy: "peer-vanishes",
                "peer-vanishesInFrame", "peer-resetsInFrame"
            ) { hooks in
                hooks.fail = {
                    $0.closeCode == 1006
                        ? WebSocketError($0.code, $0.message, closeCode: 1000) : $0
                }
            },
            BrokenSocket(
                "takes a wrong code for a timeout", foundBy: "peer-closesWithInvalidCode"
            ) { hooks in
                hooks.fail = {
                    $0.closeCode == 1002 ? WebSocketError(.timedOut, $0.message) : $0
                }
            },
            BrokenSocket("closes with 1000 whatever it is told", foundBy: "own-close-code-arrives")
            {
                $0.closeCode = { _ in 1000 }
            },
            BrokenSocket(
                "forgets what is sent before a close", foundBy: "sends-precede-the-close",
                also: ["order-is-kept", "sends-may-overlap", "a-cancelled-reader-loses-nothing"]
            ) {
                $0.send = { (message, send) async throws(WebSocketError) in
                    if !message.bytes.elementsEqual("19".utf8) { try await send(message) }
                }
            },
            BrokenSocket(
                "says after its own close that time ran out", foundBy: "close-is-bounded",
                also: [
                    "own-close-code-arrives", "ping-of-an-ended-connection-fails",
                    "abandon-frees-everybody",
                ]
            ) { hooks in
                hooks.fail = {
                    $0.code == .closed && $0.closeCode == nil
                        ? WebSocketError(.timedOut, $0.message) : $0
                }
            },
            BrokenSocket(
                "takes an abandoned ping for a cancelled one", foundBy: "abandon-frees-everybody",
                also: ["ping-of-an-ended-connection-fails"]
            ) {
                $0.ping = { (ping) async throws(WebSocketError) in
                    do throws(WebSocketError) {
                        try await ping()
                    } catch {
                        guard error.code == .closed else { throw error }
                        throw WebSocketError(.cancelled, "the ping was given up")
                    }
                }
            },
            BrokenSocket(
                "keeps connections that nobody holds", foundBy: "a-dropped-connection-leaves",
                also: ["own-close-code-arrives", "sends-precede-the-close"]
            ) { $0.kept = Shared([]) },
        ]

    private static let pings: [BrokenSocket] = [
        BrokenSocket("takes one ping at a time", foundBy: "ping-returns-with-its-pong") {
            let running = Shared(0)
            $0.ping = { (ping) async throws(WebSocketError) in
                let count = running.update { running in
                    running += 1
                    return running
                }
                defer { running.update { $0 -= 1 } }
                for _ in 0..<20 { await Task.yield() }
                guard count == 1 else { throw WebSocketError(.closed, "a ping is under way") }
                try await ping()
            }
        },
        BrokenSocket(
            "answers pings of an ended connection itself",
            foundBy: "ping-of-an-ended-connection-fails", also: ["abandon-frees-everybody"]
        ) {
            $0.ping = { (ping) async throws(WebSocketError) in
                do throws(WebSocketError) {
                    try await ping()
                } catch {
                    guard error.code == .closed else { throw error }
                }
            }
        },
        received("loses what follows many pings", foundBy: "ping-flood-is-survived") {
            $0.bytes.elementsEqual("done".utf8) ? .text("alive") : $0
        },
        BrokenSocket(
            "gives a message to a reader that is gone",
            foundBy: "a-cancelled-reader-loses-nothing",
            also: ["abandon-frees-everybody", "a-slow-peer-slows-sends"]
        ) {
            let isOwed = Shared(false)
            $0.receive = { (receive) async throws(WebSocketError) in
                do throws(WebSocketError) {
                    let message = try await receive()
                    let isLost = isOwed.update { isOwed in
                        defer { isOwed = false }
                        return isOwed
                    }
                    return isLost ? .text("what comes after it") : message
                } catch {
                    if error.code == .cancelled { isOwed.update { $0 = true } }
                    throw error
                }
            }
        },
        BrokenSocket(
            "takes a cancelled ping for a lost connection", foundBy: "a-cancelled-ping-goes"
        ) {
            $0.ping = { (ping) async throws(WebSocketError) in
                do throws(WebSocketError) {
                    try await ping()
                } catch {
                    guard error.code == .cancelled else { throw error }
                    throw WebSocketError(.closed, "the connection is gone")
                }
            }
        },
    ]

    private static func refusals(
        _ name: String, foundBy check: String,
        _ change: @escaping @Sendable (WebSocketError) -> WebSocketError
    ) -> BrokenSocket {
        BrokenSocket(name, foundBy: check) {
            $0.connect = { (request, connect) async throws(WebSocketError) in
                do throws(WebSocketError) {
                    return try await connect(request)
                } catch {
                    throw change(error)
                }
            }
        }
    }

    private static func received(
        _ name: String, foundBy check: String,
        _ change: @escaping @Sendable (WebSocketMessage) -> WebSocketMessage
    ) -> BrokenSocket {
        BrokenSocket(name, foundBy: check) {
            $0.receive = { (receive) async throws(WebSocketError) in change(try await receive()) }
        }
    }

    private static func ended(
        _ name: String, foundBy check: String, code: UInt16
    ) -> BrokenSocket {
        BrokenSocket(name, foundBy: check) { hooks in
            hooks.fail = {
                $0.closeCode == code ? WebSocketError($0.code, $0.message, closeCode: 1011) : $0
            }
        }
    }
}
