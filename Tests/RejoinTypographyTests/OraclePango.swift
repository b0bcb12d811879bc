#if canImport(CPango)
import CPango
import RejoinTypography

/// A second opinion: `PangoLayout` with the pinned fonts, and none of our own code behind it.
final class OraclePango {
    private let map: FontMap
    private let context: OpaquePointer
    private let layout: OpaquePointer

    /// - Parameters:
    ///   - family: as Pango reads it; a list with commas sets the order of the fallback.
    ///   - size: the em in pixels.
    init(
        fonts: PinnedFonts = .standard, families: String, size: Double, language: String,
        isRightToLeft: Bool
    ) throws {
        map = try FontMap(fonts: fonts)
        context = map.makeContext(language: language)
        pango_context_set_base_dir(
            context, isRightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
        let description = pango_font_description_new()
        pango_font_description_set_family(description, families)
        pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
        layout = pango_layout_new(context)
        pango_layout_set_font_description(layout, description)
        pango_layout_set_auto_dir(layout, 0)
        pango_font_description_free(description)
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(layout))
        g_object_unref(UnsafeMutableRawPointer(context))
    }

    /// The width of a text on one line, in pixels.
    func width(of text: some Collection<UInt8>) -> Double {
        set(text)
        pango_layout_set_width(layout, -1)
        var extents = PangoRectangle()
        pango_layout_get_extents(layout, nil, &extents)
        return Double(extents.width) / Double(PANGO_SCALE)
    }

    /// The number of lines in a width of pixels.
    func lineCount(of text: some Collection<UInt8>, width: Int32) -> Int {
        set(text)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_width(layout, width * PANGO_SCALE)
        return Int(pango_layout_get_line_count(layout))
    }

    private func set(_ text: some Collection<UInt8>) {
        let bytes = text.map { CChar(bitPattern: $0) }
        // The layout copies the text.
        pango_layout_set_text(layout, bytes, Int32(bytes.count))
    }
}
#endif
