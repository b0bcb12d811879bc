/// Writes frames as octets.
public struct StompEncoder: Sendable, Hashable {
    /// When a body is announced by `content-length`.
    public enum ContentLengthPolicy: Sendable, Hashable {
        /// Whenever there is a body, as STOMP 1.2 asks for.
        case always
        /// Only where the body holds a NUL and could not be told from its end without. For
        /// ActiveMQ, which takes a SEND with `content-length` for binary and one without for text.
        case onlyIfNeeded
    }

    /// The version by whose rules headers are escaped.
    public var version: StompVersion
    /// When a body is announced.
    public var contentLength: ContentLengthPolicy
    /// Whether the headers of CONNECT, STOMP and CONNECTED are escaped although STOMP says that
    /// they are not. For RabbitMQ, which unescapes them: there, a passcode with a backslash works
    /// only so.
    public var escapesConnect: Bool

    /// The heart-beat: one line feed; never CR LF, on which some brokers close.
    public static let heartBeat: ContiguousArray<UInt8> = [UInt8(ascii: "\n")]

    /// Creates an encoder.
    public init(
        version: StompVersion = .v1_2, contentLength: ContentLengthPolicy = .always,
        escapesConnect: Bool = false
    ) {
        self.version = version
        self.contentLength = contentLength
        self.escapesConnect = escapesConnect
    }

    /// The octets of a frame, with its closing NUL. O(octets), one allocation.
    ///
    /// A `content-length` among the headers stays where it is and must be right; else one is added
    /// at the end where ``contentLength`` asks for it.
    ///
    /// - Throws: ``StompError`` where a header cannot be carried by this command or version, where
    ///   `content-length` is wrong, or where the command may not have a body.
    public func encode(_ frame: StompFrame) throws(StompError) -> ContiguousArray<UInt8> {
        var bytes: ContiguousArray<UInt8> = []
        try encode(frame, into: &bytes)
        return bytes
    }

    /// Adds the octets of a frame to others; leaves them as they were where it throws.
    ///
    /// - Throws: as ``encode(_:)`` does.
    public func encode(_ frame: StompFrame, into bytes: inout ContiguousArray<UInt8>)
        throws(StompError)
    {
        guard frame.body.isEmpty || frame.command.allowsBody else {
            throw StompError(
                .bodyNotAllowed, "\(frame.command.rawValue) may not have a body; send it without")
        }
        let start = bytes.count
        bytes.append(contentsOf: frame.command.rawValue.utf8)
        bytes.append(0x0A)
        do throws(StompError) {
            for (name, value) in frame.headers {
                try append(name, to: &bytes, isName: true, of: frame, name)
                bytes.append(0x3A)
                try append(value, to: &bytes, isName: false, of: frame, name)
                bytes.append(0x0A)
            }
            if let given = frame.headers["content-length"] {
                guard given == String(frame.body.count) else {
                    throw StompError(
                        .invalidContentLength,
                        "content-length does not match the body; leave it out and it is added")
                }
            } else if !frame.body.isEmpty,
                contentLength == .always || frame.body.contains(0)
            {
                bytes.append(contentsOf: "content-length:\(frame.body.count)\n".utf8)
            }
        } catch {
            bytes.removeSubrange(start...)
            throw error
        }
        bytes.append(0x0A)
        bytes.append(contentsOf: frame.body)
        bytes.append(0)
    }

    private func append(
        _ text: String, to bytes: inout ContiguousArray<UInt8>, isName: Bool,
        of frame: StompFrame, _ name: String
    ) throws(StompError) {
        let raw = version == .v1_0 || frame.command.hasRawHeaders && !escapesConnect
        if isName, text.isEmpty { throw StompError(.emptyHeaderName, "a header has no name") }
        for octet in text.utf8 {
            let escape: UInt8?
            switch octet {
            case 0: throw notRepresentable("a NUL", name, frame)
            case 0x0A: escape = UInt8(ascii: "n")
            case 0x0D: escape = UInt8(ascii: "r")
            case 0x3A: escape = UInt8(ascii: "c")
            case 0x5C: escape = UInt8(ascii: "\\")
            default: escape = nil
            }
            guard let escape else {
                bytes.append(octet)
                continue
            }
            if raw {
                if octet == 0x5C || octet == 0x3A && !isName {
                    bytes.append(octet)
                    continue
                }
                throw notRepresentable("a line end or colon", name, frame)
            }
            if octet == 0x0D, version != .v1_2 {
                throw notRepresentable("a carriage return", name, frame)
            }
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(escape)
        }
    }

    private func notRepresentable(_ what: String, _ name: String, _ frame: StompFrame)
        -> StompError
    {
        StompError(
            .headerNotRepresentable,
            "\(frame.command.rawValue) in STOMP \(version.text) cannot carry \(what) in a header")
    }
}
