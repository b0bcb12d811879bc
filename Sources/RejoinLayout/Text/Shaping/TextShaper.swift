/// Turns text into advances: the seam between the layout, which is the same everywhere, and a
/// platform's fonts.
///
/// A shaper belongs to one thread or task at a time (Pango wants a font map for each thread; layout
/// objects of CoreText belong to one queue), so it is not `Sendable`; a ``TextShaperFactory`` makes
/// one for each.
///
/// The same call gives the same answer as long as ``fontEpoch`` is the same, whatever was asked
/// before.
public protocol TextShaper: AnyObject {
    /// Rises when fonts were added, removed or replaced: everything shaped before is void.
    var fontEpoch: UInt64 { get }

    /// The metrics of a font's own line, without fallback.
    func metrics(of font: FontRequest) -> FontMetrics

    /// Shapes a range of one paragraph.
    ///
    /// What surrounds the range is context: letters join across its ends as they do in the
    /// paragraph, unless ``ShapingRequest/isIsolated`` asks for the range as a line of its own.
    ///
    /// - Complexity: linear in the range for any text (hostile ones included).
    func shape(_ request: ShapingRequest) -> ShapedRun

    /// The advance of one space (U+0020) between two characters, which may decide in whose font it
    /// stands.
    ///
    /// Where the words on both sides are context-free, ``shape(_:)`` gives the space between them
    /// this advance, so a layout that knows the words need not shape the text.
    ///
    /// - Parameters:
    ///   - previous: the last scalar before the spaces; `nil` at the start of the paragraph and
    ///     where it is of another ``ShapingRequest/run``.
    ///   - letter: the last one that is of a script, where `previous` is an emoji or a sign that
    ///     has none, or is of another run; `nil` where `previous` tells by itself.
    ///   - next: the first scalar after the spaces; U+FE0F where that follows it and makes an emoji
    ///     of it; `nil` at the paragraph's end and where it is of another run.
    func spaceAdvance(
        after previous: Unicode.Scalar?, inScriptOf letter: Unicode.Scalar?,
        before next: Unicode.Scalar?, font: FontRequest, direction: TextDirection, language: String
    ) -> Advance

    /// The resolved levels (UAX #9) of a paragraph, one for each byte of it, without the reordering
    /// rules that depend on lines (L1 is the layout's).
    ///
    /// - Parameter base: the paragraph's direction, which the layout has found by rules P2 and P3.
    func bidiLevels(of paragraph: [UInt8], base: TextDirection) -> [UInt8]

    /// Where words of a dictionary script (Thai, Lao, Khmer, Burmese; class SA of UAX #14) may be
    /// broken: ascending offsets of UTF-8 in the paragraph, strictly within the range. Empty where
    /// the shaper knows no dictionary.
    func dictionaryBreaks(in paragraph: [UInt8], range: Range<Int>) -> [Int]
}

extension TextShaper {
    /// The advance of a space on its own: right for shapers whose space has one font everywhere.
    public func spaceAdvance(
        after previous: Unicode.Scalar?, inScriptOf letter: Unicode.Scalar?,
        before next: Unicode.Scalar?, font: FontRequest, direction: TextDirection, language: String
    ) -> Advance {
        let run = shape(
            ShapingRequest(
                paragraph: [0x20], range: 0..<1, font: font, direction: direction,
                language: language, isIsolated: true))
        return run.clusters.first?.advance ?? .zero
    }
}

/// Makes shapers, one for each thread that measures.
public protocol TextShaperFactory: Sendable {
    /// Makes a shaper whose fonts are loaded (the first use of a font map takes up to 40 ms).
    func makeShaper() -> any TextShaper
}

/// What is to be shaped: one range of one paragraph, in one font and one direction.
public struct ShapingRequest {
    /// The paragraph, in well-formed UTF-8 without U+0000.
    public let paragraph: [UInt8]
    /// The bytes to shape. Its ends are boundaries of clusters (UAX #29).
    public let range: Range<Int>
    /// The bytes around the range that have its font and its bidi level: spaces stand in a font
    /// that is chosen within them. The range lies in it.
    public let run: Range<Int>
    /// The font.
    public let font: FontRequest
    /// The direction of the range, by its bidi level.
    public let direction: TextDirection
    /// The language, as a BCP 47 tag; empty where none is known.
    public let language: String
    /// Whether the range is shaped as if nothing stood before and after it: as a line of its own.
    public let isIsolated: Bool

    /// Creates a request.
    ///
    /// - Parameter run: nil means the whole paragraph.
    public init(
        paragraph: [UInt8], range: Range<Int>, run: Range<Int>? = nil, font: FontRequest,
        direction: TextDirection, language: String, isIsolated: Bool = false
    ) {
        self.paragraph = paragraph
        self.range = range
        self.run = run ?? 0..<paragraph.count
        self.font = font
        self.direction = direction
        self.language = language
        self.isIsolated = isIsolated
    }
}

/// The advances of a shaped range, in logical order.
public struct ShapedRun: Hashable, Sendable {
    /// One unit that can only be placed whole: a letter with its marks, a ligature, an emoji.
    public struct Cluster: Hashable, Sendable {
        /// Where it begins: an offset of UTF-8 in the paragraph. It ends where the next one begins.
        public var start: Int32
        /// How far it moves the pen; 0 for a cluster that draws nothing, never negative.
        public var advance: Advance
        /// Whether the text may be cut before it and both sides keep their advances (HarfBuzz's
        /// `UNSAFE_TO_BREAK`, turned round).
        public var isSafeToCut: Bool

        /// Creates a cluster.
        public init(start: Int32, advance: Advance, isSafeToCut: Bool) {
            self.start = start
            self.advance = advance
            self.isSafeToCut = isSafeToCut
        }
    }

    /// The clusters. The first begins where the range does; starts ascend strictly.
    public var clusters: [Cluster]
    /// The tallest metrics among the fonts that were used, fallback included.
    public var extent: FontMetrics
    /// Whether every word of the range has the same advances wherever it stands between spaces, in
    /// this font, direction and language: then the word cache may keep them one by one. A shaper
    /// says so only where it can prove it (with HarfBuzz: no lookup of the fonts used touches the
    /// space, and no choice of font or script hangs on the neighbours). Spaces themselves are left
    /// out: see ``TextShaper/spaceAdvance(after:inScriptOf:before:font:direction:language:)``.
    public var isContextFree: Bool

    /// Creates a run.
    public init(clusters: [Cluster], extent: FontMetrics, isContextFree: Bool) {
        self.clusters = clusters
        self.extent = extent
        self.isContextFree = isContextFree
    }
}
