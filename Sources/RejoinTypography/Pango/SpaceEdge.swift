#if canImport(CPango)
internal import CPango

/// A character beside spaces, as far as the font of the spaces hangs on it.
struct SpaceEdge {
    /// The index of its font.
    let slot: Int
    /// The ISO 15924 tag of its script.
    let script: UInt32
    /// Whether it is drawn as a picture, or is the last scalar of a cluster that is.
    let isEmoji: Bool

    /// Whether it belongs to the run that it stands in, whatever the script of that.
    var isShared: Bool {
        script == HB_SCRIPT_COMMON.rawValue || script == HB_SCRIPT_INHERITED.rawValue
    }

    /// Whether a scalar at the end of a cluster shows that the cluster is drawn as an emoji: by its
    /// own presentation, or as a selector, a keycap, a flag or a tag (UTS #51, section 1.4).
    static func isEmoji(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xFE0F, 0x20E3, 0xE0020...0xE007F: true
        default: Unicode.Scalar(scalar)?.properties.isEmojiPresentation ?? false
        }
    }
}
#endif
