#if canImport(CoreText)
internal import CoreText
internal import Foundation
public import RejoinLayout

/// Shapes text on Apple's platforms with the fonts that the system chooses.
///
/// CoreText does not tell where a text may be cut without changing its advances, nor what its
/// lookups read, so no cut is called safe and no word context-free: the layout asks for each line
/// that it cuts, and nothing is remembered word by word. It belongs to one thread at a time.
public final class CoreTextShaper: TextShaper {
    public let fontEpoch: UInt64
    /// Device pixels per point: the system's font has other shapes at other sizes in points.
    public let scale: Int32

    private let fonts: CoreTextFonts

    /// Creates a shaper.
    public init(scale: Int32, fontEpoch: UInt64 = 0) {
        self.scale = max(1, scale)
        self.fontEpoch = fontEpoch
        fonts = CoreTextFonts(scale: self.scale)
    }

    public func metrics(of font: FontRequest) -> FontMetrics {
        let found = fonts.font(for: font)
        return FontMetrics(
            ascent: CTFontGetAscent(found), descent: CTFontGetDescent(found), scale: scale)
    }

    public func shape(_ request: ShapingRequest) -> ShapedRun {
        guard !request.range.isEmpty else {
            return ShapedRun(
                clusters: [], extent: metrics(of: request.font), isContextFree: false)
        }
        let (text, clusters) = typeset(request)
        return ShapedRun(
            clusters: clusters.map {
                ShapedRun.Cluster(
                    start: Int32($0.start + text.context.lowerBound), advance: $0.advance,
                    isSafeToCut: false)
            }, extent: text.extent(scale: scale), isContextFree: false)
    }

    public func bidiLevels(of paragraph: [UInt8], base: TextDirection) -> [UInt8] {
        CoreTextLevels.resolve(paragraph, base: base)
    }

    public func dictionaryBreaks(in paragraph: [UInt8], range: Range<Int>) -> [Int] {
        CoreTextBreaks.find(in: paragraph, range: range)
    }

    /// The set text of a request, and the clusters of its range by offsets in the set text. Where a
    /// ligature reaches beyond the range, the range is set alone.
    func typeset(
        _ request: ShapingRequest
    ) -> (text: TypesetText, clusters: ArraySlice<GlyphClusters.Cluster>) {
        let font = fonts.font(for: request.font)
        let range = request.range
        if !request.isIsolated {
            let context = JoiningContext.extend(range, in: request.paragraph)
            let text = TypesetText(request, context: context, font: font)
            let clusters = text.clusters(of: request.paragraph, scale: scale)
            let inside =
                range.lowerBound - context.lowerBound..<range.upperBound - context.lowerBound
            if let found = clusters.clusters(in: inside, of: context.count) {
                return (text, found)
            }
        }
        let text = TypesetText(request, context: range, font: font)
        return (text, text.clusters(of: request.paragraph, scale: scale).clusters[...])
    }
}
#endif
