#if os(Linux)
import CLibWebSockets
import RejoinWire

/// Reads what libwebsockets has parsed of a request.
struct RequestReader {
    let wsi: OpaquePointer

    /// The request without its body; `nil` where the method is none that we know.
    func request() -> HTTPRequest? {
        var path: UnsafeMutablePointer<CChar>?
        var length: Int32 = 0
        let method = lws_http_get_uri_and_method(wsi, &path, &length)
        guard method >= 0, Int(method) < Self.methods.count, let path else { return nil }
        let bytes = UnsafeRawBufferPointer(start: path, count: Int(length))
        var request = HTTPRequest(
            HTTPMethod(Self.methods[Int(method)]), Self.percentEncoded(bytes), query: query())
        if let type = header(WSI_TOKEN_HTTP_CONTENT_TYPE) {
            request.headers["content-type"] = type
        }
        return request
    }

    /// The path alone, decoded.
    var path: String {
        header(WSI_TOKEN_GET_URI) ?? ""
    }

    /// A header that libwebsockets knows; `nil` where it is absent or empty.
    func header(_ token: lws_token_indexes) -> String? {
        let length = lws_hdr_total_length(wsi, token)
        guard length > 0 else { return nil }
        return text(capacity: length) { lws_hdr_copy(wsi, $0, $1, token) }
    }

    /// The token, in either of the headers that carry one.
    var token: String? {
        header(WSI_TOKEN_HTTP_AUTHORIZATION).flatMap(Credentials.bearer)
            ?? header(WSI_TOKEN_X_AUTH_TOKEN)
    }

    private func query() -> [HTTPQueryItem] {
        var items: [HTTPQueryItem] = []
        let length = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_URI_ARGS)
        guard length > 0 else { return items }
        while let field = text(
            capacity: length,
            { lws_hdr_copy_fragment(wsi, $0, $1, WSI_TOKEN_HTTP_URI_ARGS, Int32(items.count)) })
        {
            let parts = field.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            items.append(
                HTTPQueryItem(String(parts[0]), parts.count > 1 ? String(parts[1]) : ""))
        }
        return items
    }

    /// `nil` where `copy` says that there is nothing.
    private func text(
        capacity: Int32, _ copy: (UnsafeMutablePointer<CChar>, Int32) -> Int32
    ) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(capacity) + 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let length = copy(start, capacity + 1)
            guard length >= 0 else { return nil }
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static let methods = [
        "GET", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "HEAD",
    ]

    /// Whether bytes, or the rest of a line whose beginning came before, may begin with a method
    /// (RFC 9110 section 9.1, a token).
    static func beginsWithMethod(_ bytes: some Sequence<UInt8>) -> Bool {
        var isEmpty = true
        for byte in bytes {
            switch byte {
            case UInt8(ascii: " "): return !isEmpty
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                isEmpty = false
            default:
                guard "!#$%&'*+-.^_`|~".utf8.contains(byte) else { return false }
                isEmpty = false
            }
        }
        return !isEmpty
    }

    /// libwebsockets decodes paths; formats expect them encoded (RFC 3986 section 2.1).
    static func percentEncoded(_ path: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in path {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                encoded.append(byte)
            default:
                encoded += [
                    UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)],
                ]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
#endif
