/// Where a text may be cut: one pass of both machines over its UTF-8, linear in it.
///
/// The buffer belongs to the caller and keeps its storage from text to text.
struct TextAnalysis {
    /// What was found at a byte that begins a code point; 0 at all others.
    struct Marks: OptionSet {
        let rawValue: UInt8
        /// A line may end before it (UAX #14).
        static let lineBreak = Marks(rawValue: 1)
        /// A line must end before it.
        static let mandatory = Marks(rawValue: 2)
        /// A grapheme cluster begins with it (UAX #29).
        static let grapheme = Marks(rawValue: 4)
        /// White space that hangs at the end of a line.
        static let hangs = Marks(rawValue: 8)
        /// Class SA: a dictionary knows its words.
        static let dictionary = Marks(rawValue: 16)
        /// It ends a line.
        static let terminator = Marks(rawValue: 32)
    }

    /// A mark for each byte.
    private(set) var marks: [Marks] = []
    /// Whether a character may stand elsewhere than its order tells.
    private(set) var hasRightToLeft = false
    /// Whether a dictionary is needed.
    private(set) var hasDictionary = false
    /// Whether a line ends inside.
    private(set) var hasTerminator = false
    /// Whether each byte is a code point.
    private(set) var isASCII = true

    /// An empty one.
    init() {}

    /// Finds everything in a text of well-formed UTF-8. Ill-formed bytes give arbitrary marks.
    mutating func analyze(_ bytes: [UInt8], hangul: HangulBreaking) {
        marks.removeAll(keepingCapacity: true)
        marks.append(contentsOf: repeatElement([], count: bytes.count))
        let machine = LineBreakMachine.machine(for: hangul)
        // Unsafe buffers, since checked arrays took three times as long per code point. Reads of
        // the text are guarded by its count; the tables hold all their classes and states.
        let seen = bytes.withUnsafeBufferPointer { bytes in
            marks.withUnsafeMutableBufferPointer { marks in
                machine.table.withUnsafeBufferPointer { lines in
                    GraphemeMachine.shared.table.withUnsafeBufferPointer { graphemes in
                        CharacterTables.shared.withReader { characters in
                            Self.run(bytes, &marks, characters, lines, graphemes)
                        }
                    }
                }
            }
        }
        isASCII = !seen.contains(.other)
        hasRightToLeft = seen.contains(.rightToLeft)
        hasDictionary = seen.contains(.dictionary)
        hasTerminator = seen.contains(.terminator)
    }

    /// What a text holds.
    private struct Seen: OptionSet {
        let rawValue: UInt8
        static let other = Seen(rawValue: 1)
        static let rightToLeft = Seen(rawValue: 2)
        static let dictionary = Seen(rawValue: 4)
        static let terminator = Seen(rawValue: 8)
    }

    private static func run(
        _ bytes: UnsafeBufferPointer<UInt8>, _ marks: inout UnsafeMutableBufferPointer<Marks>,
        _ characters: CharacterTables.Reader, _ lines: UnsafeBufferPointer<UInt16>,
        _ graphemes: UnsafeBufferPointer<UInt16>
    ) -> Seen {
        let count = bytes.count
        // A letter after a letter changes nothing: most of most texts.
        let letter = characters.ascii(0x61)
        let letterLine = Int(lines[letter.line] >> 4) << 6
        let letterGrapheme = Int(graphemes[letter.grapheme] >> 4) << 4
        var seen: Seen = []
        var lineState = 0
        var graphemeState = 0
        var provisional = 0
        var place = 0
        while place < count {
            let start = place
            let properties: CharacterProperties
            let byte = bytes[place]
            if byte < 0x80 {
                place += 1
                properties = characters.ascii(byte)
            } else {
                properties = characters.properties(of: decode(bytes, &place))
                seen.insert(.other)
            }
            if properties == letter, lineState == letterLine, graphemeState == letterGrapheme {
                marks[start] = .grapheme
                continue
            }
            let lineClass = properties.line
            let line = lines[lineState | lineClass]
            lineState = Int(line >> 4) << 6
            let grapheme = graphemes[graphemeState | properties.grapheme]
            graphemeState = Int(grapheme >> 4) << 4
            var mark = UInt8(truncatingIfNeeded: line & 3 | (grapheme & 1) << 2)
            mark |= properties.hangs ? Marks.hangs.rawValue : 0
            // BK, CR, LF and NL are the classes 1 to 4.
            if lineClass &- 1 < 4, lineClass > 0 {
                mark |= Marks.terminator.rawValue
                seen.insert(.terminator)
            }
            if properties.isUnusual { note(properties, &mark, &seen) }
            if line & (LineBreakMachine.provisional | LineBreakMachine.takesBack) != 0 {
                if line & LineBreakMachine.takesBack != 0 {
                    marks[provisional].remove(.lineBreak)
                }
                provisional = start
            }
            marks[start] = Marks(rawValue: mark)
        }
        return seen
    }

    private static func note(
        _ properties: CharacterProperties, _ mark: inout UInt8, _ seen: inout Seen
    ) {
        switch properties.direction {
        case .right, .isolate, .popIsolate, .reordered: seen.insert(.rightToLeft)
        case .left, .neutral: break
        }
        if properties.isDictionary {
            mark |= Marks.dictionary.rawValue
            seen.insert(.dictionary)
        }
    }

    /// Allows or forbids a break where a dictionary said so.
    mutating func allowLineBreak(at place: Int) { marks[place].insert(.lineBreak) }

    /// The code point at a place, which moves behind it.
    static func decode(_ bytes: [UInt8], _ place: inout Int) -> UInt32 {
        bytes.withUnsafeBufferPointer { decode($0, &place) }
    }

    /// The same; a code point that the text breaks off ends with it.
    @inline(__always)
    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int
    ) -> UInt32 {
        let first = UInt32(bytes[place])
        place += 1
        if first < 0x80 { return first }
        var (code, more) =
            first < 0xE0 ? (first & 0x1F, 1) : first < 0xF0 ? (first & 0x0F, 2) : (first & 7, 3)
        while more > 0, place < bytes.count {
            code = code << 6 | UInt32(bytes[place] & 0x3F)
            place += 1
            more -= 1
        }
        return code
    }
}
