#if canImport(CoreText)
internal import CoreText
internal import Foundation
internal import RejoinLayout

/// The fonts of one shaper, by what the layout asks for.
///
/// They are made in points, because the system's font chooses its shapes and spacing by the size in
/// points; what is measured with them is multiplied by the scale.
final class CoreTextFonts {
    private let scale: Int32
    private var fonts: [FontRequest: CTFont] = [:]

    /// How many are kept; where a further one comes, all are dropped. A chat has fewer than ten.
    private static let limit = 64

    init(scale: Int32) { self.scale = scale }

    func font(for request: FontRequest) -> CTFont {
        if let known = fonts[request] { return known }
        if fonts.count >= Self.limit { fonts.removeAll() }
        let font = make(request)
        fonts[request] = font
        return font
    }

    private func make(_ request: FontRequest) -> CTFont {
        let size = CGFloat(request.size.pixels) / CGFloat(scale)
        let plain =
            switch request.family {
            case .text: system(.system, size)
            case .monospaced: system(.userFixedPitch, size)
            case .named(let name): CTFontCreateWithName(name as CFString, size, nil)
            }
        var traits: CTFontSymbolicTraits = []
        if request.isBold { traits.insert(.traitBold) }
        if request.isItalic { traits.insert(.traitItalic) }
        guard !traits.isEmpty else { return plain }
        // A family without the trait stays as it is.
        return CTFontCreateCopyWithSymbolicTraits(plain, 0, nil, traits, traits) ?? plain
    }

    private func system(_ type: CTFontUIFontType, _ size: CGFloat) -> CTFont {
        CTFontCreateUIFontForLanguage(type, size, nil)
            ?? CTFontCreateWithName("Helvetica" as CFString, size, nil)
    }
}
#endif
