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
    /// The header lines as they came. The memory is kept from frame to frame.
    private var lines: ContiguousArray<Line> = []
    /// Octets of the header lines, each as `name ':' value LF`, before unescaping.
    private var headerOctets = 0
    private var needsRewrite = false
    private var contentLength: Int?
    private var bodyStart = 0

    /// A header line: the lengths of name and value, laid out as ``StompHeaders`` lays out its
    /// table.
    private struct Line {
        /// Added to the name's length where the line cannot be copied as it stands.
        static let rewriteFlag: UInt32 = 1 << 31

        var name: UInt32
        var value: UInt32

        /// The octets of a line without the flag, with colon and line feed.
        var octets: Int { Int(name) + Int(value) + 2 }
    }

    mutating func next(in bytes: Octets, rules: Rules) -> Found {
        if phase == .between {
            guard let first = bytes.first else { return .needMore }
            switch first {
            case Octet.lineFeed:
                return .heartBeat(length: 1)
            case 0:
                return .skipped(length: bytes.prefix { $0 == 0 }.count)
            case Octet.carriageReturn:
                if rules.version.allowsCarriageReturn {
                    guard bytes.count > 1 else { return .needMore }
                    if bytes[1] == Octet.lineFeed { return .heartBeat(length: 2) }
                }
                return Self.strayCarriageReturn(at: 0, rules.version)
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
        guard let base = bytes.baseAddress else { return .needMore }
        while true {
            // A line feed must stand at `bound` at the latest, or one of the limits is broken.
            let lineBound = lineStart + rules.limits.lineOctets
            let bound = min(lineBound, rules.limits.headerSectionOctets - 1)
            let end = min(bytes.count, bound + 1)
            // A line in pieces is looked at from its start once more when it is whole; until then
            // only the new octets are searched for its end.
            let isResumed = searched > lineStart
            if isResumed, Octet.first(Octet.lineFeed, in: base, from: searched, to: end) == nil {
                return unfinishedLine(bytes, from: searched, to: end, bound: bound, rules)
            }
            let line = LineScan(base, from: lineStart, to: end)
            guard let lineFeed = line.lineFeed else {
                return unfinishedLine(bytes, from: lineStart, to: end, bound: bound, rules)
            }
            if line.isSuspect, let nul = Octet.first(0, in: base, from: lineStart, to: lineFeed) {
                return nulInLine(bytes, at: nul, rules)
            }
            let start = lineStart
            lineStart = lineFeed + 1
            searched = lineStart
            var textEnd = lineFeed
            if line.isSuspect, textEnd > start, bytes[textEnd - 1] == Octet.carriageReturn,
                (phase == .command ? rules.version : version).allowsCarriageReturn
            {
                textEnd -= 1
            }
            if phase == .command {
                if let failure = takeCommand(bytes, start..<textEnd, rules) { return failure }
                headersStart = lineStart
                phase = .headers
            } else if textEnd == start {
                bodyStart = lineStart
                phase = .body
                return nil
            } else if let failure = takeHeader(
                bytes, start..<textEnd, line, hasReturn: textEnd != lineFeed, rules)
            {
                return failure
            }
        }
    }

    /// What to make of a line whose end has not come: wait, unless it holds a NUL or is longer than
    /// it may be.
    private mutating func unfinishedLine(
        _ bytes: Octets, from start: Int, to end: Int, bound: Int, _ rules: Rules
    ) -> Found {
        guard let base = bytes.baseAddress else { return .needMore }
        if let nul = Octet.first(0, in: base, from: start, to: end) {
            return nulInLine(bytes, at: nul, rules)
        }
        // Where the section was full with the last line, the next octet is the one too many.
        let offset = max(bound, lineStart)
        guard bytes.count > offset else {
            searched = max(searched, end)
            return .needMore
        }
        return bound == lineStart + rules.limits.lineOctets
            ? .failure(
                .lineTooLong, offset: offset,
                "a line is longer than \(rules.limits.lineOctets) octets")
            : .failure(
                .headerSectionTooLarge, offset: offset,
                "a header section is longer than \(rules.limits.headerSectionOctets) octets")
    }

    /// A NUL ends a line as surely as a line feed does, but in error; so what a line with one means
    /// does not depend on whether its line feed has come.
    private func nulInLine(_ bytes: Octets, at nul: Int, _ rules: Rules) -> Found {
        let stray = Found.failure(
            .strayNul, offset: nul, "a NUL ends the frame before its blank line")
        guard phase == .headers else { return stray }
        return checkCount(lineStart, rules) ?? checkText(bytes, lineStart..<nul) ?? stray
    }

    private func checkCount(_ start: Int, _ rules: Rules) -> Found? {
        guard lines.count >= rules.limits.headers else { return nil }
        return .failure(
            .tooManyHeaders, offset: start,
            "a frame has more than \(rules.limits.headers) headers")
    }

    private mutating func takeCommand(_ bytes: Octets, _ line: Range<Int>, _ rules: Rules)
        -> Found?
    {
        guard let command = Self.command(Octets(rebasing: bytes[line])) else {
            for index in line where bytes[index] == Octet.carriageReturn {
                return Self.strayCarriageReturn(at: index, rules.version)
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
        case 3: if Octet.equal(name, "ACK") { return .ack }
        case 4:
            if Octet.equal(name, "SEND") { return .send }
            if Octet.equal(name, "NACK") { return .nack }
        case 5:
            if Octet.equal(name, "ERROR") { return .error }
            if Octet.equal(name, "BEGIN") { return .begin }
            if Octet.equal(name, "ABORT") { return .abort }
            if Octet.equal(name, "STOMP") { return .stomp }
        case 6: if Octet.equal(name, "COMMIT") { return .commit }
        case 7:
            if Octet.equal(name, "MESSAGE") { return .message }
            if Octet.equal(name, "RECEIPT") { return .receipt }
            if Octet.equal(name, "CONNECT") { return .connect }
        case 9:
            if Octet.equal(name, "CONNECTED") { return .connected }
            if Octet.equal(name, "SUBSCRIBE") { return .subscribe }
        case 10: if Octet.equal(name, "DISCONNECT") { return .disconnect }
        case 11: if Octet.equal(name, "UNSUBSCRIBE") { return .unsubscribe }
        default: break
        }
        return nil
    }

    private mutating func takeHeader(
        _ bytes: Octets, _ text: Range<Int>, _ line: LineScan, hasReturn: Bool, _ rules: Rules
    ) -> Found? {
        if let failure = checkCount(text.lowerBound, rules) { return failure }
        var flag = hasReturn ? Line.rewriteFlag : 0
        if line.isSuspect {
            if let failure = checkText(bytes, text) { return failure }
            if !isRaw, let base = bytes.baseAddress,
                Octet.first(Octet.backslash, in: base, from: text.lowerBound, to: text.upperBound)
                    != nil
            {
                flag = Line.rewriteFlag
            }
        }
        guard let colon = line.colon else {
            return .failure(
                .missingColon, offset: text.lowerBound, "a header line has no colon")
        }
        guard colon > text.lowerBound else {
            return .failure(.emptyHeaderName, offset: colon, "a header has no name")
        }
        let value = colon + 1..<text.upperBound
        if contentLength == nil,
            Octet.equal(Octets(rebasing: bytes[text.lowerBound..<colon]), "content-length"),
            let failure = takeContentLength(bytes, value, rules)
        {
            return failure
        }
        needsRewrite = needsRewrite || flag != 0
        lines.append(
            Line(name: UInt32(colon - text.lowerBound) | flag, value: UInt32(value.count)))
        headerOctets += text.count + 1
        return nil
    }

    /// Whether a backslash stands for itself.
    private var isRaw: Bool { command.hasRawHeaders || version == .v1_0 }

    /// Finds the first octet of a header line that may not stand there: the least of what each rule
    /// finds.
    private func checkText(_ bytes: Octets, _ text: Range<Int>) -> Found? {
        guard let base = bytes.baseAddress else { return nil }
        var (first, found) = (text.upperBound, Found?.none)
        func offer(_ offset: Int?, _ failure: (Int) -> Found) {
            guard let offset, offset < first else { return }
            (first, found) = (offset, failure(offset))
        }
        if version.allowsCarriageReturn {
            offer(
                Octet.first(
                    Octet.carriageReturn, in: base, from: text.lowerBound, to: text.upperBound)
            ) { Self.strayCarriageReturn(at: $0, version) }
        }
        if !isRaw {
            offer(Escapes(version).firstUndefined(in: base, text)) { offset in
                .failure(
                    .undefinedEscape, offset: offset,
                    "a backslash begins no escape of STOMP \(version.text)")
            }
        }
        let invalid = UTF8Check.firstInvalid(in: Octets(rebasing: bytes[text]))
        offer(invalid.map { text.lowerBound + $0 }) { offset in
            .failure(.invalidUTF8, offset: offset, "a header line is not UTF-8")
        }
        return found
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
            guard let base = bytes.baseAddress,
                let nul = Octet.first(0, in: base, from: searched, to: end)
            else {
                searched = max(searched, end)
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
            body: Octet.copy(bytes, bodyStart..<bodyEnd))
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
            // Neither is empty, so both have an address; `headerOctets` counts what is copied.
            guard let source = bytes.baseAddress, let base = target.baseAddress else { return }
            if needsRewrite {
                used = rewriteLines(source + headersStart, base, tableSize: tableSize)
            } else {
                lines.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(target).copyMemory(from: $0)
                }
                (base + tableSize).initialize(from: source + headersStart, count: headerOctets)
                used = capacity
            }
        }
        return StompHeaders(count: lines.count, storage: storage)
    }

    /// Copies lines of which some hold escapes or end in CR LF; returns where the copy ends.
    /// Neighbouring lines that stay as they are go in one piece.
    private func rewriteLines(
        _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, tableSize: Int
    ) -> Int {
        let table = UnsafeMutableRawPointer(target)
        let escapes = isRaw ? nil : Escapes(version)
        var (read, pending) = (source, 0)
        var write = target + tableSize
        for (index, line) in lines.enumerated() {
            var written = line
            if line.name & Line.rewriteFlag == 0 {
                pending += line.octets
            } else {
                write.initialize(from: read, count: pending)
                read += pending
                write += pending
                pending = 0
                let (name, value) = (Int(line.name & ~Line.rewriteFlag), Int(line.value))
                let writtenName = copy(read, name, to: write, escapes)
                write[writtenName] = Octet.colon
                let writtenValue = copy(
                    read + name + 1, value, to: write + writtenName + 1, escapes)
                write[writtenName + 1 + writtenValue] = Octet.lineFeed
                read += name + 1 + value
                read += read[0] == Octet.carriageReturn ? 2 : 1
                write += writtenName + writtenValue + 2
                written = Line(name: UInt32(writtenName), value: UInt32(writtenValue))
            }
            table.storeBytes(
                of: written, toByteOffset: index * StompHeaders.entrySize, as: Line.self)
        }
        write.initialize(from: read, count: pending)
        return write + pending - target
    }

    private func copy(
        _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>,
        _ escapes: Escapes?
    ) -> Int {
        if let escapes { return escapes.remove(from: source, count, to: target) }
        target.initialize(from: source, count: count)
        return count
    }

    // MARK: - Failures

    private static func strayCarriageReturn(at offset: Int, _ version: StompVersion) -> Found {
        .failure(
            .strayCarriageReturn, offset: offset,
            version.allowsCarriageReturn
                ? "a carriage return stands without a line feed after it"
                : "STOMP \(version.text) knows no carriage return at the end of a line")
    }
}
