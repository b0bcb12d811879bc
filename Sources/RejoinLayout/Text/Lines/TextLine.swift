/// One line of a wrapped text.
public struct TextLine: Hashable, Sendable {
    var start: Int32
    var end: Int32
    var firstCluster: Int32
    /// The cluster after the last, hanging white space included.
    var endCluster: Int32
    /// The first cluster of the white space that hangs at the end.
    var contentEnd: Int32
    var flags: UInt8

    /// How far its content reaches, hanging white space left out, a hyphen or ellipsis included.
    public var width: Advance
    /// The upper edge in the text's frame, in device pixels.
    public var top: Int32
    /// How high it is: the style's box, or more where a run stands out too far.
    public var height: Int32
    /// Where the baseline lies, in device pixels from `top`.
    public var baseline: Int32

    static let hyphen: UInt8 = 1
    static let ellipsis: UInt8 = 2
    static let rightToLeft: UInt8 = 4
    static let endsParagraph: UInt8 = 8
    static let asked: UInt8 = 16

    /// The bytes of the text on it: hanging white space included, the terminator left out.
    public var range: Range<Int> { Int(start)..<Int(end) }
    /// Whether a hyphen stands at its end.
    public var showsHyphen: Bool { flags & Self.hyphen != 0 }
    /// Whether an ellipsis stands at its end, for text that was left out.
    public var showsEllipsis: Bool { flags & Self.ellipsis != 0 }
    /// Whether its paragraph ends with it.
    public var endsParagraph: Bool { flags & Self.endsParagraph != 0 }
    /// The direction of its paragraph.
    public var direction: TextDirection {
        flags & Self.rightToLeft != 0 ? .rightToLeft : .leftToRight
    }
    /// Whether its ends were cut where letters join or kern, so that a shaper was asked for its
    /// width as a line of its own.
    public var isMeasuredAlone: Bool { flags & Self.asked != 0 }
}
