#if os(Linux)
import RejoinTransport

/// A small WebSocket and STOMP client (RFC 6455) that can also do what it must not.
actor RawWebSocket {
    private let socket: RawSocket
    private var buffer: [UInt8] = []
    private var decoder = StompDecoder(role: .client)
    /// Status and header section of the answer to the upgrade.
    private(set) var handshake = ""

    /// What the server closed with.
    struct Closed: Error, Equatable {
        var code: UInt16?
        var reason = ""
    }

    /// Opens a TCP connection and asks for the upgrade.
    init(
        port: UInt16, path: String = "/ws", token: String? = nil,
        subprotocols: String? = "v12.stomp", receiveBufferBytes: Int32? = nil
    ) async throws {
        socket = try RawSocket(port: port, receiveBufferBytes: receiveBufferBytes)
        var head = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        head += "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        head += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        if let subprotocols { head += "Sec-WebSocket-Protocol: \(subprotocols)\r\n" }
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        try await socket.send(head + "\r\n")
        let end = Array("\r\n\r\n".utf8)
        while buffer.firstRange(of: end) == nil { try await readMore() }
        let upper = buffer.firstRange(of: end)?.upperBound ?? 0
        handshake = String(decoding: buffer[..<upper], as: UTF8.self)
        buffer.removeFirst(upper)
    }

    /// The status of the answer to the upgrade.
    var status: Int { Int(handshake.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    /// The body that followed a refusal.
    func refusalBody() async -> String {
        String(decoding: buffer, as: UTF8.self)
    }

    // MARK: STOMP

    /// CONNECT with a token, and the answer.
    @discardableResult
    func connect(_ token: String?, heartbeat: String = "0,0", version: String = "1.2")
        async throws -> StompFrame
    {
        var headers = [("accept-version", version), ("host", "/"), ("heart-beat", heartbeat)]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        try await send(StompFrame(.connect, headers: StompHeaders(headers)))
        return try await frame()
    }

    /// SUBSCRIBE and its receipt.
    @discardableResult
    func subscribe(_ destination: String, id: String = "0") async throws -> StompFrame {
        try await send(
            StompFrame(
                .subscribe,
                headers: [("id", id), ("destination", destination), ("receipt", "sub-\(id)")]))
        return try await frame()
    }

    func send(_ frame: StompFrame) async throws {
        try await send(text: Array(try StompEncoder().encode(frame)))
    }

    /// The next frame; heart-beats are passed over.
    func frame() async throws -> StompFrame {
        while true {
            while let event = try decoder.next() {
                if case .frame(let frame) = event { return frame }
            }
            decoder.append(try await message())
        }
    }

    // MARK: WebSocket

    func send(text: [UInt8]) async throws { try await send(opcode: 1, text) }

    /// One WebSocket frame, masked as clients must.
    func send(opcode: UInt8, isFinal: Bool = true, _ payload: [UInt8]) async throws {
        try await socket.send(Self.frame(opcode: opcode, isFinal: isFinal, payload))
    }

    /// Ends the stream from this side.
    func end() { socket.endWriting() }

    /// Any bytes.
    func send(raw bytes: [UInt8]) async throws { try await socket.send(bytes) }

    static func frame(opcode: UInt8, isFinal: Bool = true, _ payload: [UInt8]) -> [UInt8] {
        let mask: [UInt8] = [1, 2, 3, 4]
        var bytes: [UInt8] = [opcode | (isFinal ? 0x80 : 0)]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536:
            bytes.append(0x80 | 126)
            bytes += [UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(0x80 | 127)
            bytes += (0..<8).reversed().map {
                UInt8(truncatingIfNeeded: payload.count >> ($0 * 8))
            }
        }
        bytes += mask
        bytes += payload.enumerated().map { $1 ^ mask[$0 % 4] }
        return bytes
    }

    /// The next TEXT or BINARY message.
    ///
    /// - Throws: ``Closed`` when the server closed or the stream ended.
    func message() async throws -> [UInt8] {
        while true {
            let (opcode, payload) = try await wireFrame()
            switch opcode {
            case 1, 2: return payload
            case 8:
                throw Closed(
                    code: payload.count < 2
                        ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1]),
                    reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
            default: continue
            }
        }
    }

    /// The next frame of any kind.
    func wireFrame() async throws -> (opcode: UInt8, payload: [UInt8]) {
        try await need(2)
        let opcode = buffer[0] & 0x0F
        var length = Int(buffer[1] & 0x7F)
        var start = 2
        if length >= 126 {
            let width = length == 126 ? 2 : 8
            try await need(2 + width)
            length = buffer[2..<2 + width].reduce(0) { $0 << 8 | Int($1) }
            start += width
        }
        try await need(start + length)
        let payload = Array(buffer[start..<start + length])
        buffer.removeFirst(start + length)
        return (opcode, payload)
    }

    private func need(_ count: Int) async throws {
        while buffer.count < count { try await readMore() }
    }

    private func readMore() async throws {
        let part: [UInt8]
        do {
            part = try await socket.receive()
        } catch let failure as RawSocket.Failure where failure.isReset {
            part = []
        }
        guard !part.isEmpty else { throw Closed(code: nil, reason: "end of stream") }
        buffer += part
    }
}
#endif
