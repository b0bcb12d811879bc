#if canImport(CPango)
import CPango
import RejoinLayout
import RejoinTypography

/// `PangoLayout` with the same fonts: what a program on Linux would use for its text.
final class PangoPeer {
    private let map: FontMap
    private let context: OpaquePointer
    private let description: OpaquePointer?

    init(language: String, isRightToLeft: Bool, size: Int32) throws {
        map = try FontMap(fonts: .standard)
        context = map.makeContext(language: language)
        pango_context_set_base_dir(
            context, isRightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
        description = pango_font_description_new()
        let families = PinnedFonts.standard.families(for: .text, language: language)
        pango_font_description_set_family(description, families.joined(separator: ","))
        pango_font_description_set_absolute_size(description, Double(size * PANGO_SCALE))
    }

    deinit {
        pango_font_description_free(description)
        g_object_unref(UnsafeMutableRawPointer(context))
    }

    /// Lays out a text in a new object.
    ///
    /// - Returns: the number of lines.
    @discardableResult
    func layOut(_ text: String, width: Int32) -> Int {
        var text = text
        let layout = pango_layout_new(context)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        pango_layout_set_font_description(layout, description)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_width(layout, width * PANGO_SCALE)
        text.withUTF8 { bytes in
            // The layout copies the text.
            bytes.withMemoryRebound(to: CChar.self) {
                pango_layout_set_text(layout, $0.baseAddress, Int32($0.count))
            }
        }
        return Int(pango_layout_get_line_count(layout))
    }
}
#endif
