import RejoinModel

extension HTTPRequest {
    /// The request target in origin form (RFC 9112 section 3.2.1): path and query, encoded.
    ///
    /// - Complexity: O(length).
    public var target: String {
        guard !query.isEmpty else { return path }
        let fields = query.map {
            "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
        }
        return "\(path)?\(fields.joined(separator: "&"))"
    }

    /// Creates a request from its target in origin form, as a server receives it.
    ///
    /// - Throws: ``WireError`` where the path is not absolute or an escape is broken.
    /// - Complexity: O(length).
    public init(
        _ method: HTTPMethod, target: String, headers: HTTPHeaders = HTTPHeaders(),
        body: ContiguousArray<UInt8> = []
    ) throws(WireError) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard target.utf8.first == UInt8(ascii: "/") else {
            throw WireError(.unexpected, "the request target must be an absolute path")
        }
        var query: [HTTPQueryItem] = []
        for field in parts.count == 2 ? parts[1].split(separator: "&") : [] {
            let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(sides[0]),
                let value = PercentEncoding.decode(sides.count == 2 ? sides[1] : "")
            else {
                throw WireError(
                    .unexpected, "query field \(query.count + 1) has a broken percent escape")
            }
            query.append(HTTPQueryItem(name, value))
        }
        self.init(method, String(parts[0]), query: query, headers: headers, body: body)
    }

    /// The path's segments, decoded; `nil` where an escape is broken.
    ///
    /// - Complexity: O(length).
    var segments: [String]? {
        var segments: [String] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let decoded = PercentEncoding.decode(segment) else { return nil }
            segments.append(decoded)
        }
        return segments
    }

    /// The value of a query field that may stand once.
    func queryValue(_ name: String) throws(BackendFailure) -> String? {
        let values = query.filter { $0.name == name }
        guard values.count <= 1 else {
            throw BackendFailure(.rejected, "the query field '\(name)' stands twice")
        }
        return values.first?.value
    }
}
