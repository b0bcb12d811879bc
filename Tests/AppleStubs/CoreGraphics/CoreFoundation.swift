// C functions have the names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Declarations of CoreFoundation, which CoreGraphics and CoreText bring along. They stand here,
// because on Linux the toolchain's own Foundation occupies the module's name.
//
// What Swift bridges on Apple's platforms is here the Swift type itself, so that `as` is checked.

private func unavailable() -> Never { fatalError("declarations for type-checking only") }

/// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String
/// https://developer.apple.com/documentation/corefoundation/cfattributedstring
public typealias CFAttributedString = NSAttributedString
/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = [String: Any]
/// https://developer.apple.com/documentation/corefoundation/cfarray
public typealias CFArray = [Any]
/// https://developer.apple.com/documentation/corefoundation/cfindex
public typealias CFIndex = Int
/// https://developer.apple.com/documentation/corefoundation/cfoptionflags
public typealias CFOptionFlags = UInt

/// https://developer.apple.com/documentation/corefoundation/cfrange
public struct CFRange: Sendable {
    public var location: CFIndex
    public var length: CFIndex
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }
}

/// https://developer.apple.com/documentation/corefoundation/cfallocator
public final class CFAllocator {
    private init() {}
}

/// https://developer.apple.com/documentation/corefoundation/kcfallocatordefault
public var kCFAllocatorDefault: CFAllocator? { unavailable() }

/// https://developer.apple.com/documentation/corefoundation/cflocale
public final class CFLocale {
    private init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfstringtokenizer
public final class CFStringTokenizer {
    fileprivate init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfstringtokenizertokentype
public struct CFStringTokenizerTokenType: OptionSet, Sendable {
    public let rawValue: CFOptionFlags
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }
}

/// https://developer.apple.com/documentation/corefoundation/kcfstringtokenizerunitlinebreak
public var kCFStringTokenizerUnitLineBreak: CFOptionFlags { unavailable() }

// These functions are not audited for null, so their types are implicitly unwrapped.

/// https://developer.apple.com/documentation/corefoundation/cfstringtokenizercreate(_:_:_:_:_:)
public func CFStringTokenizerCreate(
    _ alloc: CFAllocator!, _ string: CFString!, _ range: CFRange, _ options: CFOptionFlags,
    _ locale: CFLocale!
) -> CFStringTokenizer! { unavailable() }

/// https://developer.apple.com/documentation/corefoundation/cfstringtokenizeradvancetonexttoken(_:)
public func CFStringTokenizerAdvanceToNextToken(
    _ tokenizer: CFStringTokenizer!
) -> CFStringTokenizerTokenType { unavailable() }

/// https://developer.apple.com/documentation/corefoundation/cfstringtokenizergetcurrenttokenrange(_:)
public func CFStringTokenizerGetCurrentTokenRange(_ tokenizer: CFStringTokenizer!) -> CFRange {
    unavailable()
}
