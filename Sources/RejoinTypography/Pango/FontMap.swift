#if canImport(CPango)
internal import CPango

/// One thread's font map. Pango's font maps are not safe to share, and neither is a
/// configuration of fontconfig while its fonts are being looked up.
package final class FontMap {
    /// Owned.
    let map: UnsafeMutablePointer<PangoFontMap>
    /// No attributes: Pango wants a list where it divides text. Owned.
    let noAttributes: OpaquePointer?
    private let options: OpaquePointer?

    package init(fonts: PinnedFonts) throws(TypographyError) {
        let config = try FontConfiguration(fonts: fonts).make()
        // The map keeps a reference of its own.
        defer { FcConfigDestroy(config) }
        guard let map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT) else {
            throw TypographyError(
                code: .configurationRefused,
                description: "Pango was built without FreeType fonts, which measuring needs. "
                    + "Install a build of Pango that has them (Debian: libpangocairo-1.0-0).")
        }
        self.map = map
        rejoin_pango_font_map_set_config(map, config)
        noAttributes = pango_attr_list_new()
        // Advances must not hang on the grid of pixels: the same text at twice the scale is
        // twice as wide.
        options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    }

    deinit {
        cairo_font_options_destroy(options)
        pango_attr_list_unref(noAttributes)
        g_object_unref(map)
    }

    /// A context for a language. The caller owns it.
    package func makeContext(language: String) -> OpaquePointer {
        // Never nil: GLib ends the process where memory is out.
        guard let context = pango_font_map_create_context(map) else {
            preconditionFailure("Pango made no context.")
        }
        pango_cairo_context_set_font_options(context, options)
        pango_context_set_round_glyph_positions(context, 0)
        // Where the language is empty, one that says nothing keeps the process's locale out.
        pango_context_set_language(
            context, pango_language_from_string(language.isEmpty ? "xx" : language))
        return context
    }
}
#endif
