#if canImport(CoreText)
public import RejoinLayout

/// Makes a ``CoreTextShaper`` for each thread that measures.
public struct CoreTextShaperFactory: TextShaperFactory {
    private let scale: Int32
    private let fontEpoch: UInt64

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - scale: device pixels per point.
    ///   - fontEpoch: rises when fonts were added or replaced; the host counts.
    public init(scale: Int32, fontEpoch: UInt64 = 0) {
        self.scale = scale
        self.fontEpoch = fontEpoch
    }

    /// Makes a shaper and warms it up: the fonts of the usual scripts are found and loaded.
    public func makeShaper() -> any TextShaper { makeCoreTextShaper() }

    /// As ``makeShaper()``, for callers that also draw.
    public func makeCoreTextShaper() -> CoreTextShaper {
        let shaper = CoreTextShaper(scale: scale, fontEpoch: fontEpoch)
        let sample = [UInt8]("Ab 가 漢 あ 😀".utf8)
        _ = shaper.shape(
            ShapingRequest(
                paragraph: sample, range: 0..<sample.count,
                font: FontRequest(size: Advance(pixels: 17 * scale)), direction: .leftToRight,
                language: ""))
        return shaper
    }
}
#endif
