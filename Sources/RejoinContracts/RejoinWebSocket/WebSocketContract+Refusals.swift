import RejoinTransport

/// Checks of upgrades that fail.
func refusalChecks(_ bench: WebSocketBench) -> [ContractCheck] {
    let hurt = "the session cannot tell an expired credential from a broken server"
    func refusal(
        _ behaviour: WebSocketPeerBehaviour, status: Int,
        _ more: @escaping @Sendable (String, WebSocketError) throws -> Void = { _, _ in }
    ) -> ContractCheck {
        bench.check("refused-upgrade-\(behaviour.rawValue)", "R-13") { id in
            let error = try await bench.failure(id, whoIsHurt: hurt) {
                _ = try await bench.open(behaviour)
            }
            try require(error.code, equals: .upgradeRefused, id, whoIsHurt: hurt)
            try require(error.httpStatus, equals: status, id, whoIsHurt: hurt)
            try more(id, error)
        }
    }
    func broken(
        _ behaviour: WebSocketPeerBehaviour, _ codes: [WebSocketError.Code]
    ) -> ContractCheck {
        bench.check("broken-upgrade-\(behaviour.rawValue)", "stomp.md 4") { id in
            let error = try await bench.failure(
                id, whoIsHurt: "what is not a WebSocket is taken for one"
            ) {
                _ = try await bench.connector.connect(
                    bench.request(behaviour, timeout: .seconds(3)))
            }
            try require(
                codes.contains(error.code), id,
                expected: codes.map(\.rawValue).joined(separator: " or "),
                got: error.description, whoIsHurt: "the host cannot tell what is wrong")
        }
    }
    return [
        refusal(.refusal401, status: 401) { id, error in
            try require(
                String(decoding: error.body, as: UTF8.self), equals: #"{"code":"token_expired"}"#,
                id, whoIsHurt: hurt)
        },
        refusal(.refusal403, status: 403),
        refusal(.refusal503, status: 503) { id, error in
            try require(
                error.retryAfter, equals: .seconds(7), id,
                whoIsHurt: "an overloaded server is hammered")
        },
        refusal(.redirect, status: 301),
        refusal(.page, status: 200),
        refusal(.longRefusal, status: 401) { id, error in
            try require(
                error.body.count <= 4096, id, expected: "at most 4096 bytes of body",
                got: "\(error.body.count)", whoIsHurt: "a hostile server fills memory")
        },
        broken(.wrongAccept, [.protocolViolation]),
        broken(.missingAccept, [.protocolViolation]),
        broken(.unofferedExtension, [.protocolViolation]),
        broken(.endlessHeader, [.protocolViolation, .unreachable]),
        // Who cannot read it may go on waiting for something that he can.
        broken(.noHTTP, [.protocolViolation, .unreachable, .timedOut]),
        broken(.endsDuringUpgrade, [.unreachable]),
        bench.check("silent-upgrade-times-out", "DESIGN 4") { id in
            try bench.requireWire()
            let error = try await bench.failure(id, whoIsHurt: "connecting never ends") {
                _ = try await bench.connector.connect(
                    bench.request(.silentUpgrade, timeout: .milliseconds(300)))
            }
            try require(error.code, equals: .timedOut, id, whoIsHurt: "connecting never ends")
        },
        bench.check("connecting-can-be-cancelled", "R-17") { id in
            let request = try bench.request(.silentUpgrade)
            let code = await withTaskGroup(of: WebSocketError.Code?.self) { group in
                group.addTask {
                    do throws(WebSocketError) {
                        _ = try await bench.connector.connect(request)
                        return nil
                    } catch {
                        return error.code
                    }
                }
                group.cancelAll()
                return await group.next() ?? nil
            }
            try require(
                code, equals: .cancelled, id,
                whoIsHurt: "a person who leaves the screen keeps a socket open")
        },
    ]
}
