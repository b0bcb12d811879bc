/// Writes frames as octets.
public struct StompEncoder: Sendable, Hashable {
    /// When a body is announced by `content-length`.
    public enum ContentLengthPolicy: Sendable, Hashable {
        /// Whenever there is a body, as STOMP 1.2 asks for.
        case always
        /// Only where the body holds a NUL, and its end could not be told without. For ActiveMQ,
        /// which takes a SEND with `content-length` for binary and one without for text.
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
        version: StompVersion = .v12, contentLength: ContentLengthPolicy = .always,
        escapesConnect: Bool = false
    ) {
        self.version = version
        self.contentLength = contentLength
        self.escapesConnect = escapesConnect
    }

    /// The octets of a frame, with its closing NUL. O(octets), one allocation.
    ///
    /// A `content-length` among the headers stays where it is and must be right; else one is added
    /// behind them where ``contentLength`` asks for it.
    ///
    /// - Throws: ``StompError`` where a header cannot be carried by this command or version, where
    ///   `content-length` is wrong, or where the command may not have a body.
    public func encode(_ frame: StompFrame) throws(StompError) -> ContiguousArray<UInt8> {
        guard frame.body.isEmpty || frame.command.allowsBody else {
            throw StompError(
                .bodyNotAllowed, "\(frame.command.rawValue) may not have a body; send it without")
        }
        let isRaw = version == .v10 || frame.command.hasRawHeaders && !escapesConnect
        // Carried out by hand: the array's initialiser passes on untyped errors only.
        var failure: StompError?
        let bytes = frame.headers.withUnsafeEntries { entries in
            // Each header brings two marks of its own; every further one may need an escape.
            let escapes = OctetMask.countMarks(in: entries.block) - 2 * entries.count
            let capacity =
                Self.longestCommand + entries.block.count + escapes
                + Self.longestContentLength + frame.body.count + 3
            return ContiguousArray<UInt8>(unsafeUninitializedCapacity: capacity) { target, used in
                var output = OctetWriter(target)
                do throws(StompError) {
                    output.write(frame.command.rawValue)
                    output.write(Octet.lineFeed)
                    if escapes == 0, entries.hasNames {
                        output.write(entries.block)
                    } else {
                        try write(entries, of: frame.command, raw: isRaw, to: &output)
                    }
                    try writeContentLength(of: frame, entries, to: &output)
                    output.write(Octet.lineFeed)
                    frame.body.withUnsafeBytes { output.write($0) }
                    output.write(0)
                    used = output.count
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Adds the octets of a frame to others, which stay as they were where it throws.
    ///
    /// - Throws: as ``encode(_:)`` does.
    public func encode(_ frame: StompFrame, into bytes: inout ContiguousArray<UInt8>)
        throws(StompError)
    {
        bytes += try encode(frame)
    }

    private static let longestCommand = 11
    /// `content-length:`, 19 digits and a line feed.
    private static let longestContentLength = 35

    private func writeContentLength(
        of frame: StompFrame, _ entries: StompHeaders.Entries, to output: inout OctetWriter
    ) throws(StompError) {
        if let given = entries.first(named: "content-length") {
            guard Self.decimal(given.value) == frame.body.count else {
                throw StompError(
                    .invalidContentLength,
                    "content-length does not match the body; leave it out and it is added")
            }
            return
        }
        guard !frame.body.isEmpty else { return }
        switch contentLength {
        case .always: break
        case .onlyIfNeeded: guard frame.body.contains(0) else { return }
        }
        output.write("content-length:")
        output.writeDecimal(frame.body.count)
        output.write(Octet.lineFeed)
    }

    private func write(
        _ entries: StompHeaders.Entries, of command: StompCommand, raw: Bool,
        to output: inout OctetWriter
    ) throws(StompError) {
        var offset = entries.start
        for index in 0..<entries.count {
            let entry = entries.entry(index, at: offset)
            offset = entry.end
            guard !entry.name.isEmpty else {
                throw StompError(.emptyHeaderName, "a header of \(command.rawValue) has no name")
            }
            let line = entries.line(entry)
            if OctetMask.countMarks(in: line) == 2 {
                output.write(line)
            } else {
                try write(entry.name, isName: true, of: command, raw: raw, to: &output)
                output.write(Octet.colon)
                try write(entry.value, isName: false, of: command, raw: raw, to: &output)
                output.write(Octet.lineFeed)
            }
        }
    }

    private func write(
        _ text: UnsafeBufferPointer<UInt8>, isName: Bool, of command: StompCommand, raw: Bool,
        to output: inout OctetWriter
    ) throws(StompError) {
        for octet in text {
            guard let letter = Escapes.letter(for: octet) else {
                if octet == 0 { throw cannotCarry("a NUL", command) }
                output.write(octet)
                continue
            }
            if raw {
                guard octet == Octet.backslash || octet == Octet.colon && !isName else {
                    throw cannotCarry(
                        octet == Octet.colon ? "a colon in a name" : "a line end", command)
                }
                output.write(octet)
            } else {
                guard Escapes(version).octet(for: letter) != nil else {
                    throw cannotCarry("a carriage return", command)
                }
                output.write(Octet.backslash)
                output.write(letter)
            }
        }
    }

    private func cannotCarry(_ what: String, _ command: StompCommand) -> StompError {
        StompError(
            .headerNotRepresentable,
            "\(command.rawValue) has no way to carry \(what) in its headers in STOMP "
                + "\(version.text); take it out")
    }

    /// The value of plain decimal digits; `nil` for anything else.
    private static func decimal(_ digits: UnsafeBufferPointer<UInt8>) -> Int? {
        var value = 0
        for octet in digits {
            let digit = Int(octet) - Int(UInt8(ascii: "0"))
            guard 0...9 ~= digit, value < Int.max / 100 else { return nil }
            value = value * 10 + digit
        }
        return digits.isEmpty ? nil : value
    }
}
