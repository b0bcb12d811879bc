#if canImport(CCurl)
import RejoinModel
import RejoinWire

/// An answer as it comes in, held to its limits. A value: it knows nothing of the library.
struct IncomingAnswer {
    /// The largest header taken, with the headers of informational answers before it.
    static let maximumHeaderBytes = 64 << 10

    private let maximumBytes: Int
    private let isToHead: Bool
    private var status: Int?
    private var headers = HTTPHeaders()
    private var headerBytes = 0
    private var isHeaderComplete = false
    private var body: ContiguousArray<UInt8> = []
    /// Why no more was taken.
    private(set) var refusal: BackendFailure?

    /// - Parameter isToHead: Whether the request's method is `HEAD`, whose answer declares a length
    ///   and has no body.
    init(maximumBytes: Int, isToHead: Bool) {
        self.maximumBytes = maximumBytes
        self.isToHead = isToHead
    }

    /// The whole answer; `nil` where its header never ended.
    var response: HTTPResponse? {
        guard isHeaderComplete, let status else { return nil }
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    /// Takes one line of the header or of the trailer, with its line end.
    ///
    /// - Returns: Whether to go on; if not, `refusal` says why.
    mutating func takeHeader(_ bytes: some Collection<UInt8>) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= Self.maximumHeaderBytes else {
            refusal = BackendFailure(
                .malformedAnswer,
                "the answer's header is longer than \(Self.maximumHeaderBytes) bytes")
            return false
        }
        // What comes after the header is a trailer, which nobody reads.
        guard !isHeaderComplete else { return true }
        let line = bytes.prefix { $0 != 13 && $0 != 10 }
        guard !line.isEmpty else { return endHeader() }
        if line.starts(with: "HTTP/".utf8) {
            // An informational answer may have come before (RFC 9110 section 15.2).
            headers = HTTPHeaders()
            status = Self.status(String(decoding: line, as: UTF8.self))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self)
            // What is no field (RFC 9112 section 5.1 forbids a space before the colon) is skipped.
            guard name.isToken else { return true }
            let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
            headers.append(name, Self.trimmed(value))
        }
        return true
    }

    /// Takes a part of the body.
    ///
    /// - Returns: Whether to go on; if not, `refusal` says why.
    mutating func takeBody(_ bytes: some Collection<UInt8>) -> Bool {
        // A declared length may be wrong, so the bytes are counted as they come.
        guard bytes.count <= maximumBytes - body.count else { return refuseTooLarge() }
        body.append(contentsOf: bytes)
        return true
    }

    private mutating func endHeader() -> Bool {
        guard let status, status >= 200 else { return true }
        isHeaderComplete = true
        guard !isToHead, status != 304, let length = headers["Content-Length"].flatMap({ Int($0) })
        else { return true }
        guard length <= maximumBytes else { return refuseTooLarge() }
        body.reserveCapacity(min(max(0, length), 1 << 20))
        return true
    }

    private mutating func refuseTooLarge() -> Bool {
        refusal = BackendFailure(
            .malformedAnswer,
            "the answer is longer than \(maximumBytes) bytes, the most that is taken; ask for less at once"
        )
        return false
    }

    /// The status of a status line (RFC 9112 section 4).
    private static func status(_ line: String) -> Int? {
        let words = line.split(separator: " ", maxSplits: 2)
        return words.count > 1 ? Int(words[1]) : nil
    }

    /// Without the spaces and tabs at the ends, which are not part of a value.
    private static func trimmed(_ value: String) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let rest = value.utf8.drop(while: isSpace)
        let end = rest.lastIndex { !isSpace($0) }.map { rest.index(after: $0) }
        return String(decoding: rest[..<(end ?? rest.startIndex)], as: UTF8.self)
    }
}
#endif
