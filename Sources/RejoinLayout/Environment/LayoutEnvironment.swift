public import Foundation

/// Everything outside a message that its layout depends on. Two layouts are the same where row,
/// content and environment are.
public struct LayoutEnvironment: Hashable, Sendable {
    /// Device pixels per point: 1, 2 or 3.
    public var scale: Int32
    /// The width of the list, in device pixels; beyond 16,777,216 it counts as that.
    public var width: Int32
    /// The type size that the person chose, in percent of the standard size; below 1 and beyond 500
    /// it counts as these.
    public var typeSize: Int32
    /// Whether the person asked for bold text.
    public var isBoldText: Bool
    /// The direction in which the app is read; each paragraph has its own.
    public var direction: TextDirection
    /// The person's languages in their order, as BCP 47 tags: they decide which glyphs Han
    /// characters get.
    public var languages: [String]
    /// How numbers and times are written.
    public var locale: Locale
    /// Where the person is in time.
    public var timeZone: TimeZone
    /// How days are counted.
    public var calendar: Calendar
    /// The start of the current day: date headers say "today" by it.
    public var today: Date
    /// The fonts: see ``TextShaper/fontEpoch``.
    public var fontEpoch: UInt64
    /// How Korean is broken.
    public var hangul: HangulBreaking

    /// Creates an environment.
    public init(
        scale: Int32 = 1, width: Int32, typeSize: Int32 = 100, isBoldText: Bool = false,
        direction: TextDirection = .leftToRight, languages: [String] = ["en"],
        locale: Locale = Locale(identifier: "en_US"), timeZone: TimeZone = .gmt,
        calendar: Calendar = Calendar(identifier: .gregorian), today: Date,
        fontEpoch: UInt64 = 0, hangul: HangulBreaking = .word
    ) {
        self.scale = scale
        self.width = width
        self.typeSize = typeSize
        self.isBoldText = isBoldText
        self.direction = direction
        self.languages = languages
        self.locale = locale
        self.timeZone = timeZone
        self.calendar = calendar
        self.today = today
        self.fontEpoch = fontEpoch
        self.hangul = hangul
    }

    /// A length in points at the standard type size, in whole device pixels.
    public func pixels(_ points: Int32) -> Int32 { points * scale }

    /// A font size in points, scaled by the type size, in 26.6 device pixels.
    public func fontSize(_ points: Int32) -> Advance {
        Advance(rawValue: points * scale * 64 * min(max(typeSize, 1), 500) / 100)
    }
}

/// Where a line of Korean may be broken. UAX #14 breaks between any two syllables; UI text of today
/// keeps words together.
public enum HangulBreaking: Hashable, Sendable {
    /// Between any two syllables, as UAX #14 without tailoring.
    case syllable
    /// At spaces only, as CSS `word-break: keep-all` does for Hangul.
    case word
}
