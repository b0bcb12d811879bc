#if canImport(CPango)
public import RejoinLayout

/// Makes a ``PangoShaper`` for each thread that measures.
public struct PangoShaperFactory: TextShaperFactory {
    private let fonts: PinnedFonts
    private let fontEpoch: UInt64

    /// Creates a factory and looks for the fonts (5 to 40 ms).
    ///
    /// - Throws: ``TypographyError`` where a pinned font is missing: it says which, and which
    ///   package brings it.
    public init(fonts: PinnedFonts = .standard, fontEpoch: UInt64 = 0) throws(TypographyError) {
        self.fonts = fonts
        self.fontEpoch = fontEpoch
        _ = try FontMap(fonts: fonts)
    }

    /// Makes a shaper and warms it up: the fonts of the usual scripts are found and loaded.
    ///
    /// The fonts were there when the factory was made; that they vanished since is misuse of the
    /// machine, and traps with the error's text.
    public func makeShaper() -> any TextShaper { makePangoShaper() }

    /// As ``makeShaper()``, for callers that also draw.
    public func makePangoShaper() -> PangoShaper {
        do {
            let shaper = try PangoShaper(fonts: fonts, fontEpoch: fontEpoch)
            let sample = [UInt8]("Ab 가 漢 あ 😀".utf8)
            _ = shaper.shape(
                ShapingRequest(
                    paragraph: sample, range: 0..<sample.count,
                    font: FontRequest(size: Advance(pixels: 16)), direction: .leftToRight,
                    language: ""))
            return shaper
        } catch {
            // The same fonts were found in `init`; without them no size would be true any more.
            fatalError(error.description)
        }
    }
}
#endif
