#if canImport(CPango)
internal import CPango

/// A character beside spaces, as far as the font of the spaces hangs on it.
struct SpaceEdge {
    /// The index of its font.
    let slot: Int
    /// The ISO 15924 tag of its script.
    let script: UInt32
    /// Whether a cluster that begins with it is drawn as a picture.
    let startsEmoji: Bool
    /// Whether a cluster that ends with it is.
    let endsEmoji: Bool

    /// A simple character is no emoji.
    init(simple: SimpleCharacter) {
        slot = Int(simple.slot)
        script = simple.script.tag
        startsEmoji = false
        endsEmoji = false
    }

    init(_ scalar: UInt32, slot: Int) {
        self.slot = slot
        let tag = g_unicode_script_to_iso15924(g_unichar_get_script(scalar))
        script = hb_script_from_iso15924_tag(tag).rawValue
        let properties = Unicode.Scalar(scalar)?.properties
        // A character of either presentation with a selector behind it comes as the selector.
        startsEmoji = scalar == 0xFE0F || scalar > 0xFF && properties?.isEmojiPresentation ?? false
        // The last scalar of a cluster shows it: by its own presentation, or as a selector, a
        // keycap or a tag.
        endsEmoji =
            switch scalar {
            case 0xFE0F, 0x20E3, 0xE0020...0xE007F: true
            default: properties?.isEmojiPresentation ?? false
            }
    }

    /// Whether it belongs to the run that it stands in, whatever the script of that.
    var isShared: Bool {
        script == HB_SCRIPT_COMMON.rawValue || script == HB_SCRIPT_INHERITED.rawValue
    }
}
#endif
