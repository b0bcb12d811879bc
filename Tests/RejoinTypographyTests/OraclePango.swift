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

    /// The width that a part of a paragraph has on one line with all of it, in pixels.
    func width(of range: Range<Int>, in paragraph: [UInt8]) -> Double {
        set(paragraph)
        pango_layout_set_width(layout, -1)
        var ranges: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        pango_layout_line_get_x_ranges(
            pango_layout_get_line_readonly(layout, 0), Int32(range.lowerBound),
            Int32(range.upperBound), &ranges, &count)
        defer { g_free(ranges) }
        var sum: Int32 = 0
        for index in 0..<Int(count) {
            sum += (ranges?[index * 2 + 1] ?? 0) - (ranges?[index * 2] ?? 0)
        }
        return Double(sum) / Double(PANGO_SCALE)
    }

    /// Where lines end in a width of pixels, and where Pango allows them to.
    func lines(of text: [UInt8], width: Int32) -> (ends: [Int], breaks: Set<Int>) {
        set(text)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_width(layout, width * PANGO_SCALE)
        var ends: [Int] = []
        // The layout owns its lines and attributes.
        for index in 1..<max(1, pango_layout_get_line_count(layout)) {
            guard let line = pango_layout_get_line_readonly(layout, index) else { break }
            ends.append(Int(line.pointee.start_index))
        }
        ends.append(text.count)
        var breaks: Set<Int> = []
        var count: Int32 = 0
        let attributes = pango_layout_get_log_attrs_readonly(layout, &count)
        var index: Int32 = 0
        for offset in text.indices where text[offset] & 0xC0 != 0x80 {
            if rejoin_pango_is_line_break(attributes, index) != 0 { breaks.insert(offset) }
            index += 1
        }
        return (ends, breaks)
    }

    private func set(_ text: some Collection<UInt8>) {
        let bytes = text.map { CChar(bitPattern: $0) }
        // The layout copies the text.
        pango_layout_set_text(layout, bytes, Int32(bytes.count))
    }
}
#endif
