import RejoinTransport

/// Checks of closing.
func closingChecks(_ bench: WebSocketBench) -> [ContractCheck] {
    let hurt = "the session takes a dead connection for a living one, or the reverse"
    func ended(
        _ behaviour: WebSocketPeerBehaviour, code: UInt16?, reason: String? = nil
    ) -> ContractCheck {
        bench.check("peer-\(behaviour.rawValue)", "R-10") { id in
            let connection = try await bench.open(behaviour)
            let error = try await bench.failure(id, whoIsHurt: hurt) {
                _ = try await connection.receive()
            }
            try require(error.code, equals: .closed, id, whoIsHurt: hurt)
            if let code { try require(error.closeCode, equals: code, id, whoIsHurt: hurt) }
            if let reason { try require(error.closeReason, equals: reason, id, whoIsHurt: hurt) }
            // And it stays ended, for everybody.
            let later = try await bench.failure(id, whoIsHurt: hurt) {
                try await connection.send(.text("late"))
            }
            try require(later.code, equals: .closed, id, whoIsHurt: hurt)
        }
    }
    func violated(_ behaviour: WebSocketPeerBehaviour) -> ContractCheck {
        bench.check("refuses-\(behaviour.rawValue)", "RFC 6455 section 5") { id in
            let connection = try await bench.open(behaviour)
            _ = try await bench.failure(id, whoIsHurt: "garbage is taken for messages") {
                _ = try await connection.receive()
            }
        }
    }
    return [
        ended(.closesNormally, code: 1000, reason: "bye"),
        ended(.closesPrivately, code: 4001, reason: "moved"),
        ended(.closesWithoutCode, code: 1005),
        ended(.closesWithInvalidCode, code: nil),
        ended(.vanishes, code: 1006),
        ended(.vanishesInFrame, code: 1006),
        ended(.resetsInFrame, code: 1006),
        violated(.reservedOpcode),
        violated(.strayContinuation),
        bench.check("a-message-before-the-close-is-delivered", "P1") { id in
            let connection = try await bench.open(.closesAfterMessage)
            try require(
                try await connection.receive(), equals: .text("last"), id,
                whoIsHurt: "the last message of a server that restarts is lost")
            let error = try await bench.failure(id, whoIsHurt: hurt) {
                _ = try await connection.receive()
            }
            try require(error.closeCode, equals: 1001, id, whoIsHurt: hurt)
        },
        bench.check("own-close-code-arrives", "R-34") { id in
            for (code, reason) in [
                (UInt16(1000), "done"), (4000, String(repeating: "é", count: 80)),
            ] {
                let connection = try await bench.open(.echo)
                await connection.close(code: code, reason: reason, timeout: .seconds(20))
                // Twice is once.
                await connection.close(code: code, reason: reason, timeout: .seconds(20))
                let seen = try await bench.observation(id, of: .echo)
                try require(seen.closeCode, equals: code, id, whoIsHurt: hurt)
                if bench.peer.isOnTheWire {
                    try require(
                        seen.closeReason, equals: String(reason.prefix(61)), id, whoIsHurt: hurt)
                }
                let error = try await bench.failure(id, whoIsHurt: hurt) {
                    _ = try await connection.receive()
                }
                try require(error.code, equals: .closed, id, whoIsHurt: hurt)
            }
        },
        bench.check("sends-precede-the-close", "P5") { id in
            let connection = try await bench.open(.echo)
            for number in 0..<20 { try await connection.send(.text("\(number)")) }
            await connection.close(code: 1000, reason: "", timeout: .seconds(20))
            try require(
                try await bench.observation(id, of: .echo).messages, equals: 20, id,
                whoIsHurt: "what was sent before leaving is lost")
        },
        bench.check("close-is-bounded", "R-17") { id in
            let connection = try await bench.open(.mute)
            await connection.close(code: 1000, reason: "", timeout: .milliseconds(200))
            let error = try await bench.failure(id, whoIsHurt: hurt) {
                _ = try await connection.receive()
            }
            try require(error.code, equals: .closed, id, whoIsHurt: hurt)
        },
        bench.check("abandon-frees-everybody", "DESIGN 4") { id in
            let connection = try await bench.open(.mute)
            try await withThrowingTaskGroup(of: WebSocketError.Code.self) { group in
                group.addTask {
                    try await bench.failure(id, whoIsHurt: hurt) {
                        _ = try await connection.receive()
                    }.code
                }
                group.addTask {
                    try await bench.failure(id, whoIsHurt: hurt) { try await connection.ping() }
                        .code
                }
                connection.abandon()
                connection.abandon()
                for try await code in group {
                    try require(code, equals: .closed, id, whoIsHurt: hurt)
                }
            }
            _ = try await bench.observation(id, of: .mute)
        },
        bench.check("a-dropped-connection-leaves", "R-33") { id in
            do { _ = try await bench.open(.mute) }
            _ = try await bench.observation(id, of: .mute)
        },
    ]
}

/// Checks of pings and of cancellation.
func livenessChecks(_ bench: WebSocketBench) -> [ContractCheck] {
    let hurt = "a dead connection is found too late, or a living one is dropped"
    return [
        bench.check("ping-returns-with-its-pong", "R-30") { id in
            let connection = try await bench.open(.echo)
            for _ in 0..<3 { try await connection.ping() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { try await connection.ping() } }
                try await connection.send(.text("between"))
                try require(
                    try await connection.receive(), equals: .text("between"), id, whoIsHurt: hurt)
                try await group.waitForAll()
            }
            connection.abandon()
        },
        bench.check("ping-of-an-ended-connection-fails", "R-31") { id in
            let connection = try await bench.open(.echo)
            await connection.close(code: 1000, reason: "", timeout: .seconds(20))
            let error = try await bench.failure(id, whoIsHurt: hurt) {
                try await connection.ping()
            }
            try require(error.code, equals: .closed, id, whoIsHurt: hurt)
        },
        bench.check("ping-flood-is-survived", "P7") { id in
            let connection = try await bench.open(.pingFlood)
            try require(
                try await connection.receive(), equals: .text("done"), id, whoIsHurt: hurt)
            try await connection.send(.text("alive"))
            try require(
                try await connection.receive(), equals: .text("alive"), id, whoIsHurt: hurt)
            connection.abandon()
        },
        bench.check("a-cancelled-reader-loses-nothing", "P1") { id in
            let connection = try await bench.open(.echo)
            for number in 0..<20 {
                let code = await withTaskGroup(of: WebSocketError.Code?.self) { group in
                    group.addTask {
                        do throws(WebSocketError) {
                            _ = try await connection.receive()
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                    group.cancelAll()
                    return await group.next() ?? nil
                }
                try require(
                    code, equals: .cancelled, id, whoIsHurt: "a task that is over never ends")
                try await connection.send(.text("\(number)"))
                try require(
                    try await connection.receive(), equals: .text("\(number)"), id,
                    whoIsHurt: "a message goes to a reader that is gone")
            }
            connection.abandon()
        },
        bench.check("a-cancelled-ping-goes", "R-35") { id in
            let connection = try await bench.open(.mute)
            let error = await withTaskGroup(of: WebSocketError?.self) { group in
                group.addTask {
                    do throws(WebSocketError) {
                        try await connection.ping()
                        return nil
                    } catch {
                        return error
                    }
                }
                group.cancelAll()
                return await group.next() ?? nil
            }
            try require(error?.code, equals: .cancelled, id, whoIsHurt: "tasks pile up")
            connection.abandon()
        },
    ]
}
