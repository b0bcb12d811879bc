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

    /// What stands at the front of the buffer; without references, because it is passed for each
    /// frame. Lengths count from the front.
    enum Step {
        case needMore
        case heartBeat(length: Int)
        /// A frame: take it with ``frame(in:)``.
        case frame(length: Int)
        /// NULs between frames: some peers end a frame twice. They mean nothing.
        case skipped(length: Int)
        /// No STOMP: ``fault`` says why.
        case failed
    }

    /// Why decoding stops, with the place relative to the frame's first octet.
    struct Fault: Sendable {
        let code: StompError.Code
        let offset: Int
        let message: String
    }

    /// A header line: the lengths of name and value, laid out as ``StompHeaders`` lays out its
    /// table.
    private struct Line {
        /// Added to the name's length where the line cannot be copied as it stands.
        static let rewriteFlag: UInt32 = 1 << 31

        var name: UInt32
        var value: UInt32

        /// The octets of a line without the flag, with colon and line feed.
        var octets: Int { Int(name) &+ Int(value) &+ 2 }
    }

    private enum Phase {
        case between
        case command
        case headers
        case body
    }

    /// Why the last step failed.
    private(set) var fault: Fault?

    private var phase = Phase.between
    /// Where the unfinished line begins.
    private var lineStart = 0
    /// Up to where the end of the line, or of the body, has been looked for.
    private var searched = 0
    private var command = StompCommand.connect
    /// The version by which this frame is read; set with its first octet.
    private var version = StompVersion.v12
    /// Whether a backslash stands for itself.
    private var isRaw = false
    /// Where the header lines begin.
    private var headersStart = 0
    /// The header lines as they came, in the first ``lineCount`` places. The memory is kept from
    /// frame to frame.
    private var lines: ContiguousArray<Line> = []
    private var lineCount = 0
    /// Octets of the header lines, each as `name ':' value LF`, before unescaping.
    private var headerOctets = 0
    /// The first line that cannot be copied as it stands, and where it begins among the lines;
    /// `nil` where all can.
    private var firstRewrite: (line: Int, octet: Int)?
    private var contentLength: Int?
    private var body = 0..<0
    /// Where headers are put together before they are copied into an array of their own size.
    private var scratch: ContiguousArray<UInt8> = []

    /// Looks at the front of the buffer.
    mutating func step(in bytes: Octets, _ rules: Rules) -> Step {
        if phase == .between {
            guard let first = bytes.first else { return .needMore }
            switch first {
            case Octet.lineFeed:
                return .heartBeat(length: 1)
            case 0:
                return .skipped(length: bytes.prefix { $0 == 0 }.count)
            case Octet.carriageReturn:
                version = rules.version
                if version.allowsCarriageReturn {
                    guard bytes.count > 1 else { return .needMore }
                    if bytes[1] == Octet.lineFeed { return .heartBeat(length: 2) }
                }
                return fail(strayCarriageReturn(at: 0))
            default:
                begin(rules.version)
            }
        }
        while phase != .body {
            // Moved out, so that the table can be written while the rest of the state is.
            var table: ContiguousArray<Line> = []
            swap(&table, &lines)
            if lineCount == table.count {
                let size = max(16, 2 * table.count)
                table.append(
                    contentsOf: repeatElement(Line(name: 0, value: 0), count: size - table.count))
            }
            let step = table.withUnsafeMutableBufferPointer {
                scanHeaderSection(bytes, rules, $0)
            }
            swap(&table, &lines)
            if let step { return step }
        }
        return scanBody(bytes, rules)
    }

    private mutating func begin(_ version: StompVersion) {
        phase = .command
        self.version = version
        lineStart = 0
        searched = 0
        lineCount = 0
        headerOctets = 0
        firstRewrite = nil
        contentLength = nil
    }

    private mutating func fail(_ fault: Fault) -> Step {
        self.fault = fault
        return .failed
    }

    // MARK: - Header section

    private typealias Table = UnsafeMutableBufferPointer<Line>

    /// Reads lines up to the blank one, or until the table is full; `nil` in both cases.
    private mutating func scanHeaderSection(_ bytes: Octets, _ rules: Rules, _ table: Table)
        -> Step?
    {
        guard let base = bytes.baseAddress else { return .needMore }
        // A line in pieces is looked at from its start once more when it is whole; until then only
        // the new octets are searched for its end.
        if searched > lineStart {
            let bound = bound(rules)
            let end = min(bytes.count, bound + 1)
            if Octet.first(Octet.lineFeed, in: base, from: searched, to: end) == nil {
                return unfinishedLine(bytes, from: searched, bound: bound, rules)
            }
        }
        if phase == .command { takeMessageCommand(base, bytes.count, rules) }
        let most = min(table.count, rules.limits.headers)
        let longest = rules.limits.lineOctets
        let sectionEnd = rules.limits.headerSectionOctets
        let escapes = Escapes(version)
        var marks = MarkScanner(base, from: lineStart, to: bytes.count)
        while lineCount < table.count {
            // Nearly all lines are taken here, in registers; any other falls out of the loop.
            var (start, count, octets) = (lineStart, lineCount, headerOctets)
            var line = LineScan(&marks)
            while phase == .headers {
                let (colon, end) = (line.colon, line.lineFeed)
                guard colon > start, end > colon, end < sectionEnd, end &- start <= longest,
                    count < most
                else {
                    guard end == start, end < sectionEnd else { break }
                    (lineStart, lineCount, headerOctets) = (end &+ 1, count, octets)
                    return endHeaders()
                }
                var flag: UInt32 = 0
                if line.isSuspect {
                    guard line.hasOnlyBackslashes, !isRaw,
                        escapes.firstUndefined(in: base, start..<end) == nil
                    else { break }
                    flag = Line.rewriteFlag
                    if firstRewrite == nil { firstRewrite = (count, octets) }
                }
                if colon &- start == Self.contentLengthName.utf8CodeUnitCount,
                    contentLength == nil,
                    Octet.equal(
                        Octets(start: base + start, count: colon &- start), Self.contentLengthName)
                {
                    guard
                        let length = Self.shortDecimal(base, colon &+ 1, end),
                        length <= rules.limits.bodyOctets
                    else { break }
                    contentLength = length
                }
                table[count] = Line(
                    name: UInt32(truncatingIfNeeded: colon &- start) | flag,
                    value: UInt32(truncatingIfNeeded: end &- colon &- 1))
                count &+= 1
                octets &+= end &- start &+ 1
                start = end &+ 1
                if count == table.count { break }
                line = LineScan(&marks)
            }
            (lineStart, lineCount, headerOctets) = (start, count, octets)
            if count == table.count { return nil }
            if let step = takeLine(bytes, line, rules, table) { return step }
            if phase == .body { return nil }
        }
        return nil
    }

    /// Takes the command of nearly all frames in one comparison.
    private mutating func takeMessageCommand(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ rules: Rules
    ) {
        guard rules.role == .client, count >= 8, rules.limits.lineOctets >= 7,
            rules.limits.headerSectionOctets >= 8,
            Octet.equal(Octets(start: base, count: 8), "MESSAGE\n")
        else { return }
        command = .message
        isRaw = version == .v10
        lineStart = 8
        headersStart = 8
        searched = 8
        phase = .headers
    }

    /// The value of one to nine decimal digits; `nil` for anything else.
    @inline(__always)
    private static func shortDecimal(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int)
        -> Int?
    {
        guard 1...9 ~= end &- start else { return nil }
        var value = 0
        for index in start..<end {
            let digit = base[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }

    /// Goes on behind the blank line.
    @inline(__always)
    private mutating func endHeaders() -> Step? {
        searched = lineStart
        body = lineStart..<lineStart
        phase = .body
        return nil
    }

    private static let contentLengthName: StaticString = "content-length"

    /// Where a line feed must stand at the latest, or one of the limits is broken.
    private func bound(_ rules: Rules) -> Int {
        min(lineStart + rules.limits.lineOctets, rules.limits.headerSectionOctets - 1)
    }

    /// Takes any line: the command, a header that is not plain, the blank one, one in error, one
    /// whose end has not come.
    @inline(never)
    private mutating func takeLine(
        _ bytes: Octets, _ line: LineScan, _ rules: Rules, _ table: Table
    ) -> Step? {
        let bound = bound(rules)
        let lineFeed = line.lineFeed
        guard lineFeed >= 0, lineFeed <= bound, let base = bytes.baseAddress else {
            return unfinishedLine(bytes, from: lineStart, bound: bound, rules)
        }
        let start = lineStart
        var textEnd = lineFeed
        if line.hasControl {
            if let nul = Octet.first(0, in: base, from: start, to: lineFeed) {
                return nulInLine(bytes, at: nul, rules)
            }
            if version.allowsCarriageReturn, textEnd > start,
                bytes[textEnd - 1] == Octet.carriageReturn
            {
                textEnd -= 1
            }
        }
        lineStart = lineFeed + 1
        searched = lineStart
        if phase == .command {
            if let fault = takeCommand(bytes, start..<textEnd, rules) { return fail(fault) }
            headersStart = lineStart
            phase = .headers
        } else if textEnd == start {
            return endHeaders()
        } else if let fault = takeHeader(
            bytes, start..<textEnd, line, hasReturn: textEnd != lineFeed, rules, table)
        {
            return fail(fault)
        }
        return nil
    }

    /// What to make of a line whose end has not come: wait, unless it holds a NUL or is longer than
    /// it may be.
    @inline(never)
    private mutating func unfinishedLine(
        _ bytes: Octets, from start: Int, bound: Int, _ rules: Rules
    ) -> Step {
        guard let base = bytes.baseAddress else { return .needMore }
        let end = min(bytes.count, bound + 1)
        if let nul = Octet.first(0, in: base, from: start, to: end) {
            return nulInLine(bytes, at: nul, rules)
        }
        // Where the section was full with the last line, the next octet is the one too many.
        let offset = max(bound, lineStart)
        guard bytes.count > offset else {
            searched = max(searched, end)
            return .needMore
        }
        let isLine = bound == lineStart + rules.limits.lineOctets
        return fail(
            Fault(
                code: isLine ? .lineTooLong : .headerSectionTooLarge, offset: offset,
                message: isLine
                    ? "a line is longer than \(rules.limits.lineOctets) octets"
                    : "a header section is longer than \(rules.limits.headerSectionOctets) octets"))
    }

    /// A NUL ends a line as surely as a line feed does, but in error; so what a line with one means
    /// does not depend on whether its line feed has come.
    @inline(never)
    private mutating func nulInLine(_ bytes: Octets, at nul: Int, _ rules: Rules) -> Step {
        let stray = Fault(
            code: .strayNul, offset: nul, message: "a NUL ends the frame before its blank line")
        guard phase == .headers else { return fail(stray) }
        return fail(
            checkCount(lineStart, rules) ?? checkText(bytes, lineStart..<nul, nil) ?? stray)
    }

    private mutating func takeCommand(_ bytes: Octets, _ line: Range<Int>, _ rules: Rules)
        -> Fault?
    {
        guard let command = Self.command(Octets(rebasing: bytes[line])) else {
            for index in line where bytes[index] == Octet.carriageReturn {
                return strayCarriageReturn(at: index)
            }
            return Fault(
                code: .unknownCommand, offset: line.lowerBound,
                message: "no STOMP command; commands are case-sensitive")
        }
        guard command.isFromServer == (rules.role == .client) else {
            let sender = command.isFromServer ? "server" : "client"
            return Fault(
                code: .unknownCommand, offset: line.lowerBound,
                message: "\(command.rawValue) comes from a \(sender), and this side is the "
                    + sender)
        }
        self.command = command
        isRaw = version == .v10 || command.hasRawHeaders
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
        _ bytes: Octets, _ text: Range<Int>, _ line: LineScan, hasReturn: Bool, _ rules: Rules,
        _ table: Table
    ) -> Fault? {
        if let fault = checkCount(text.lowerBound, rules) { return fault }
        var flag = hasReturn ? Line.rewriteFlag : 0
        if line.isSuspect {
            if let fault = checkText(bytes, text, line) { return fault }
            if line.hasBackslash, !isRaw { flag = Line.rewriteFlag }
        }
        let colon = line.colon
        guard colon > text.lowerBound else {
            return colon < 0
                ? Fault(
                    code: .missingColon, offset: text.lowerBound,
                    message: "a header line has no colon")
                : Fault(code: .emptyHeaderName, offset: colon, message: "a header has no name")
        }
        let value = colon &+ 1..<text.upperBound
        if contentLength == nil,
            Octet.equal(Octets(rebasing: bytes[text.lowerBound..<colon]), Self.contentLengthName),
            let fault = takeContentLength(bytes, value, rules)
        {
            return fault
        }
        if flag != 0, firstRewrite == nil { firstRewrite = (lineCount, headerOctets) }
        table[lineCount] = Line(
            name: UInt32(colon - text.lowerBound) | flag, value: UInt32(value.count))
        lineCount += 1
        headerOctets += text.count + 1
        return nil
    }

    private func checkCount(_ start: Int, _ rules: Rules) -> Fault? {
        guard lineCount >= rules.limits.headers else { return nil }
        return Fault(
            code: .tooManyHeaders, offset: start,
            message: "a frame has more than \(rules.limits.headers) headers")
    }

    /// Finds the first octet of a header line that may not stand there: the least of what each rule
    /// finds. What a scan has not seen is not looked for.
    @inline(never)
    private func checkText(_ bytes: Octets, _ text: Range<Int>, _ line: LineScan?) -> Fault? {
        guard let base = bytes.baseAddress else { return nil }
        var (first, code) = (text.upperBound, StompError.Code?.none)
        func offer(_ offset: Int?, _ offered: StompError.Code) {
            guard let offset, offset < first else { return }
            (first, code) = (offset, offered)
        }
        if version.allowsCarriageReturn, line?.hasControl ?? true {
            let found = Octet.first(
                Octet.carriageReturn, in: base, from: text.lowerBound, to: text.upperBound)
            offer(found, .strayCarriageReturn)
        }
        if !isRaw, line?.hasBackslash ?? true {
            offer(Escapes(version).firstUndefined(in: base, text), .undefinedEscape)
        }
        if line?.isBeyondASCII ?? true {
            let invalid = UTF8Check.firstInvalid(in: Octets(rebasing: bytes[text]))
            offer(invalid.map { text.lowerBound + $0 }, .invalidUTF8)
        }
        switch code {
        case nil:
            return nil
        case StompError.Code.strayCarriageReturn:
            return strayCarriageReturn(at: first)
        case StompError.Code.undefinedEscape:
            return Fault(
                code: .undefinedEscape, offset: first,
                message: "a backslash begins no escape of STOMP \(version.text)")
        default:
            return Fault(
                code: .invalidUTF8, offset: first, message: "a header line is not UTF-8")
        }
    }

    private mutating func takeContentLength(
        _ bytes: Octets, _ value: Range<Int>, _ rules: Rules
    ) -> Fault? {
        guard !value.isEmpty else {
            return Fault(
                code: .invalidContentLength, offset: value.lowerBound,
                message: "content-length is empty")
        }
        var length = 0
        for index in value {
            let digit = Int(bytes[index]) - Int(UInt8(ascii: "0"))
            guard 0...9 ~= digit else {
                return Fault(
                    code: .invalidContentLength, offset: index,
                    message: "content-length holds an octet that is no decimal digit")
            }
            // No overflow: the limit is at most 2^30, and is checked after each digit.
            length = length * 10 + digit
            guard length <= rules.limits.bodyOctets else {
                return Fault(
                    code: .bodyTooLarge, offset: index,
                    message: "content-length exceeds \(rules.limits.bodyOctets) octets")
            }
        }
        contentLength = length
        return nil
    }

    private func strayCarriageReturn(at offset: Int) -> Fault {
        Fault(
            code: .strayCarriageReturn, offset: offset,
            message: version.allowsCarriageReturn
                ? "a carriage return stands without a line feed after it"
                : "STOMP \(version.text) knows no carriage return at the end of a line")
    }

    // MARK: - Body

    private mutating func scanBody(_ bytes: Octets, _ rules: Rules) -> Step {
        let start = body.lowerBound
        guard start < bytes.count else { return .needMore }
        let end: Int
        if !command.allowsBody, bytes[start] != 0 || contentLength ?? 0 > 0 {
            return fail(
                Fault(
                    code: .bodyNotAllowed, offset: start,
                    message: "\(command.rawValue) may not have a body"))
        } else if let contentLength {
            end = start &+ contentLength
            guard end < bytes.count else { return .needMore }
            guard bytes[end] == 0 else {
                return fail(
                    Fault(
                        code: .missingNul, offset: end,
                        message: "the body goes on where content-length says that it ends"))
            }
        } else {
            let bound = start &+ rules.limits.bodyOctets
            let available = min(bytes.count, bound &+ 1)
            guard let base = bytes.baseAddress,
                let nul = Octet.first(0, in: base, from: searched, to: available)
            else {
                searched = max(searched, available)
                guard bytes.count > bound else { return .needMore }
                return fail(
                    Fault(
                        code: .bodyTooLarge, offset: bound,
                        message: "a body is longer than \(rules.limits.bodyOctets) octets"))
            }
            end = nul
        }
        body = start..<end
        return .frame(length: end &+ 1)
    }

    // MARK: - Frame

    /// The frame that the last step found. Two allocations, fewer where headers or body are
    /// missing.
    mutating func frame(in bytes: Octets) -> StompFrame {
        phase = .between
        return StompFrame(
            command, headers: headers(bytes), body: ContiguousArray(Octets(rebasing: bytes[body])))
    }

    /// Copies the header lines, unescaped, behind their table.
    private mutating func headers(_ bytes: Octets) -> StompHeaders {
        guard lineCount > 0, let source = bytes.baseAddress else { return StompHeaders() }
        let tableSize = lineCount &* StompHeaders.entrySize
        let size = tableSize &+ headerOctets
        if scratch.count < size {
            scratch = ContiguousArray(repeating: 0, count: max(size, 2 * scratch.count))
        }
        let storage = scratch.withUnsafeMutableBytes { scratch in
            // Not empty, so it has an address, and room for `size` octets.
            guard let target = scratch.baseAddress else { return ContiguousArray<UInt8>() }
            let used = lines.withUnsafeBufferPointer { table in
                let lines = UnsafeBufferPointer(rebasing: table[..<lineCount])
                scratch.copyMemory(from: UnsafeRawBufferPointer(lines))
                let plain = firstRewrite?.octet ?? headerOctets
                (target + tableSize).copyMemory(from: source + headersStart, byteCount: plain)
                guard let firstRewrite else { return size }
                let start = tableSize + plain
                return start
                    + Self.rewrite(
                        lines, from: firstRewrite.line, source + headersStart + plain,
                        to: (target + start).assumingMemoryBound(to: UInt8.self), table: target,
                        isRaw ? nil : Escapes(version))
            }
            // This initialiser, of all there are, allocates without looking types up at run time.
            return ContiguousArray(
                UnsafeBufferPointer(start: target.assumingMemoryBound(to: UInt8.self), count: used))
        }
        return StompHeaders(count: lineCount, storage: storage)
    }

    /// Copies lines of which some hold escapes or end in CR LF, and corrects their lengths in the
    /// table; returns how much was written. Neighbours that stay as they are go in one piece.
    private static func rewrite(
        _ lines: UnsafeBufferPointer<Line>, from first: Int, _ source: UnsafePointer<UInt8>,
        to target: UnsafeMutablePointer<UInt8>, table: UnsafeMutableRawPointer,
        _ escapes: Escapes?
    ) -> Int {
        var (read, write, pending) = (source, target, 0)
        for index in first..<lines.count {
            let line = lines[index]
            guard line.name & Line.rewriteFlag != 0 else {
                pending &+= line.octets
                continue
            }
            write.update(from: read, count: pending)
            read += pending
            write += pending
            pending = 0
            let (name, value) = (Int(line.name & ~Line.rewriteFlag), Int(line.value))
            let written = rewriteLine(read, name, value, to: write, escapes)
            write[Int(written.octets) - 1] = Octet.lineFeed
            read += name + 1 + value
            read += read[0] == Octet.carriageReturn ? 2 : 1
            write += written.octets
            table.storeBytes(
                of: written, toByteOffset: index &* StompHeaders.entrySize, as: Line.self)
        }
        write.update(from: read, count: pending)
        return write + pending - target
    }

    /// Copies one line but for its end, without escapes; returns its new lengths.
    //
    // Pointers into memory that the caller has made large enough: unescaping never makes a line
    // longer, and the benchmark pays for writing it without checks.
    private static func rewriteLine(
        _ source: UnsafePointer<UInt8>, _ name: Int, _ value: Int,
        to target: UnsafeMutablePointer<UInt8>, _ escapes: Escapes?
    ) -> Line {
        let count = name + 1 + value
        guard let escapes,
            let first = Octet.first(Octet.backslash, in: source, from: 0, to: count)
        else {
            target.update(from: source, count: count)
            return Line(name: UInt32(name), value: UInt32(value))
        }
        // An escape in the name moves the colon; nearly always the first stands behind it.
        let newName = first > name ? name : escapes.remove(from: source, name, to: target)
        let start = first > name ? first : name
        let newStart = first > name ? first : newName
        if first > name { target.update(from: source, count: first) }
        let rest = escapes.remove(from: source + start, count - start, to: target + newStart)
        return Line(name: UInt32(newName), value: UInt32(newStart + rest - newName - 1))
    }
}
