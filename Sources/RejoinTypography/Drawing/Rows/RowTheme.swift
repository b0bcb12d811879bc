/// The colours of rows.
public struct RowTheme: Hashable, Sendable {
    /// The colours of what stands on one ground.
    public struct Ground: Hashable, Sendable {
        /// The ground itself.
        public var fill: Color
        /// What is read first.
        public var text: Color
        /// What is read second: times, details.
        public var secondary: Color
        /// Names, signs and links.
        public var accent: Color
        /// What stands on `accent`.
        public var onAccent: Color
        /// Behind cards.
        public var card: Color
    }

    /// Behind everything.
    public var background: Color
    /// The bubbles of others.
    public var incoming: Ground
    /// Own bubbles.
    public var outgoing: Ground
    /// What stands without a bubble.
    public var bare: Ground
    /// Reactions.
    public var chip: Color
    /// Reactions that the person gave too.
    public var ownChip: Color
    /// What failed.
    public var failure: Color
    /// Thin lines.
    public var rule: Color
    /// How light what stands for pictures is, 0 to 1.
    public var pictureLightness: Double

    /// For bright surroundings.
    public static let light = RowTheme(
        background: Color(0xFFFFFF),
        incoming: Ground(
            fill: Color(0xEEF0F4), text: Color(0x15181D), secondary: Color(0x667080),
            accent: Color(0x2563D8), onAccent: Color(0xFFFFFF), card: Color(0xFFFFFF, alpha: 0.75)),
        outgoing: Ground(
            fill: Color(0x2867DE), text: Color(0xFFFFFF), secondary: Color(0xFFFFFF, alpha: 0.78),
            accent: Color(0xFFFFFF), onAccent: Color(0x2867DE), card: Color(0xFFFFFF, alpha: 0.17)),
        bare: Ground(
            fill: Color(0xFFFFFF), text: Color(0x454D59), secondary: Color(0x667080),
            accent: Color(0x667080), onAccent: Color(0xFFFFFF), card: Color(0xF1F3F6)),
        chip: Color(0xEEF0F4), ownChip: Color(0xD5E3FC), failure: Color(0xC62F2F),
        rule: Color(0xE0685F, alpha: 0.55), pictureLightness: 0.74)

    /// For dark surroundings.
    public static let dark = RowTheme(
        background: Color(0x101317),
        incoming: Ground(
            fill: Color(0x23282F), text: Color(0xEBEEF2), secondary: Color(0x9BA5B3),
            accent: Color(0x7FB0FF), onAccent: Color(0x10203A), card: Color(0xFFFFFF, alpha: 0.07)),
        outgoing: Ground(
            fill: Color(0x2457B8), text: Color(0xFFFFFF), secondary: Color(0xFFFFFF, alpha: 0.74),
            accent: Color(0xFFFFFF), onAccent: Color(0x2457B8), card: Color(0xFFFFFF, alpha: 0.15)),
        bare: Ground(
            fill: Color(0x101317), text: Color(0xBAC3CF), secondary: Color(0x9BA5B3),
            accent: Color(0x9BA5B3), onAccent: Color(0x101317), card: Color(0x1D2127)),
        chip: Color(0x23282F), ownChip: Color(0x27406E), failure: Color(0xFF8078),
        rule: Color(0xFF8078, alpha: 0.5), pictureLightness: 0.42)
}
