import RejoinTransport

/// Checks of the upgrade.
func openingChecks(_ bench: WebSocketBench) -> [ContractCheck] {
    [
        bench.check("upgrade-headers-arrive", "R-15") { id in
            try bench.requireWire()
            let connection = try await bench.connector.connect(
                bench.request(
                    .echo,
                    headers: [.init("X-Auth-Token", "one two;three"), .init("X-Empty", "")]))
            await connection.close(code: 1000, reason: "", timeout: .seconds(20))
            let seen = try await bench.observation(id, of: .echo)
            try require(
                seen.headers["x-auth-token"], equals: "one two;three", id,
                whoIsHurt: "servers that authenticate the upgrade refuse everybody")
            try require(
                seen.headers["host"].map { bench.peer.url(.echo).contains("//\($0)/") } ?? false,
                id, expected: "Host with the port of the URL",
                got: seen.headers["host"] ?? "no Host",
                whoIsHurt: "virtual hosts on other ports are not found")
            try require(
                seen.headers["sec-websocket-extensions"], equals: nil, id,
                whoIsHurt: "an extension that is offered must be spoken")
        },
        bench.check("header-injection-is-refused", "DESIGN 4") { id in
            try bench.requireWire()
            for value in ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b"] {
                let error = try await bench.failure(
                    id, whoIsHurt: "whoever writes a display name writes header fields"
                ) {
                    _ = try await bench.connector.connect(
                        bench.request(.echo, headers: [.init("X-Name", value)]))
                }
                try require(
                    error.code, equals: .invalidRequest, id,
                    whoIsHurt: "the host retries a request that can never be sent")
                try require(
                    !error.message.contains("X-Evil"), id, expected: "a text without the value",
                    got: error.message, whoIsHurt: "secrets end up in logs")
            }
        },
        bench.check("invalid-urls-are-refused", "R-42") { id in
            try bench.requireWire()
            for url in [
                "", "http://localhost/", "ws:/localhost", "ws://", "ws://a b/", "ws://u:p@host/",
                "ws://host:0/", "ws://host:70000/", "ws://host/#part",
            ] {
                let error = try await bench.failure(
                    id, whoIsHurt: "a typing error looks like a broken network"
                ) { _ = try await bench.connector.connect(WebSocketRequest(url: url)) }
                try require(
                    error.code, equals: .invalidRequest, "\(id) \(url)",
                    whoIsHurt: "a typing error looks like a broken network")
            }
        },
        bench.check("first-subprotocol-is-offered-first", "R-41") { id in
            let connection = try await bench.open(
                .echo, subprotocols: ["v12.stomp", "v11.stomp", "v10.stomp"])
            try require(
                connection.subprotocol, equals: "v12.stomp", id,
                whoIsHurt: "the session speaks an older version than it could")
            connection.abandon()
        },
        bench.check("no-chosen-subprotocol-is-tolerated", "R-41") { id in
            let connection = try await bench.open(
                .echoWithoutSubprotocol, subprotocols: ["v12.stomp"])
            try require(
                connection.subprotocol, equals: nil, id,
                whoIsHurt: "servers that do not negotiate cannot be used")
            connection.abandon()
        },
        bench.check("unoffered-subprotocol-fails", "R-41") { id in
            for offered in [["v12.stomp"], []] {
                let error = try await bench.failure(
                    id, whoIsHurt: "the session speaks STOMP to a server that does not"
                ) { _ = try await bench.open(.unofferedSubprotocol, subprotocols: offered) }
                try require(
                    error.code, equals: .subprotocolMismatch, id,
                    whoIsHurt: "the host cannot tell a wrong end point from a broken one")
            }
        },
        bench.check("frames-with-the-upgrade-are-kept", "stomp.md 4") { id in
            let connection = try await bench.open(.eager)
            for expected in ["one", "two"] {
                try require(
                    try await connection.receive(), equals: .text(expected), id,
                    whoIsHurt: "a fast server's first messages are lost")
            }
            connection.abandon()
        },
        bench.check("bytes-may-come-one-by-one", "stomp.md 4") { id in
            let connection = try await bench.open(.drip)
            try require(
                try await connection.receive(), equals: .text("drip"), id,
                whoIsHurt: "people on bad networks cannot connect")
            connection.abandon()
        },
        bench.check("connecting-again-works", "R-11") { id in
            for _ in 0..<20 {
                let connection = try await bench.open(.echo)
                try await connection.send(.text("again"))
                try require(
                    try await connection.receive(), equals: .text("again"), id,
                    whoIsHurt: "whoever reconnects stays silent")
                connection.abandon()
            }
        },
    ]
}
