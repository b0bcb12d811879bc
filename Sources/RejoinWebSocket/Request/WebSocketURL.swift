package import RejoinTransport

/// A checked `ws:` or `wss:` URL (RFC 6455 section 3), split into what a connector needs.
package struct WebSocketURL: Hashable, Sendable {
    /// Whether the connection is encrypted.
    package let isSecure: Bool
    /// The host, without the brackets of an IPv6 literal.
    package let host: String
    /// The port, the scheme's default where the URL names none.
    package let port: UInt16
    /// Path and query, as the request line carries them.
    package let target: String
    /// Whether the host is an IPv6 literal.
    package let isIPv6Literal: Bool

    /// The value of `Host`: with the port where it is not the scheme's default (RFC 9110
    /// section 7.2).
    package var hostHeader: String {
        let name = isIPv6Literal ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Reads a URL.
    ///
    /// - Throws: ``WebSocketError`` with the code `invalid_request`; the text quotes nothing that
    ///   could hold a secret.
    package init(_ text: String) throws(WebSocketError) {
        guard let schemeEnd = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw Self.invalid("has no scheme; it must begin with ws:// or wss://")
        }
        let scheme = text[..<schemeEnd].lowercased()
        switch scheme {
        case "ws": isSecure = false
        case "wss": isSecure = true
        case "http", "https":
            throw Self.invalid(
                "begins with \(scheme)://; write \(scheme == "http" ? "ws" : "wss")://, and for "
                    + "a SockJS end point append /websocket to the path")
        default:
            throw Self.invalid("must begin with ws:// or wss://")
        }
        var rest = text[text.index(after: schemeEnd)...]
        guard rest.hasPrefix("//") else { throw Self.invalid("lacks // after the scheme") }
        rest = rest.dropFirst(2)
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Self.invalid(
                "holds a space, a control character or a character outside ASCII; "
                    + "percent-encode it")
        }
        guard !rest.utf8.contains(UInt8(ascii: "#")) else {
            throw Self.invalid("has a fragment (#…), which RFC 6455 section 3 forbids")
        }
        let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<authorityEnd]
        let path = rest[authorityEnd...]
        target = path.hasPrefix("/") ? String(path) : "/\(path)"
        guard !authority.contains("@") else {
            throw Self.invalid("holds user information (user@host); send credentials in a header")
        }
        let split = try Self.splitAuthority(authority)
        host = split.host
        isIPv6Literal = split.isIPv6
        port = try Self.port(split.port) ?? (isSecure ? 443 : 80)
    }

    private static func splitAuthority(
        _ authority: Substring
    ) throws(WebSocketError) -> (host: String, port: Substring?, isIPv6: Bool) {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else {
                throw invalid("has an IPv6 address without its closing bracket")
            }
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else {
                throw invalid("has something other than a port after its IPv6 address")
            }
            let host = authority[authority.index(after: authority.startIndex)..<end]
            guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
            else { throw invalid("has brackets without an IPv6 address in them") }
            return (String(host), after.isEmpty ? nil : after.dropFirst(), true)
        }
        let colon = authority.firstIndex(of: ":")
        let host = authority[..<(colon ?? authority.endIndex)]
        guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
            throw invalid("has no usable host name")
        }
        return (String(host), colon.map { authority[authority.index(after: $0)...] }, false)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func port(_ text: Substring?) throws(WebSocketError) -> UInt16? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text),
            port > 0
        else { throw invalid("has a port that is not a number from 1 to 65535") }
        return port
    }

    private static func invalid(_ complaint: String) -> WebSocketError {
        WebSocketError(.invalidRequest, "The WebSocket URL \(complaint).")
    }
}
