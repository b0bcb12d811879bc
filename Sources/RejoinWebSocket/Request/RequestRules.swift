package import RejoinTransport

/// What every connector refuses before it opens a socket.
package enum RequestRules {
    /// The most bytes that names and values of header fields may take together.
    static let maximumHeaderBytes = 16 << 10

    /// Checks header fields, subprotocols and the message limit.
    ///
    /// A line break in a value would let whoever controls it write header fields of their own;
    /// the handshake's own fields are not the caller's to set.
    ///
    /// - Throws: ``WebSocketError`` with the code `invalid_request`; the text never holds a value.
    package static func check(_ request: WebSocketRequest) throws(WebSocketError) {
        var total = 0
        for field in request.headers {
            try check(field)
            total += field.name.utf8.count + field.value.utf8.count + 4
        }
        guard total <= maximumHeaderBytes else {
            throw invalid(
                "The header fields take \(total) bytes; the limit is \(maximumHeaderBytes). "
                    + "Send less in the upgrade request.")
        }
        var seen: Set<String> = []
        for name in request.subprotocols {
            guard isToken(name) else {
                throw invalid(
                    "A subprotocol name is empty or holds a character that is not allowed in an "
                        + "HTTP token.")
            }
            guard seen.insert(name).inserted else {
                throw invalid(
                    "The subprotocol \(name) is offered twice, which RFC 6455 section 4.1 forbids."
                )
            }
        }
        guard request.maximumMessageBytes > 0 else {
            throw invalid("maximumMessageBytes must be positive.")
        }
    }

    private static func check(
        _ field: WebSocketRequest.HeaderField
    ) throws(WebSocketError) {
        guard isToken(field.name) else {
            throw invalid(
                "The name of a header field is empty or holds a character that is not allowed "
                    + "there.")
        }
        guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw invalid(
                "The value of the header field \(field.name) holds a line break, NUL or another "
                    + "control character. Remove it.")
        }
        let name = field.name.lowercased()
        guard !reserved.contains(name), !name.hasPrefix("sec-websocket-") else {
            throw invalid(
                "The header field \(field.name) belongs to the handshake and cannot be set; "
                    + "subprotocols have a setting of their own.")
        }
    }

    private static let reserved: Set<String> = [
        "host", "upgrade", "connection", "content-length", "transfer-encoding",
    ]

    /// Whether `text` is a token of RFC 9110 section 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    static func invalid(_ message: String) -> WebSocketError {
        WebSocketError(.invalidRequest, message)
    }
}
