import RejoinContracts
import RejoinLayout
import Testing

/// What holds for every line, over random texts full of white space, soft hyphens and wide
/// clusters, at many widths: the policies of `PreparedText` as properties.
@Suite("Rules that every line keeps")
struct LineRuleTests {
    private static let pool: [Character] = Array(
        "abcdefgh   \t\u{AD}a\u{AD}b\u{AD}한글日本。,-()\u{3000}👍e\u{301}\u{A0}\u{200B}")
    private static let hanging: Set<Unicode.Scalar> = [" ", "\t", "\u{3000}", "\u{200B}"]

    private static let texts: [String] = {
        var random = SeededGenerator(seed: 5)
        return (0..<300).map { number in
            String((0...number % 40).compactMap { _ in pool.randomElement(using: &random) })
        }
    }()

    private static func isContent(_ scalar: Unicode.Scalar) -> Bool {
        !hanging.contains(scalar) && scalar != "\u{AD}"
    }

    private static func hasContent(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        scalars.contains { isContent($0) }
    }

    /// The scalars of a line.
    private func scalars(_ bytes: [UInt8], _ line: TextLine) -> [Unicode.Scalar] {
        Array(String(decoding: bytes[line.range], as: UTF8.self).unicodeScalars)
    }

    private func forEachLayout(
        _ manner: SyntheticShaper.Manner, _ body: (String, Int32, TextLayout) -> Void
    ) {
        let shaper = SyntheticShaper(manner)
        let preparer = TextPreparer(shaper: shaper)
        for text in Self.texts {
            let prepared = preparer.prepare(text, style: .test)
            for width: Int32 in [0, 5, 10, 17, 20, 30, 40, 55, 70, 100, 140] {
                body(text, width, prepared.layout(width: width, shaper: shaper))
            }
        }
    }

    @Test(
        "No line but one of white space that begins the text is without content; none begins with it",
        arguments: SyntheticShaper.manners)
    func content(_ manner: SyntheticShaper.Manner) {
        forEachLayout(manner) { text, width, layout in
            let bytes = Array(text.utf8)
            for (number, line) in layout.lines.enumerated() where number > 0 {
                let scalars = scalars(bytes, line)
                let rest = String(decoding: bytes[line.range.lowerBound...], as: UTF8.self)
                // White space all through: one line.
                guard Self.hasContent(rest.unicodeScalars) || number > 1 else { continue }
                let label = "\(text.debugDescription) at \(width), line \(number)"
                #expect(Self.hasContent(scalars), "\(label)")
                if let first = scalars.first { #expect(!Self.hanging.contains(first), "\(label)") }
            }
        }
    }

    @Test(
        "A line that ends at a soft hyphen shows it, and it fits",
        arguments: SyntheticShaper.manners)
    func softHyphens(_ manner: SyntheticShaper.Manner) {
        forEachLayout(manner) { text, width, layout in
            let bytes = Array(text.utf8)
            for line in layout.lines {
                let scalars = scalars(bytes, line)
                let label = "\(text.debugDescription) at \(width): \(line.range)"
                let isSoft =
                    scalars.last == "\u{AD}"
                    && scalars.last { $0 != "\u{AD}" }.map { Self.isContent($0) } == true
                if line.showsHyphen {
                    #expect(isSoft && !line.endsParagraph, "\(label)")
                    #expect(line.width <= Advance(pixels: width), "\(label)")
                } else if isSoft, !line.endsParagraph {
                    // Where not even one cluster and a hyphen have room.
                    var content = String.UnicodeScalarView(scalars)
                    while let last = content.last, last == "\u{AD}" { content.removeLast() }
                    let breaks = TextBreaks(of: String(content)).graphemes
                    #expect(breaks.count <= 1, "\(label)")
                }
            }
        }
    }

    @Test("An emergency cut comes only where no break fits, and widths are sums")
    func emergencies() {
        forEachLayout(SyntheticShaper.fixed) { text, width, layout in
            let bytes = Array(text.utf8)
            // A break before white space, as between a space and a tab, lies behind it.
            let breaks = TextBreaks(of: text, hangul: .word).allowed.map { place in
                let rest = String(decoding: bytes[place...], as: UTF8.self).unicodeScalars
                return place
                    + rest.prefix { !Self.isContent($0) }.reduce(0) { $0 + UTF8.width($1) }
            }
            for line in layout.lines {
                let scalars = scalars(bytes, line)
                let label = "\(text.debugDescription) at \(width): \(line.range)"
                if !line.endsParagraph, !breaks.contains(line.range.upperBound) {
                    for place in breaks where line.range.contains(place) {
                        guard place > line.range.lowerBound else { continue }
                        let before = String(
                            decoding: bytes[line.range.lowerBound..<place], as: UTF8.self)
                        #expect(!Self.hasContent(before.unicodeScalars), "\(label)")
                    }
                }
                guard !scalars.contains("\t"), !scalars.contains("\u{301}") else { continue }
                let end = scalars.lastIndex { Self.isContent($0) } ?? -1
                let shown = scalars[...end].count { $0 != "\u{AD}" && $0 != "\u{200B}" }
                let columns = shown + (line.showsHyphen ? 1 : 0)
                #expect(line.width == Advance(pixels: Int32(columns * 10)), "\(label)")
            }
        }
    }
}
