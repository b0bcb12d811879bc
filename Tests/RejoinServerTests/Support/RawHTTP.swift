#if os(Linux)
import RejoinWire

/// A small HTTP/1.1 client over one kept connection.
actor RawHTTP {
    private let socket: RawSocket
    private var buffer: [UInt8] = []

    struct Unreadable: Error {}

    init(port: UInt16) throws {
        socket = try RawSocket(port: port)
    }

    /// Sends a request as a format wrote it and reads the response.
    func response(to request: HTTPRequest, token: String?) async throws -> HTTPResponse {
        var head = "\(request.method) \(request.path)"
        for (index, item) in request.query.enumerated() {
            head += "\(index == 0 ? "?" : "&")\(item.name)=\(item.value)"
        }
        head += " HTTP/1.1\r\nHost: localhost\r\ncontent-length: \(request.body.count)\r\n"
        for field in request.headers.fields { head += "\(field.name): \(field.value)\r\n" }
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        return try await response(toRaw: Array((head + "\r\n").utf8) + request.body)
    }

    /// Sends bytes and reads one response.
    func response(toRaw bytes: [UInt8]) async throws -> HTTPResponse {
        try await socket.send(bytes)
        return try await response()
    }

    /// Reads one response.
    func response() async throws -> HTTPResponse {
        let end = Array("\r\n\r\n".utf8)
        var headEnd: Int?
        while headEnd == nil {
            headEnd = buffer.firstRange(of: end)?.upperBound
            if headEnd == nil { try await readMore() }
        }
        let head = String(decoding: buffer[..<(headEnd ?? 0)], as: UTF8.self)
        buffer.removeFirst(headEnd ?? 0)
        let lines = head.split(separator: "\r\n").map(String.init)
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw Unreadable() }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append(String(parts[0]), String(parts.dropFirst().first ?? "").trimmed)
        }
        let length = headers["content-length"].flatMap(Int.init) ?? 0
        while buffer.count < length { try await readMore() }
        let body = ContiguousArray(buffer[..<length])
        buffer.removeFirst(length)
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    private func readMore() async throws {
        let part = try await socket.receive()
        guard !part.isEmpty else { throw Unreadable() }
        buffer += part
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
#endif
