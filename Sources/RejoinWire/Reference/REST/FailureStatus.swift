import RejoinJSON
public import RejoinModel
import RejoinTime

private enum FailureField: String, JSONField {
    case code, message, retryMilliseconds
    static let table = JSONFieldTable<Self>()
}

extension BackendFailure.Code {
    /// A known route asked with a method that it does not have (405).
    public static let methodNotAllowed = BackendFailure.Code("method_not_allowed")
    /// A method that the server has on no route (501; RFC 9110 section 9.1).
    public static let methodNotImplemented = BackendFailure.Code("method_not_implemented")

    /// The HTTP status of a failure. Codes that only a client can have are the server's fault when
    /// a server sends them.
    var status: Int {
        switch self {
        case .tokenExpired, .tokenInvalid: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .conflict: 409
        case .gone: 410
        case .tooLarge: 413
        case .rateLimited: 429
        case .methodNotImplemented: 501
        case .serverError, .unreachable, .outcomeUnknown, .malformedAnswer, .cancelled: 500
        default: 400
        }
    }
}

/// What the body of a failure says.
struct WireFailure {
    var code: String?
    var message: String?
    var retryAfter: Duration?

    /// The longest text that is taken over from a server, in characters.
    static let maximumMessageLength = 300

    /// The failure that a status and the body's code make together. The status decides, because
    /// gateways answer without the body; the code refines it.
    func failure(status: Int, retryAfter: Duration?) -> BackendFailure {
        let code: BackendFailure.Code =
            switch status {
            case 401:
                // Without a code the token may merely be old: one refresh is worth trying.
                self.code == BackendFailure.Code.tokenInvalid.rawValue
                    ? .tokenInvalid : .tokenExpired
            case 403: .forbidden
            case 404: .notFound
            case 409: .conflict
            case 410: .gone
            case 413: .tooLarge
            case 429, 503: .rateLimited
            case 408, 500...599: .serverError
            default: .rejected
            }
        return BackendFailure(
            code, text ?? Self.text(of: status),
            retryAfter: retryAfter ?? self.retryAfter)
    }

    /// What is said where the server says nothing.
    private static func text(of status: Int) -> String {
        let advice =
            (300...399).contains(status)
            ? ": it sends elsewhere, and redirects are not followed; name the address of the API "
                + "itself" : ""
        return "the server answered with HTTP status \(status)\(advice)"
    }

    /// The server's text, cut and without control characters, so that it cannot forge log lines.
    var text: String? {
        guard let message, !message.isEmpty else { return nil }
        let scalars = message.unicodeScalars.prefix(Self.maximumMessageLength).map {
            $0.properties.generalCategory == .control ? " " : Character($0)
        }
        return String(scalars)
    }
}

extension WireFormat {
    func readFailure(_ reader: inout JSONReader) throws(JSONError) -> WireFailure {
        var failure = WireFailure()
        var fields = JSONFields<FailureField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .code: failure.code = try reader.string()
            case .message: failure.message = try reader.string()
            case .retryMilliseconds:
                failure.retryAfter = .milliseconds(max(0, try reader.integer(Int64.self)))
            }
        }
        return failure
    }

    /// The failure that a response of a status other than 2xx means. A body that cannot be read is
    /// no further fault: proxies and gateways send pages for people.
    func failure(of response: HTTPResponse) -> BackendFailure {
        let body: WireFailure
        do throws(WireError) {
            body = try read(response.body, readFailure)
        } catch {
            body = WireFailure()
        }
        return body.failure(
            status: response.status, retryAfter: RetryAfter.duration(in: response.headers))
    }
}

extension ServerWireFormat {
    public func encode(_ failure: BackendFailure) -> HTTPResponse {
        var writer = JSONWriter()
        write(failure, to: &writer)
        var response = HTTPResponse(
            status: failure.code.status, headers: ["Content-Type": "application/json"],
            body: writer.bytes)
        if let wait = failure.retryAfter {
            response.headers["Retry-After"] = RetryAfter.text(wait)
        }
        return response
    }

    /// Writes a failure. The wait stands in the body too, because a socket has no headers for it.
    func write(_ failure: BackendFailure, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", failure.code.rawValue)
        writer.member("message", failure.message)
        writer.member("retryMilliseconds", failure.retryAfter?.wholeMilliseconds)
        writer.endObject()
    }
}
