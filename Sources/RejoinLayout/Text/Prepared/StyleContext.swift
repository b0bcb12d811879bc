/// What a style and a shaper have in common for all texts: made once, shared by every
/// ``PreparedText`` of the style.
final class StyleContext: Sendable {
    let style: TextStyle
    let fontEpoch: UInt64
    /// The box of a line and the baseline in it, apart from the style, which is costly to copy.
    let lineBox: Int32
    let baseline: Int32
    /// The advance of a hyphen, as shown where a soft hyphen ends a line.
    let hyphen: Int32
    /// The advance of an ellipsis.
    let ellipsis: Int32
    /// The distance of tab stops; positive.
    let tabWidth: Int32
    /// The greatest ascent and descent for which a line keeps its box.
    let highest: Int32
    let lowest: Int32
    /// Stands for the style in the stamps of texts.
    let stamp: UInt64

    init(style: TextStyle, shaper: any TextShaper) {
        self.style = style
        fontEpoch = shaper.fontEpoch
        lineBox = style.lineBox
        baseline = style.baseline
        func width(of text: String) -> Int32 {
            let bytes = Array(text.utf8)
            let run = shaper.shape(
                ShapingRequest(
                    paragraph: bytes, range: 0..<bytes.count, font: style.font,
                    direction: .leftToRight, language: style.language, isIsolated: true))
            return run.clusters.reduce(0) {
                min(
                    PackedCluster.widest,
                    $0 + min(max(0, $1.advance.rawValue), PackedCluster.widest))
            }
        }
        hyphen = width(of: "\u{2010}")
        ellipsis = width(of: "\u{2026}")
        let given = style.tabWidth.rawValue
        tabWidth = max(64, given > 0 ? given : width(of: " ") * 8)
        let (box, baseline, overflow) = (
            Int64(style.lineBox), Int64(style.baseline), Int64(style.overflow)
        )
        highest = Int32(clamping: (baseline + overflow) * 64)
        lowest = Int32(clamping: (box - baseline + overflow) * 64)
        var hasher = Hasher()
        hasher.combine(style)
        hasher.combine(fontEpoch)
        stamp = UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
