// C functions have the names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Declarations of CoreText that the Apple sources use, for `make check-apple`, which compiles and
// never runs them.

@_exported import CoreGraphics

private func unavailable() -> Never { fatalError("declarations for type-checking only") }

// MARK: Fonts

/// https://developer.apple.com/documentation/coretext/ctfont
public final class CTFont {
    private init() {}
}

/// https://developer.apple.com/documentation/coretext/ctfontuifonttype
public enum CTFontUIFontType: UInt32, Sendable {
    /// https://developer.apple.com/documentation/coretext/ctfontuifonttype/system
    case system = 2
    /// https://developer.apple.com/documentation/coretext/ctfontuifonttype/userfixedpitch
    case userFixedPitch = 1
}

/// https://developer.apple.com/documentation/coretext/ctfontsymbolictraits
public struct CTFontSymbolicTraits: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// https://developer.apple.com/documentation/coretext/ctfontsymbolictraits/traitbold
    public static var traitBold: CTFontSymbolicTraits { unavailable() }
    /// https://developer.apple.com/documentation/coretext/ctfontsymbolictraits/traititalic
    public static var traitItalic: CTFontSymbolicTraits { unavailable() }
}

/// https://developer.apple.com/documentation/coretext/ctfontcreatewithname(_:_:_:)
public func CTFontCreateWithName(
    _ name: CFString, _ size: CGFloat, _ matrix: UnsafePointer<CGAffineTransform>?
) -> CTFont { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctfontcreateuifontforlanguage(_:_:_:)
public func CTFontCreateUIFontForLanguage(
    _ uiType: CTFontUIFontType, _ size: CGFloat, _ language: CFString?
) -> CTFont? { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctfontcreatecopywithsymbolictraits(_:_:_:_:_:)
public func CTFontCreateCopyWithSymbolicTraits(
    _ font: CTFont, _ size: CGFloat, _ matrix: UnsafePointer<CGAffineTransform>?,
    _ symTraitValue: CTFontSymbolicTraits, _ symTraitMask: CTFontSymbolicTraits
) -> CTFont? { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctfontgetascent(_:)
public func CTFontGetAscent(_ font: CTFont) -> CGFloat { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctfontgetdescent(_:)
public func CTFontGetDescent(_ font: CTFont) -> CGFloat { unavailable() }

// MARK: Attributes

/// https://developer.apple.com/documentation/coretext/kctfontattributename
public var kCTFontAttributeName: CFString { unavailable() }

/// https://developer.apple.com/documentation/coretext/kctforegroundcolorfromcontextattributename
public var kCTForegroundColorFromContextAttributeName: CFString { unavailable() }

/// https://developer.apple.com/documentation/coretext/kctlanguageattributename
public var kCTLanguageAttributeName: CFString { unavailable() }

// MARK: Typesetting

/// https://developer.apple.com/documentation/coretext/cttypesetter
public final class CTTypesetter {
    private init() {}
}

/// https://developer.apple.com/documentation/coretext/kcttypesetteroptionforcedembeddinglevel
public var kCTTypesetterOptionForcedEmbeddingLevel: CFString { unavailable() }

/// https://developer.apple.com/documentation/coretext/cttypesettercreatewithattributedstringandoptions(_:_:)
public func CTTypesetterCreateWithAttributedStringAndOptions(
    _ string: CFAttributedString, _ options: CFDictionary?
) -> CTTypesetter? { unavailable() }

/// https://developer.apple.com/documentation/coretext/cttypesettercreateline(_:_:)
public func CTTypesetterCreateLine(_ typesetter: CTTypesetter, _ stringRange: CFRange) -> CTLine {
    unavailable()
}

// MARK: Lines and runs

/// https://developer.apple.com/documentation/coretext/ctline
public final class CTLine {
    private init() {}
}

/// https://developer.apple.com/documentation/coretext/ctlinecreatewithattributedstring(_:)
public func CTLineCreateWithAttributedString(_ attrString: CFAttributedString) -> CTLine {
    unavailable()
}

/// https://developer.apple.com/documentation/coretext/ctlinegetglyphruns(_:)
public func CTLineGetGlyphRuns(_ line: CTLine) -> CFArray { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctrun
public final class CTRun {
    private init() {}
}

/// https://developer.apple.com/documentation/coretext/ctrunstatus
public struct CTRunStatus: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// https://developer.apple.com/documentation/coretext/ctrunstatus/righttoleft
    public static var rightToLeft: CTRunStatus { unavailable() }
}

/// https://developer.apple.com/documentation/coretext/ctrungetstatus(_:)
public func CTRunGetStatus(_ run: CTRun) -> CTRunStatus { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctrungetstringrange(_:)
public func CTRunGetStringRange(_ run: CTRun) -> CFRange { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctrungetglyphcount(_:)
public func CTRunGetGlyphCount(_ run: CTRun) -> CFIndex { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctrungetstringindices(_:_:_:)
public func CTRunGetStringIndices(
    _ run: CTRun, _ range: CFRange, _ buffer: UnsafeMutablePointer<CFIndex>
) { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctrungetadvances(_:_:_:)
public func CTRunGetAdvances(
    _ run: CTRun, _ range: CFRange, _ buffer: UnsafeMutablePointer<CGSize>
) { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctrungettypographicbounds(_:_:_:_:_:)
public func CTRunGetTypographicBounds(
    _ run: CTRun, _ range: CFRange, _ ascent: UnsafeMutablePointer<CGFloat>?,
    _ descent: UnsafeMutablePointer<CGFloat>?, _ leading: UnsafeMutablePointer<CGFloat>?
) -> Double { unavailable() }

/// https://developer.apple.com/documentation/coretext/ctrundraw(_:_:_:)
public func CTRunDraw(_ run: CTRun, _ context: CGContext, _ range: CFRange) { unavailable() }
