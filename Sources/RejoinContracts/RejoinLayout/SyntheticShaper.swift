public import RejoinLayout

/// A shaper without fonts, whose answers follow from the text and a seed: layouts under it are the
/// same on every machine, and it can be as nasty as no font is.
public final class SyntheticShaper: TextShaper {
    /// How it behaves.
    public struct Manner: Hashable, Sendable, CustomStringConvertible {
        /// A name for reports.
        public var name: String
        /// Draws the advances.
        public var seed: UInt64 = 1
        /// The advance of every cluster, in 26.6 pixels; nil draws one for each from 1/64 to 20
        /// pixels.
        public var fixedAdvance: Int32?
        /// In percent, how many clusters have no width.
        public var zeroWidths = 0
        /// In percent, how many pairs of letters are one cluster.
        public var ligatures = 0
        /// In percent, how many letters come from a font that stands out of the line's box.
        public var tall = 0
        /// Whether the advance of a cluster hangs on the one before, so that no cut is safe and no
        /// word is free of context.
        public var isContextual = false
        /// Whether every cut is called unsafe, though none is.
        public var isSafeNowhere = false
        /// Whether words are called free of context, where they are.
        public var allowsCache = true

        /// Creates a manner that the fields refine.
        public init(_ name: String) { self.name = name }

        public var description: String { name }
    }

    /// How it behaves.
    public let manner: Manner
    public var fontEpoch: UInt64 = 1
    /// How many bytes it was asked to shape, for tests of cost.
    public private(set) var shapedByteCount = 0
    /// How often it was asked to shape.
    public private(set) var requestCount = 0

    /// Creates a shaper.
    public init(_ manner: Manner) { self.manner = manner }

    /// Every character is ten pixels wide: for tests that count by hand.
    public static var fixed: Manner {
        var manner = Manner("fixed")
        manner.fixedAdvance = 640
        return manner
    }

    /// All manners that a layout must stand.
    public static var manners: [Manner] {
        func manner(_ name: String, _ change: (inout Manner) -> Void) -> Manner {
            var manner = Manner(name)
            change(&manner)
            return manner
        }
        return [
            fixed,
            manner("random advances") { $0.seed = 2 },
            manner("zero widths") { ($0.seed, $0.zeroWidths) = (3, 40) },
            manner("nothing has a width") { $0.fixedAdvance = 0 },
            manner("ligatures") { ($0.seed, $0.ligatures) = (4, 40) },
            manner("tall runs") { ($0.seed, $0.tall) = (5, 10) },
            manner("no cache") { ($0.seed, $0.allowsCache) = (6, false) },
            manner("unsafe in name") { ($0.seed, $0.isSafeNowhere) = (7, true) },
            manner("contextual") { ($0.seed, $0.isContextual) = (8, true) },
            manner("everything at once") {
                $0.seed = 9
                $0.zeroWidths = 20
                $0.ligatures = 30
                $0.tall = 10
                $0.isContextual = true
            },
        ]
    }

    /// A factory of such shapers.
    public struct Factory: TextShaperFactory {
        /// How they behave.
        public let manner: Manner
        /// Creates a factory.
        public init(_ manner: Manner) { self.manner = manner }
        public func makeShaper() -> any TextShaper { SyntheticShaper(manner) }
    }

    /// Ascent and descent are 3/4 and 1/4 of the em.
    public func metrics(of font: FontRequest) -> FontMetrics {
        let size = font.size.rawValue
        return FontMetrics(
            ascent: Advance(rawValue: size - size / 4), descent: Advance(rawValue: size / 4))
    }

    public func shape(_ request: ShapingRequest) -> ShapedRun {
        requestCount += 1
        shapedByteCount += request.range.count
        let bytes = request.paragraph
        var clusters: [ShapedRun.Cluster] = []
        var extent = metrics(of: request.font)
        var place = request.range.lowerBound
        var before: UInt32 =
            place > 0 && !request.isIsolated ? Self.codePoint(bytes, endingAt: place) : 0
        while place < request.range.upperBound {
            let start = place
            let first = Self.codePoint(bytes, &place)
            var hash = mixed(UInt64(first), request.font)
            if Self.isLetter(first) {
                if chance(hash >> 8, manner.tall) {
                    extent.ascent = Advance(
                        rawValue: metrics(of: request.font).ascent.rawValue * 3)
                }
                var next = place
                if place < request.range.upperBound, chance(hash >> 16, manner.ligatures) {
                    let second = Self.codePoint(bytes, &next)
                    if Self.isLetter(second) {
                        place = next
                        hash = mixed(hash ^ UInt64(second), request.font)
                    }
                }
            }
            // Marks belong to their base.
            while place < request.range.upperBound {
                var next = place
                guard Self.isMark(Self.codePoint(bytes, &next)) else { break }
                place = next
            }
            if manner.isContextual { hash = mixed(hash ^ UInt64(before), request.font) }
            let isSafe = !manner.isSafeNowhere && !(manner.isContextual && before != 0)
            clusters.append(
                ShapedRun.Cluster(
                    start: Int32(start), advance: Advance(rawValue: advance(first, hash)),
                    isSafeToCut: isSafe))
            before = Self.codePoint(bytes, endingAt: place)
        }
        return ShapedRun(
            clusters: clusters, extent: extent,
            isContextFree: manner.allowsCache && !manner.isContextual)
    }

    /// A space is a character like any other, whatever stands beside it.
    public func spaceAdvance(
        after previous: Unicode.Scalar?, inScriptOf letter: Unicode.Scalar?,
        before next: Unicode.Scalar?, font: FontRequest, direction: TextDirection, language: String
    ) -> Advance {
        Advance(rawValue: advance(0x20, mixed(0x20, font)))
    }

    /// Strong characters by their script, all others by the base: enough to move runs about.
    public func bidiLevels(of paragraph: [UInt8], base: TextDirection) -> [UInt8] {
        var levels = [UInt8](repeating: base == .rightToLeft ? 1 : 0, count: paragraph.count)
        var place = 0
        while place < paragraph.count {
            let start = place
            let code = Self.codePoint(paragraph, &place)
            var level = levels[start]
            if (0x590..<0x900).contains(code) {
                level = 1
            } else if base == .rightToLeft, Self.isLetter(code) || (0x30..<0x3A).contains(code) {
                level = 2
            }
            for byte in start..<place { levels[byte] = level }
        }
        return levels
    }

    /// After every third code point.
    public func dictionaryBreaks(in paragraph: [UInt8], range: Range<Int>) -> [Int] {
        var breaks: [Int] = []
        var place = range.lowerBound
        var count = 0
        while place < range.upperBound {
            _ = Self.codePoint(paragraph, &place)
            count += 1
            if count % 3 == 0, place < range.upperBound { breaks.append(place) }
        }
        return breaks
    }

    private func advance(_ code: UInt32, _ hash: UInt64) -> Int32 {
        guard code != 0xAD, code != 0x200B else { return 0 }
        if let fixed = manner.fixedAdvance { return fixed }
        guard !chance(hash >> 24, manner.zeroWidths) else { return 0 }
        return Int32(1 + (hash >> 32) % 1280)
    }

    private func chance(_ hash: UInt64, _ percent: Int) -> Bool { Int(hash % 100) < percent }

    private func mixed(_ value: UInt64, _ font: FontRequest) -> UInt64 {
        var hash = (value ^ manner.seed << 32) &* 0x9E37_79B9_7F4A_7C15
        hash ^= UInt64(bitPattern: Int64(font.size.rawValue))
        hash ^= (font.isBold ? 1 : 0) | (font.isItalic ? 2 : 0)
        hash ^= hash >> 29
        hash = hash &* 0xBF58_476D_1CE4_E5B9
        return hash ^ hash >> 32
    }

    private static func isLetter(_ code: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(code) else { return false }
        return scalar.properties.isAlphabetic && !isMark(code)
    }

    private static func isMark(_ code: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(code) else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: return true
        default: return code == 0x200D || code == 0xFE0F
        }
    }

    private static func codePoint(_ bytes: [UInt8], _ place: inout Int) -> UInt32 {
        let first = UInt32(bytes[place])
        place += 1
        guard first >= 0x80 else { return first }
        var code = first < 0xE0 ? first & 0x1F : first < 0xF0 ? first & 0x0F : first & 7
        while place < bytes.count, bytes[place] & 0xC0 == 0x80 {
            code = code << 6 | UInt32(bytes[place] & 0x3F)
            place += 1
        }
        return code
    }

    private static func codePoint(_ bytes: [UInt8], endingAt end: Int) -> UInt32 {
        var start = end - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return codePoint(bytes, &start)
    }
}
