import RejoinTime
import RejoinTransport

/// Checks of messages.
func messageChecks(_ bench: WebSocketBench) -> [ContractCheck] {
    let hurt = "messages are lost or damaged"
    return [
        bench.check("messages-come-back-as-they-went", "P1") { id in
            let connection = try await bench.open(.echo)
            for length in [0, 1, 125, 126, 127, 128, 65_535, 65_536, 65_537, 131_072] {
                for message in [
                    WebSocketMessage.binary(makePattern(length)),
                    .text(ContiguousArray(repeating: 0x61, count: length)),
                ] {
                    try await connection.send(message)
                    let answer = try await connection.receive()
                    try require(
                        answer == message, id, expected: "\(length) bytes, the same",
                        got: "\(answer.bytes.count) bytes, others", whoIsHurt: hurt)
                }
            }
            await connection.close(code: 1000, reason: "", timeout: .seconds(20))
            let seen = try await bench.observation(id, of: .echo)
            try require(
                seen.wasMasked, id, expected: "masked frames", got: "an unmasked one",
                whoIsHurt: "servers close with 1002")
        },
        bench.check("text-beyond-ascii", "P1") { id in
            let connection = try await bench.open(.echo)
            let message = WebSocketMessage.text("e\u{301} 안녕 👩‍👩‍👧‍👦 \u{10FFFF}\u{0}\r\n")
            try await connection.send(message)
            try require(
                try await connection.receive(), equals: message, id, whoIsHurt: hurt)
            connection.abandon()
        },
        bench.check("sixteen-mebibytes-both-ways", "R-43") { id in
            let connection = try await bench.open(.echo, maximumMessageBytes: 16 << 20)
            let message = WebSocketMessage.binary(makePattern(16 << 20))
            try await connection.send(message)
            let answer = try await connection.receive()
            try require(
                answer == message, id, expected: "16 MiB, the same",
                got: "\(answer.bytes.count) bytes, others", whoIsHurt: hurt)
            connection.abandon()
        },
        bench.check("order-is-kept", "P3") { id in
            let connection = try await bench.open(.echo)
            for number in 0..<500 { try await connection.send(.text("\(number)")) }
            for number in 0..<500 {
                try require(
                    try await connection.receive(), equals: .text("\(number)"), id,
                    whoIsHurt: "conversations read backwards")
            }
            connection.abandon()
        },
        bench.check("fragments-are-joined", "DESIGN 4") { id in
            let connection = try await bench.open(.fragments)
            try require(
                try await connection.receive(), equals: .text("héllo"), id, whoIsHurt: hurt)
            connection.abandon()
        },
        bench.check("sends-may-overlap", "R-35") { id in
            let connection = try await bench.open(.echo)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask { try await connection.send(.text("\(number)")) }
                }
                try await group.waitForAll()
            }
            var seen: [Int] = []
            for _ in 0..<50 {
                let bytes = try await connection.receive().bytes
                seen.append(Int(String(decoding: bytes, as: UTF8.self)) ?? -1)
            }
            try require(seen.sorted(), equals: Array(0..<50), id, whoIsHurt: hurt)
            connection.abandon()
        },
    ]
}

/// Checks of sizes and of broken messages.
func limitChecks(_ bench: WebSocketBench) -> [ContractCheck] {
    func refused(
        _ behaviour: WebSocketPeerBehaviour, _ code: WebSocketError.Code, closeCode: UInt16?,
        whoIsHurt: String
    ) -> ContractCheck {
        bench.check("refuses-\(behaviour.rawValue)", "RFC 6455") { id in
            let connection = try await bench.open(behaviour)
            let error = try await bench.failure(id, whoIsHurt: whoIsHurt) {
                _ = try await connection.receive()
            }
            try require(error.code, equals: code, id, whoIsHurt: whoIsHurt)
            guard let closeCode else { return }
            let seen = try await bench.observation(id, of: behaviour)
            try require(
                seen.closeCode, equals: closeCode, id,
                whoIsHurt: "the server's engineers cannot see why clients leave")
        }
    }
    let memory = "a hostile or careless server fills a phone's memory"
    let text = "texts with replacement characters are stored for good"
    return [
        refused(.oversize, .messageTooLarge, closeCode: 1009, whoIsHurt: memory),
        refused(.oversizeFragments, .messageTooLarge, closeCode: 1009, whoIsHurt: memory),
        refused(.hugeAnnouncement, .messageTooLarge, closeCode: 1009, whoIsHurt: memory),
        refused(.invalidText, .protocolViolation, closeCode: 1007, whoIsHurt: text),
        refused(.truncatedText, .protocolViolation, closeCode: 1007, whoIsHurt: text),
        bench.check("maximum-itself-is-taken", "RFC 6455") { id in
            let connection = try await bench.open(.echo, maximumMessageBytes: 100_000)
            let message = WebSocketMessage.binary(makePattern(100_000))
            try await connection.send(message)
            try require(
                try await connection.receive() == message, id, expected: "the message",
                got: "another", whoIsHurt: "messages of the permitted size fail")
            connection.abandon()
        },
        bench.check("a-slow-reader-slows-the-peer", "P7") { id in
            let connection = try await bench.open(.flood, maximumMessageBytes: 1 << 20)
            // Nothing is read until the peer stands still.
            var turns = 0
            while !bench.peer.hasHadToWait(.flood), turns < 300 {
                try await SystemTime().sleep(for: .milliseconds(100))
                turns += 1
            }
            try require(
                turns < 300, id, expected: "the peer's socket full while nobody reads",
                got: "64 MiB taken in", whoIsHurt: memory)
            for _ in 0..<64 {
                let count = try await connection.receive().bytes.count
                try require(count, equals: 1 << 20, id, whoIsHurt: "messages are lost")
            }
            connection.abandon()
        },
        bench.check("a-slow-peer-slows-sends", "P7") { id in
            let connection = try await bench.open(.neverReads)
            let sent = await withTaskGroup(of: Int?.self) { group in
                group.addTask {
                    var sent = 0
                    let message = WebSocketMessage.binary(makePattern(1 << 20))
                    while sent < 64, (try? await connection.send(message)) != nil { sent += 1 }
                    return sent
                }
                group.addTask {
                    try? await SystemTime().sleep(for: .seconds(1))
                    connection.abandon()
                    return nil
                }
                var sent = 0
                for await count in group { sent += count ?? 0 }
                return sent
            }
            try require(
                sent < 64, id, expected: "sends that wait", got: "64 MiB taken by nobody",
                whoIsHurt: memory)
        },
    ]
}

/// Bytes in which every place can be told from its neighbours.
private func makePattern(_ count: Int) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>()
    bytes.reserveCapacity(count)
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: index &* 31 &+ index >> 8)) }
    return bytes
}
