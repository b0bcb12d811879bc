/// An HTTP request without its origin and without credentials; whoever owns them adds them.
public struct HTTPRequest: Hashable, Sendable {
    /// What to do.
    public var method: HTTPMethod
    /// The absolute path, percent-encoded (RFC 3986 section 3.3).
    public var path: String
    /// The query's fields, decoded, in order.
    public var query: [HTTPQueryItem]
    /// Header fields, in order.
    public var headers: HTTPHeaders
    /// The body; empty where there is none.
    public var body: ContiguousArray<UInt8>

    /// Creates a request.
    public init(
        _ method: HTTPMethod, _ path: String, query: [HTTPQueryItem] = [],
        headers: HTTPHeaders = HTTPHeaders(), body: ContiguousArray<UInt8> = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }
}

/// The answer to an ``HTTPRequest``.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code (RFC 9110 section 15).
    public var status: Int
    /// Header fields, in order.
    public var headers: HTTPHeaders
    /// The body.
    public var body: ContiguousArray<UInt8>

    /// Creates a response.
    public init(
        status: Int, headers: HTTPHeaders = HTTPHeaders(), body: ContiguousArray<UInt8> = []
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A request method. Compared with its case, as RFC 9110 section 9.1 asks.
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
    /// The method as it stands on the wire.
    public let rawValue: String

    /// Makes a method of its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let get = HTTPMethod("GET")
    public static let post = HTTPMethod("POST")
    public static let put = HTTPMethod("PUT")
    public static let patch = HTTPMethod("PATCH")
    public static let delete = HTTPMethod("DELETE")
}

/// One field of a query.
public struct HTTPQueryItem: Hashable, Sendable {
    /// The name, decoded.
    public var name: String
    /// The value, decoded.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
