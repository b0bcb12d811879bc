import Foundation
import RejoinModel
import RejoinWire

/// Where the requests of an exchange go, and what no request may bring.
struct RequestOrigin: Sendable {
    private let text: String

    /// Takes an `http:` or `https:` URL with a host, without user, query and fragment.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            url.host?.isEmpty == false, url.user == nil, url.password == nil, url.query == nil,
            url.fragment == nil
        else { return nil }
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        self.text = text
    }

    /// The URL of a request.
    ///
    /// - Throws: `rejected` where the request would not arrive as what it is: a path that is not
    ///   absolute would change the host, a line end in a header would add another.
    /// - Complexity: O(length of the target and the headers).
    func url(of request: HTTPRequest) throws(BackendFailure) -> String {
        guard request.method.rawValue.isToken else {
            throw BackendFailure(.rejected, "the request's method is no token (RFC 9110, 5.6.2)")
        }
        let target = request.target
        guard target.utf8.first == UInt8(ascii: "/"),
            target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else {
            throw BackendFailure(
                .rejected, "the request's path is not absolute or not percent-encoded")
        }
        for (index, field) in request.headers.fields.enumerated() {
            guard field.name.isToken else {
                throw BackendFailure(
                    .rejected, "the name of header field \(index + 1) is no token")
            }
            guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                throw BackendFailure(
                    .rejected, "header field \(index + 1) holds CR, LF or NUL; take them out")
            }
        }
        return text + target
    }
}

extension String {
    /// Whether this is a token (RFC 9110 section 5.6.2), as methods and field names must be.
    var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
