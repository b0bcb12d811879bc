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
        let count = bytes.count
        marks.removeAll(keepingCapacity: true)
        marks.append(contentsOf: repeatElement([], count: count))
        hasRightToLeft = false
        hasDictionary = false
        hasTerminator = false
        isASCII = true
        let characters = CharacterTables.shared
        let lines = LineBreakMachine.machine(for: hangul).table
        let graphemes = GraphemeMachine.shared.table
        var lineState = 0
        var graphemeState = 0
        var provisional = 0
        var place = 0
        while place < count {
            let start = place
            let code = Self.decode(bytes, &place)
            let properties = characters.properties(of: code)
            let lineClass = properties.line
            let line = lines[lineState << 6 | lineClass]
            lineState = Int(line >> 4)
            let grapheme = graphemes[graphemeState << 4 | properties.grapheme]
            graphemeState = Int(grapheme >> 4)
            var mark = UInt8(truncatingIfNeeded: line & 3 | (grapheme & 1) << 2)
            if properties.rawValue & 0x7C00 != 0 || code >= 0x80 {
                note(properties, code, &mark)
            }
            if properties.hangs { mark |= Marks.hangs.rawValue }
            // BK, CR, LF and NL are the classes 1 to 4.
            if lineClass &- 1 < 4, lineClass > 0 {
                mark |= Marks.terminator.rawValue
                hasTerminator = true
            }
            if line & (LineBreakMachine.provisional | LineBreakMachine.takesBack) != 0 {
                if line & LineBreakMachine.takesBack != 0 {
                    marks[provisional].remove(.lineBreak)
                }
                provisional = start
            }
            marks[start] = Marks(rawValue: mark)
        }
    }

    /// Allows or forbids a break where a dictionary said so.
    mutating func allowLineBreak(at place: Int) { marks[place].insert(.lineBreak) }

    private mutating func note(
        _ properties: CharacterProperties, _ code: UInt32, _ mark: inout UInt8
    ) {
        if code >= 0x80 { isASCII = false }
        switch properties.direction {
        case .right, .isolate, .popIsolate, .reordered: hasRightToLeft = true
        case .left, .neutral: break
        }
        if properties.isDictionary {
            mark |= Marks.dictionary.rawValue
            hasDictionary = true
        }
    }

    /// The code point at a place, which moves behind it.
    static func decode(_ bytes: [UInt8], _ place: inout Int) -> UInt32 {
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
