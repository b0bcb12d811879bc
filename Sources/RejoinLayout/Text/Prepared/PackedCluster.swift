/// One cluster in 4 bytes: its advance, its length in bytes, and how it may be used.
///
/// A cluster that is wider than 16 bits hold, or longer than 8 bits hold, goes on in further
/// entries, which nothing may cut from it: sums and offsets stay exact.
struct PackedCluster: Hashable {
    /// Advance in the upper 16 bits, length in the next 8, flags below.
    var rawValue: UInt32

    /// The text may be cut before it and both sides keep their advances.
    static let safe: UInt32 = 1
    /// A grapheme cluster begins with it: a caret may stand before it and a line may end there.
    static let boundary: UInt32 = 2
    /// It is white space that hangs at the end of a line.
    static let hangs: UInt32 = 4
    /// It reaches to the next tab stop.
    static let tab: UInt32 = 8
    /// It is a soft hyphen.
    static let softHyphen: UInt32 = 16

    var advance: Int32 { Int32(rawValue >> 16) }
    var length: Int { Int(rawValue >> 8 & 0xFF) }

    func has(_ flag: UInt32) -> Bool { rawValue & flag != 0 }

    /// Whether it shows something where a line ends with it: neither white space nor a soft hyphen.
    var isContent: Bool { rawValue & (Self.hangs | Self.softHyphen) == 0 }

    /// The widest cluster that is believed: 16,384 pixels.
    static let widest: Int32 = 1 << 20

    /// Appends a cluster in as many entries as it takes.
    @inline(__always)
    static func append(
        advance: Int32, length: Int, flags: UInt32, to clusters: inout [PackedCluster]
    ) {
        if advance >= 0, advance <= 0xFFFF, length <= 0xFF {
            clusters.append(
                PackedCluster(rawValue: UInt32(advance) << 16 | UInt32(length) << 8 | flags))
        } else {
            appendLarge(advance: advance, length: length, flags: flags, to: &clusters)
        }
    }

    private static func appendLarge(
        advance: Int32, length: Int, flags: UInt32, to clusters: inout [PackedCluster]
    ) {
        var advance = min(max(0, advance), widest)
        var length = length
        var flags = flags
        repeat {
            let part = min(advance, 0xFFFF)
            let bytes = min(length, 0xFF)
            clusters.append(
                PackedCluster(rawValue: UInt32(part) << 16 | UInt32(bytes) << 8 | flags))
            advance -= part
            length -= bytes
            flags &= hangs
        } while advance > 0 || length > 0
    }
}

/// What lies between two places where a line may end, in 16 bytes.
///
/// Pen positions count from the start of the paragraph, so whether a line that began at x still
/// holds a segment is one subtraction.
struct TextSegment {
    /// The cluster at which the next segment begins.
    var end: UInt32
    /// The offset of that cluster in the text (24 bits), and the flags above.
    private var byteAndFlags: UInt32
    /// The pen after the last cluster that does not hang, in this segment or before it.
    var contentX: Int32
    /// The pen at the end.
    var endX: Int32

    /// Cutting at its end changes advances: the shaper must be asked for the line.
    static let unsafe: UInt32 = 1 << 24
    /// A line that ends with it shows a hyphen.
    static let hyphen: UInt32 = 1 << 25
    /// It holds a tab, so its width hangs on where it stands.
    static let tab: UInt32 = 1 << 26

    init(end: Int, endByte: Int, contentX: Int32, endX: Int32, flags: UInt32) {
        self.end = UInt32(truncatingIfNeeded: end)
        byteAndFlags = UInt32(truncatingIfNeeded: endByte) | flags
        self.contentX = contentX
        self.endX = endX
    }

    var endByte: Int { Int(byteAndFlags & 0xFF_FFFF) }
    var flags: UInt32 { byteAndFlags & 0xFF00_0000 }
    func has(_ flag: UInt32) -> Bool { byteAndFlags & flag != 0 }
    /// Whether neither hyphen nor tab nor an unsafe cut needs care.
    var isPlain: Bool { byteAndFlags >> 24 == 0 }
}

/// A part of the text that a mandatory break ends.
struct TextParagraph {
    /// Its first byte.
    var start: UInt32
    /// The byte after its last, without the terminator.
    var end: UInt32
    /// The segment after its last.
    var segmentEnd: UInt32
    /// 0, or 1 where it is written to the left.
    var level: UInt8
    /// Whether a segment needs care: see ``TextSegment/isPlain``.
    var isPlain: Bool
}

/// Clusters of one font and one bidi level.
struct TextRun {
    /// The first cluster.
    var first: UInt32
    /// The bidi level (UAX #9).
    var level: UInt8
    /// What spans ask of the font.
    var traits: FontTraits
}

/// Clusters that stand out of the line's box.
struct TallRun {
    /// The clusters.
    var first: UInt32
    var end: UInt32
    /// Device pixels by which a line that holds them grows above and below.
    var above: Int32
    var below: Int32
}
