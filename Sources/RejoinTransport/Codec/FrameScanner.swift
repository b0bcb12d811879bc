#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds the frame that begins at the front of a buffer; remembers how far it came, so that a
/// frame in many pieces is scanned once.
///
/// Works on pointers: the decoder's promise (eight times the throughput of Netty's) does not
/// survive bounds checks and reference counts per octet. Every load stays within the buffer it is
/// given; offsets are relative to the frame's first octet, which keeps them valid while the
/// decoder moves its buffer.
struct FrameScanner: Sendable {
    typealias Octets = UnsafeBufferPointer<UInt8>

    struct Rules {
        let role: StompDecoder.Role
        let version: StompVersion
        let limits: StompLimits
    }

    /// What stands at the front of the buffer. Lengths and offsets count from there.
    enum Found {
        case needMore
        case heartBeat(length: Int)
        case frame(StompFrame, length: Int)
        /// NULs between frames: some peers end a frame twice. They mean nothing.
        case skipped(length: Int)
        case failure(StompError.Code, offset: Int, String)
    }

    private enum Phase {
        case between
        case command
        case headers
        case body
    }

    private var phase = Phase.between
    /// Where the unfinished line begins.
    private var lineStart = 0
    /// Up to where the end of the line, or of the body, has been looked for.
    private var searched = 0
    private var command = StompCommand.connect
    /// The version by which this frame is read; set with the command.
    private var version = StompVersion.v1_2
    /// Where the header lines begin.
    private var headersStart = 0
    /// For each header line the lengths of name and value as they came, `rewriteFlag` added to the
    /// first where the line cannot be copied as it stands. Kept from frame to frame.
    private var lines: ContiguousArray<(name: UInt32, value: UInt32)> = []
    /// Octets of the header lines, each as `name ':' value LF`, before unescaping.
    private var headerOctets = 0
    private var needsRewrite = false
    private var contentLength: Int?
    private var bodyStart = 0

    private static let rewriteFlag: UInt32 = 1 << 31
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let colon = UInt8(ascii: ":")
    private static let backslash = UInt8(ascii: "\\")

    mutating func next(in bytes: Octets, rules: Rules) -> Found {
        if phase == .between {
            guard let first = bytes.first else { return .needMore }
            switch first {
            case Self.lineFeed:
                return .heartBeat(length: 1)
            case 0:
                return .skipped(length: bytes.prefix { $0 == 0 }.count)
            case Self.carriageReturn:
                if rules.version.allowsCarriageReturn {
                    guard bytes.count > 1 else { return .needMore }
                    if bytes[1] == Self.lineFeed { return .heartBeat(length: 2) }
                }
                return strayCarriageReturn(at: 0)
            default:
                begin()
            }
        }
        if phase != .body, let found = scanHeaderSection(bytes, rules) { return found }
        return scanBody(bytes, rules)
    }

    private mutating func begin() {
        phase = .command
        lineStart = 0
        searched = 0
        lines.removeAll(keepingCapacity: true)
        headerOctets = 0
        needsRewrite = false
        contentLength = nil
    }

    // MARK: - Header section

    /// Reads lines up to the blank one; `nil` once it has been found.
    private mutating func scanHeaderSection(_ bytes: Octets, _ rules: Rules) -> Found? {
        while true {
            // A line feed must stand at `bound` at the latest, or one of the limits is broken.
            let lineBound = lineStart + rules.limits.lineOctets
            let sectionBound = rules.limits.headerSectionOctets - 1
            let bound = min(lineBound, sectionBound)
            let end = min(bytes.count, bound + 1)
            guard let lineFeed = Self.index(of: Self.lineFeed, in: bytes, from: searched, to: end)
            else {
                if let nul = Self.index(of: 0, in: bytes, from: searched, to: end) {
                    return checkText(bytes, lineStart..<nul + 1) ?? strayNul(at: nul)
                }
                guard bytes.count > bound else {
                    searched = max(end, searched)
                    return .needMore
                }
                return lineBound <= sectionBound
                    ? .failure(
                        .lineTooLong, offset: bound,
                        "a line is longer than \(rules.limits.lineOctets) octets")
                    : .failure(
                        .headerSectionTooLarge, offset: bound,
                        "a header section is longer than \(rules.limits.headerSectionOctets) "
                            + "octets")
            }
            var lineEnd = lineFeed
            let allowsCarriageReturn =
                phase == .command
                ? rules.version.allowsCarriageReturn : version.allowsCarriageReturn
            if allowsCarriageReturn, lineEnd > lineStart,
                bytes[lineEnd - 1] == Self.carriageReturn
            {
                lineEnd -= 1
            }
            let line = lineStart..<lineEnd
            lineStart = lineFeed + 1
            searched = lineStart
            if phase == .command {
                if let failure = takeCommand(bytes, line, rules) { return failure }
                headersStart = lineStart
                phase = .headers
            } else if line.isEmpty {
                bodyStart = lineStart
                phase = .body
                return nil
            } else {
                let failure = takeHeader(bytes, line, hasReturn: lineEnd != lineFeed, rules)
                if let failure { return failure }
            }
        }
    }

    private mutating func takeCommand(_ bytes: Octets, _ line: Range<Int>, _ rules: Rules)
        -> Found?
    {
        guard let command = Self.command(Octets(rebasing: bytes[line])) else {
            for index in line where bytes[index] == Self.carriageReturn {
                return strayCarriageReturn(at: index)
            }
            return .failure(
                .unknownCommand, offset: line.lowerBound,
                "no STOMP command; commands are case-sensitive")
        }
        guard command.isFromServer == (rules.role == .client) else {
            let sender = command.isFromServer ? "server" : "client"
            return .failure(
                .unknownCommand, offset: line.lowerBound,
                "\(command.rawValue) comes from a \(sender), and this side is the \(sender)")
        }
        self.command = command
        version = rules.version
        return nil
    }

    private static func command(_ name: Octets) -> StompCommand? {
        // MESSAGE and SEND first: nearly all frames are.
        switch name.count {
        case 3: if equal(name, "ACK") { return .ack }
        case 4:
            if equal(name, "SEND") { return .send }
            if equal(name, "NACK") { return .nack }
        case 5:
            if equal(name, "ERROR") { return .error }
            if equal(name, "BEGIN") { return .begin }
            if equal(name, "ABORT") { return .abort }
            if equal(name, "STOMP") { return .stomp }
        case 6: if equal(name, "COMMIT") { return .commit }
        case 7:
            if equal(name, "MESSAGE") { return .message }
            if equal(name, "RECEIPT") { return .receipt }
            if equal(name, "CONNECT") { return .connect }
        case 9:
            if equal(name, "CONNECTED") { return .connected }
            if equal(name, "SUBSCRIBE") { return .subscribe }
        case 10: if equal(name, "DISCONNECT") { return .disconnect }
        case 11: if equal(name, "UNSUBSCRIBE") { return .unsubscribe }
        default: break
        }
        return nil
    }

    private static func equal(_ octets: Octets, _ text: StaticString) -> Bool {
        guard let base = octets.baseAddress, octets.count == text.utf8CodeUnitCount else {
            return false
        }
        return memcmp(base, text.utf8Start, octets.count) == 0
    }

    private mutating func takeHeader(
        _ bytes: Octets, _ line: Range<Int>, hasReturn: Bool, _ rules: Rules
    ) -> Found? {
        guard lines.count < rules.limits.headers else {
            return .failure(
                .tooManyHeaders, offset: line.lowerBound,
                "a frame has more than \(rules.limits.headers) headers")
        }
        if let failure = checkText(bytes, line) { return failure }
        guard
            let colon = Self.index(
                of: Self.colon, in: bytes, from: line.lowerBound, to: line.upperBound)
        else {
            return .failure(
                .missingColon, offset: line.lowerBound, "a header line has no colon")
        }
        guard colon > line.lowerBound else {
            return .failure(.emptyHeaderName, offset: colon, "a header has no name")
        }
        let name = line.lowerBound..<colon
        let value = colon + 1..<line.upperBound
        if contentLength == nil, Self.equal(Octets(rebasing: bytes[name]), "content-length") {
            if let failure = takeContentLength(bytes, value, rules) { return failure }
        }
        let hasEscape =
            !isRaw
            && Self.index(
                of: Self.backslash, in: bytes, from: line.lowerBound, to: line.upperBound) != nil
        let flag = hasReturn || hasEscape ? Self.rewriteFlag : 0
        needsRewrite = needsRewrite || flag != 0
        lines.append((UInt32(name.count) | flag, UInt32(value.count)))
        headerOctets += line.count + 1
        return nil
    }

    /// Whether a backslash stands for itself.
    private var isRaw: Bool { command.hasRawHeaders || version == .v1_0 }

    /// Finds the first octet of a header line that may not stand there.
    private func checkText(_ bytes: Octets, _ line: Range<Int>) -> Found? {
        var index = line.lowerBound
        while index < line.upperBound {
            switch bytes[index] {
            case 0:
                return firstInvalidUTF8(bytes, line.lowerBound..<index) ?? strayNul(at: index)
            case Self.carriageReturn where version.allowsCarriageReturn:
                return firstInvalidUTF8(bytes, line.lowerBound..<index)
                    ?? strayCarriageReturn(at: index)
            case Self.backslash where !isRaw:
                guard index + 1 < line.upperBound,
                    Self.unescaped(bytes[index + 1], version) != nil
                else {
                    return firstInvalidUTF8(bytes, line.lowerBound..<index)
                        ?? .failure(
                            .undefinedEscape, offset: index,
                            "a backslash begins no escape of STOMP \(version.text)")
                }
                index += 2
            default:
                index += 1
            }
        }
        return firstInvalidUTF8(bytes, line)
    }

    private func firstInvalidUTF8(_ bytes: Octets, _ range: Range<Int>) -> Found? {
        UTF8Check.firstInvalid(in: Octets(rebasing: bytes[range])).map {
            .failure(
                .invalidUTF8, offset: range.lowerBound + $0, "a header line is not UTF-8")
        }
    }

    private mutating func takeContentLength(
        _ bytes: Octets, _ value: Range<Int>, _ rules: Rules
    ) -> Found? {
        guard !value.isEmpty else {
            return .failure(
                .invalidContentLength, offset: value.lowerBound, "content-length is empty")
        }
        var length = 0
        for index in value {
            let digit = Int(bytes[index]) - Int(UInt8(ascii: "0"))
            guard 0...9 ~= digit else {
                return .failure(
                    .invalidContentLength, offset: index,
                    "content-length holds an octet that is no decimal digit")
            }
            // No overflow: the limit is at most 2^30, and is checked after each digit.
            length = length * 10 + digit
            guard length <= rules.limits.bodyOctets else {
                return .failure(
                    .bodyTooLarge, offset: index,
                    "content-length exceeds \(rules.limits.bodyOctets) octets")
            }
        }
        contentLength = length
        return nil
    }

    // MARK: - Body

    private mutating func scanBody(_ bytes: Octets, _ rules: Rules) -> Found {
        guard bodyStart < bytes.count else { return .needMore }
        let bodyEnd: Int
        if !command.allowsBody, bytes[bodyStart] != 0 || contentLength ?? 0 > 0 {
            return .failure(
                .bodyNotAllowed, offset: bodyStart, "\(command.rawValue) may not have a body")
        } else if let contentLength {
            bodyEnd = bodyStart + contentLength
            guard bodyEnd < bytes.count else { return .needMore }
            guard bytes[bodyEnd] == 0 else {
                return .failure(
                    .missingNul, offset: bodyEnd,
                    "the body goes on where content-length says that it ends")
            }
        } else {
            let bound = bodyStart + rules.limits.bodyOctets
            let end = min(bytes.count, bound + 1)
            guard let nul = Self.index(of: 0, in: bytes, from: searched, to: end) else {
                searched = end
                guard bytes.count > bound else { return .needMore }
                return .failure(
                    .bodyTooLarge, offset: bound,
                    "a body is longer than \(rules.limits.bodyOctets) octets")
            }
            bodyEnd = nul
        }
        phase = .between
        let frame = StompFrame(
            command, headers: headers(bytes),
            body: ContiguousArray(bytes[bodyStart..<bodyEnd]))
        return .frame(frame, length: bodyEnd + 1)
    }

    // MARK: - Headers

    /// Copies the header lines, unescaped, behind their table.
    private func headers(_ bytes: Octets) -> StompHeaders {
        guard !lines.isEmpty else { return StompHeaders() }
        let tableSize = lines.count * StompHeaders.entrySize
        let capacity = tableSize + headerOctets
        let storage = ContiguousArray<UInt8>(unsafeUninitializedCapacity: capacity) {
            target, used in
            // Not empty, so both have an address; and `headerOctets` counts what is copied.
            guard let source = bytes.baseAddress, let base = target.baseAddress else { return }
            if needsRewrite {
                used = rewriteLines(source + headersStart, base, tableSize: tableSize)
            } else {
                lines.withUnsafeBytes { UnsafeMutableRawBufferPointer(target).copyMemory(from: $0) }
                memcpy(base + tableSize, source + headersStart, headerOctets)
                used = capacity
            }
        }
        return StompHeaders(count: lines.count, storage: storage)
    }

    /// Copies lines of which some hold escapes or end in CR LF; returns where the copy ends.
    private func rewriteLines(
        _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, tableSize: Int
    ) -> Int {
        let table = UnsafeMutableRawPointer(target)
        var read = source
        var write = target + tableSize
        for (index, line) in lines.enumerated() {
            let nameLength = Int(line.name & ~Self.rewriteFlag)
            let valueLength = Int(line.value)
            var written = (name: nameLength, value: valueLength)
            if line.name & Self.rewriteFlag == 0 {
                memcpy(write, read, nameLength + valueLength + 2)
            } else {
                written.name = unescape(read, nameLength, to: write)
                write[written.name] = Self.colon
                written.value = unescape(
                    read + nameLength + 1, valueLength, to: write + written.name + 1)
                write[written.name + 1 + written.value] = Self.lineFeed
                if read[nameLength + 1 + valueLength] == Self.carriageReturn { read += 1 }
            }
            let entry = index * StompHeaders.entrySize
            table.storeBytes(of: UInt32(written.name), toByteOffset: entry, as: UInt32.self)
            table.storeBytes(of: UInt32(written.value), toByteOffset: entry + 4, as: UInt32.self)
            read += nameLength + valueLength + 2
            write += written.name + written.value + 2
        }
        return write - target
    }

    /// Copies octets, taking escapes back in one pass from left to right; returns how many were
    /// written. The escapes have been checked.
    private func unescape(
        _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard !isRaw else {
            memcpy(target, source, count)
            return count
        }
        var (read, written) = (0, 0)
        while read < count {
            if source[read] == Self.backslash, let octet = Self.unescaped(source[read + 1], version)
            {
                target[written] = octet
                read += 2
            } else {
                target[written] = source[read]
                read += 1
            }
            written += 1
        }
        return written
    }

    /// The octet for which a backslash and `octet` stand (STOMP 1.2, "Value Encoding"); `nil`
    /// where the version defines none.
    private static func unescaped(_ octet: UInt8, _ version: StompVersion) -> UInt8? {
        switch octet {
        case UInt8(ascii: "n"): lineFeed
        case UInt8(ascii: "c"): colon
        case backslash: backslash
        case UInt8(ascii: "r"): version.allowsCarriageReturn ? carriageReturn : nil
        default: nil
        }
    }

    // MARK: - Small parts

    private static func index(of octet: UInt8, in bytes: Octets, from start: Int, to end: Int)
        -> Int?
    {
        guard start < end, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(octet), end - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private func strayCarriageReturn(at offset: Int) -> Found {
        .failure(
            .strayCarriageReturn, offset: offset,
            version.allowsCarriageReturn
                ? "a carriage return stands without a line feed after it"
                : "STOMP \(version.text) knows no carriage return at the end of a line")
    }

    private func strayNul(at offset: Int) -> Found {
        .failure(
            .strayNul, offset: offset, "a NUL ends the frame before its blank line")
    }
}
