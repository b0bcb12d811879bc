#pragma once
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <fribidi.h>
#include <hb-ot.h>
#include <hb.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

// GObject's casts and FriBidi's constants are macros, which Swift cannot import.
static inline void rejoin_pango_font_map_set_config(PangoFontMap *map, FcConfig *config)
{
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
}

static inline cairo_scaled_font_t *rejoin_pango_font_scaled_font(PangoFont *font)
{
    return PANGO_IS_CAIRO_FONT(font)
        ? pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font)) : (cairo_scaled_font_t *)0;
}

static inline FriBidiParType rejoin_fribidi_base(int is_right_to_left)
{
    return is_right_to_left ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
}

static inline int rejoin_fribidi_is_explicit(FriBidiCharType type)
{
    return FRIBIDI_IS_EXPLICIT(type) || FRIBIDI_IS_ISOLATE(type);
}

static inline FriBidiCharType rejoin_fribidi_boundary_neutral(void)
{
    return FRIBIDI_TYPE_BN;
}

// The attributes of a character are bit fields; only one of them is asked for.
static inline int rejoin_pango_is_line_break(const PangoLogAttr *attributes, int index)
{
    return attributes[index].is_line_break;
}
