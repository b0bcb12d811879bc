#if canImport(CPango)
internal import CPango

/// A character beside spaces, as far as the font of the spaces hangs on it.
struct SpaceEdge {
    /// Which way a character is read, whatever surrounds it (UAX #9).
    enum Flow {
        case neutral, left, right, number
    }

    /// The index of its font.
    let slot: Int
    /// The ISO 15924 tag of its script.
    let script: UInt32
    let flow: Flow
    /// Whether a cluster that begins with it is drawn as a picture.
    let startsEmoji: Bool
    /// Whether a cluster that ends with it is.
    let endsEmoji: Bool

    /// A simple character is no emoji.
    init(simple: SimpleCharacter, _ scalar: UInt32) {
        slot = Int(simple.slot)
        script = simple.script.tag
        // No sign below the East Asian ones has a direction of its own and no script.
        flow =
            simple.script != .common
            ? .left
            : (0x30...0x39).contains(scalar)
                ? .number : scalar < 0x3000 ? .neutral : Self.flow(of: scalar)
        startsEmoji = false
        endsEmoji = false
    }

    init(_ scalar: UInt32, slot: Int) {
        self.slot = slot
        let tag = g_unicode_script_to_iso15924(g_unichar_get_script(scalar))
        script = hb_script_from_iso15924_tag(tag).rawValue
        flow = Self.flow(of: scalar)
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

    private static func flow(of scalar: UInt32) -> Flow {
        let type = fribidi_get_bidi_type(scalar)
        guard rejoin_fribidi_is_strong(type) != 0 else {
            return rejoin_fribidi_is_number(type) == 0 ? .neutral : .number
        }
        return rejoin_fribidi_is_rtl(type) == 0 ? .left : .right
    }

    /// Whether it belongs to the run that it stands in, whatever the script of that.
    var isShared: Bool {
        script == HB_SCRIPT_COMMON.rawValue || script == HB_SCRIPT_INHERITED.rawValue
    }

    /// Whether spaces in a direction are never in one run with it. Numbers in text that is read
    /// from the right are runs from the left.
    func isOpposed(_ isRightToLeft: Bool) -> Bool {
        switch flow {
        case .neutral: false
        case .left, .number: isRightToLeft
        case .right: !isRightToLeft
        }
    }
}
#endif
