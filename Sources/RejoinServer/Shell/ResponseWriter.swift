#if os(Linux)
import CLibWebSockets
import RejoinWire

/// Puts a response on the wire in one piece: header section and body in one buffer, one write.
enum ResponseWriter {
    /// The bytes of a response (RFC 9112), after the room that libwebsockets wants before them.
    static func bytes(_ response: HTTPResponse, closing: Bool) -> ContiguousArray<UInt8> {
        var head = "HTTP/1.1 \(response.status) \(reason(response.status))\r\n"
        for field in response.headers.fields {
            head += "\(field.name): \(field.value)\r\n"
        }
        head += "content-length: \(response.body.count)\r\ncache-control: no-store\r\n"
        if closing { head += "connection: close\r\n" }
        head += "\r\n"
        let padding = rejoin_server_padding()
        var bytes = ContiguousArray<UInt8>()
        bytes.reserveCapacity(padding + head.utf8.count + response.body.count)
        bytes.append(contentsOf: repeatElement(0, count: padding))
        bytes.append(contentsOf: head.utf8)
        bytes.append(contentsOf: response.body)
        return bytes
    }

    /// Hands the response to libwebsockets, which keeps what the socket does not take at once.
    ///
    /// - Returns: What the callback must return: 0 to go on with the connection, -1 to end it.
    static func write(_ response: HTTPResponse, to wsi: OpaquePointer, closing: Bool) -> Int32 {
        guard send(response, to: wsi, closing: closing) else { return -1 }
        return closing || lws_http_transaction_completed(wsi) != 0 ? -1 : 0
    }

    /// As ``write(_:to:closing:)``, but leaves it to the caller to complete the transaction.
    static func send(_ response: HTTPResponse, to wsi: OpaquePointer, closing: Bool) -> Bool {
        var bytes = bytes(response, closing: closing)
        let padding = rejoin_server_padding()
        return bytes.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return lws_write(
                wsi, start + padding, buffer.count - padding, LWS_WRITE_HTTP_HEADERS) >= 0
        }
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
#endif
