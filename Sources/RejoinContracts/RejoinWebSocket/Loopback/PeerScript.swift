/// Plays one behaviour on one connection.
struct PeerScript {
    let connection: PeerSocket
    let request: PeerRequest
    var observation: WebSocketPeerObservation

    init(connection: PeerSocket, request: PeerRequest) {
        self.connection = connection
        self.request = request
        observation = WebSocketPeerObservation(headers: request.headers)
    }

    mutating func run(_ behaviour: WebSocketPeerBehaviour) throws {
        switch behaviour {
        case .echo:
            try accept(subprotocol: firstOffered)
            try echo()
        case .echoWithoutSubprotocol:
            try accept()
            try echo()
        case .unofferedSubprotocol:
            try accept(subprotocol: "unasked.example")
            try echo()
        case .refusal401, .refusal403, .refusal503, .redirect, .page, .longRefusal, .wrongAccept,
            .missingAccept, .unofferedExtension, .endlessHeader, .noHTTP, .endsDuringUpgrade,
            .silentUpgrade:
            try refuse(behaviour)
        case .eager, .drip, .fragments, .oversize, .oversizeFragments, .hugeAnnouncement,
            .invalidText, .truncatedText, .pingFlood, .flood, .reservedOpcode, .strayContinuation:
            try talk(behaviour)
        case .closesNormally, .closesPrivately, .closesWithoutCode, .closesWithInvalidCode,
            .closesAfterMessage, .vanishes, .vanishesInFrame, .resetsInFrame, .mute, .neverReads:
            try leave(behaviour)
        }
    }

    // MARK: - Before the upgrade

    private func refuse(_ behaviour: WebSocketPeerBehaviour) throws {
        switch behaviour {
        case .refusal401:
            let body = #"{"code":"token_expired"}"#
            try connection.write(
                Array(
                    "HTTP/1.1 401 Unauthorized\r\nContent-Length: \(body.utf8.count)\r\n\r\n".utf8))
            try connection.write(Array(body.utf8))
        case .refusal403:
            try connection.write(
                Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".utf8))
        case .refusal503:
            try connection.write(
                Array(
                    "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nbusy".utf8))
        case .redirect:
            try connection.write(
                Array(
                    "HTTP/1.1 301 Moved\r\nLocation: /echo\r\nContent-Length: 0\r\n\r\n".utf8))
        case .page:
            try connection.write(
                Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>".utf8))
        case .longRefusal:
            let chunk = Array("400\r\n".utf8) + [UInt8](repeating: 0x61, count: 1024) + [13, 10]
            try connection.write(
                Array("HTTP/1.1 401 Unauthorized\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
            for _ in 0..<64 { try connection.write(chunk) }
            try connection.write(Array("0\r\n\r\n".utf8))
        case .wrongAccept:
            try answer(accept: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        case .missingAccept:
            try answer(accept: nil)
        case .unofferedExtension:
            try answer(accept: acceptValue, extra: "Sec-WebSocket-Extensions: x-unasked\r\n")
        case .endlessHeader:
            try answer(
                accept: acceptValue,
                extra: "X-Long: \(String(repeating: "a", count: 65_536))\r\n")
        case .noHTTP:
            try connection.write(Array("220 mail.example ESMTP\r\n\r\n".utf8))
        default:
            break
        }
        if behaviour != .endsDuringUpgrade { connection.drain() }
    }

    // MARK: - Messages

    private mutating func talk(_ behaviour: WebSocketPeerBehaviour) throws {
        switch behaviour {
        case .eager:
            try connection.write(
                Array(answerText(accept: acceptValue).utf8) + text("one").bytes
                    + text("two").bytes)
            return try echo()
        case .drip:
            for byte in Array(answerText(accept: acceptValue).utf8) + text("drip").bytes {
                try connection.write([byte])
            }
            return try echo()
        default:
            try accept()
        }
        switch behaviour {
        case .fragments:
            let bytes = Array("héllo".utf8)
            try connection.write(
                PeerFrame(opcode: PeerFrame.text, payload: Array(bytes[..<1]), isFinal: false))
            try connection.write(PeerFrame(opcode: PeerFrame.ping, payload: [1]))
            try connection.write(
                PeerFrame(
                    opcode: PeerFrame.continuation, payload: Array(bytes[1..<2]), isFinal: false))
            try connection.write(
                PeerFrame(opcode: PeerFrame.continuation, payload: Array(bytes[2...])))
        case .oversize:
            try connection.write(
                PeerFrame(
                    opcode: PeerFrame.binary, payload: [UInt8](repeating: 1, count: 2_000_000)))
        case .oversizeFragments:
            for index in 0..<2000 {
                try connection.write(
                    PeerFrame(
                        opcode: index == 0 ? PeerFrame.binary : PeerFrame.continuation,
                        payload: [UInt8](repeating: 1, count: 1000), isFinal: index == 1999))
            }
        case .hugeAnnouncement:
            try connection.write(
                PeerFrame.header(opcode: PeerFrame.binary, length: 1 << 62)
                    + [UInt8](repeating: 1, count: 131_072))
        case .invalidText:
            try connection.write(PeerFrame(opcode: PeerFrame.text, payload: [0x61, 0xC0, 0x80]))
        case .truncatedText:
            try connection.write(PeerFrame(opcode: PeerFrame.text, payload: [0x61, 0xE2, 0x82]))
        case .pingFlood:
            let pings = (0..<100).flatMap { _ in
                PeerFrame(opcode: PeerFrame.ping, payload: [1, 2, 3]).bytes
            }
            for _ in 0..<100 { try connection.write(pings) }
            try connection.write(text("done"))
        case .flood:
            let message = PeerFrame(
                opcode: PeerFrame.binary, payload: [UInt8](repeating: 7, count: 1 << 20))
            let bytes = message.bytes
            for _ in 0..<64 { try connection.write(bytes) }
        case .reservedOpcode:
            try connection.write(PeerFrame(opcode: 3, payload: [1]))
        case .strayContinuation:
            try connection.write(PeerFrame(opcode: PeerFrame.continuation, payload: [1]))
        default:
            break
        }
        try echo()
    }

    // MARK: - Endings

    private mutating func leave(_ behaviour: WebSocketPeerBehaviour) throws {
        try accept()
        switch behaviour {
        case .closesNormally: try close(1000, "bye")
        case .closesPrivately: try close(4001, "moved")
        case .closesWithoutCode:
            try connection.write(PeerFrame(opcode: PeerFrame.close, payload: []))
            try echo()
        case .closesWithInvalidCode: try close(999, "")
        case .closesAfterMessage:
            try connection.write(text("last"))
            try close(1001, "")
        case .vanishesInFrame:
            try connection.write(
                PeerFrame.header(opcode: PeerFrame.text, length: 100) + [0x61, 0x62])
        case .resetsInFrame:
            try connection.write(
                PeerFrame.header(opcode: PeerFrame.text, length: 100) + [0x61, 0x62])
            connection.resetOnClose()
        case .mute: connection.drain()
        case .neverReads: connection.waitForHangUp()
        default: break
        }
    }

    private mutating func close(_ code: UInt16, _ reason: String) throws {
        try connection.write(
            PeerFrame(
                opcode: PeerFrame.close,
                payload: [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Array(reason.utf8)))
        try echo()
    }

    // MARK: - Common parts

    /// Returns messages and answers control frames until a close frame or the end.
    private mutating func echo() throws {
        var message: [UInt8] = []
        var opcode = PeerFrame.text
        while true {
            let frame = try connection.readFrame()
            if !frame.isMasked { observation.wasMasked = false }
            switch frame.opcode {
            case PeerFrame.ping:
                try connection.write(PeerFrame(opcode: PeerFrame.pong, payload: frame.payload))
            case PeerFrame.pong:
                break
            case PeerFrame.close:
                if frame.payload.count >= 2 {
                    observation.closeCode = UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1])
                    observation.closeReason = String(
                        decoding: frame.payload.dropFirst(2), as: UTF8.self)
                }
                // Where this side has closed first, the client is gone after its answer.
                try connection.write(
                    PeerFrame(opcode: PeerFrame.close, payload: Array(frame.payload.prefix(2))))
                return
            default:
                observation.fragments += 1
                if frame.opcode != PeerFrame.continuation {
                    opcode = frame.opcode
                    message = []
                }
                message += frame.payload
                guard frame.isFinal else { continue }
                observation.messages += 1
                try connection.write(PeerFrame(opcode: opcode, payload: message))
            }
        }
    }

    private func text(_ content: String) -> PeerFrame {
        PeerFrame(opcode: PeerFrame.text, payload: Array(content.utf8))
    }

    private var firstOffered: String? {
        request.headers["sec-websocket-protocol"]?
            .split(separator: ",").first.map { String($0.filter { $0 != " " }) }
    }

    private var acceptValue: String {
        upgradeAccept(key: request.headers["sec-websocket-key"] ?? "")
    }

    private func accept(subprotocol: String? = nil) throws {
        try answer(
            accept: acceptValue,
            extra: subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? "")
    }

    private func answer(accept: String?, extra: String = "") throws {
        try connection.write(Array(answerText(accept: accept, extra: extra).utf8))
    }

    private func answerText(accept: String?, extra: String = "") -> String {
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + (accept.map { "Sec-WebSocket-Accept: \($0)\r\n" } ?? "") + extra + "\r\n"
    }
}
