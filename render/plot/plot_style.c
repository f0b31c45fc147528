/* SPDX-License-Identifier: MIT */
/* The hues of Okabe and Ito (jfly.uni-koeln.de/color), each at its own lightness: any two differ by about 8 in CIE L* or
 * more, so that a grey print and any colour vision tell them apart, and the first three by 16. The order is the same for
 * light and dark pages: blue, vermillion, green, yellow, purple, sky blue, grey, pink. */
#include "plot_style.h"

#include <math.h>

/* Series that their colour alone tells apart. */
#define N_SOLID 3

static const guint32 light_palette[DEBYE_PLOT_N_COLORS] = {0x004583, 0xe04f00, 0x04c18f, 0xfeb215,
                                                           0x410c58, 0x00a0d3, 0x585757, 0xac4682};
static const guint32 dark_palette[DEBYE_PLOT_N_COLORS] = {0x0087d5, 0xff8e54, 0x3df2b8, 0xfff0a4,
                                                          0x8233a5, 0x67cdf9, 0x6d6c6c, 0xdc72ae};

DebyePlotColor
debye_plot_color_from_rgb(guint32 rgb)
{
  return (DebyePlotColor){(float)((rgb >> 16) & 0xff) / 255.0f, (float)((rgb >> 8) & 0xff) / 255.0f,
                          (float)(rgb & 0xff) / 255.0f, 1.0f};
}

void
debye_plot_style_init(DebyePlotStyle *style, gboolean dark, double scale)
{
  *style = (DebyePlotStyle){
      .background = debye_plot_color_from_rgb(dark ? 0x1e1e1e : 0xffffff),
      .ink = debye_plot_color_from_rgb(dark ? 0xdedede : 0x1f1f1f),
      .secondary = debye_plot_color_from_rgb(dark ? 0x9a9a9a : 0x666666),
      .accent = debye_plot_color_from_rgb(dark ? 0x78aeed : 0x1c71d8),
      .tick_size = 8.5 * scale,
      .label_size = 9.5 * scale,
      .caption_size = 8.0 * scale,
      .line_width = 1.15 * scale,
      .frame_width = 0.6 * scale,
      .marker_size = 4.2 * scale,
      .major_tick = 3.6 * scale,
      .minor_tick = 2.0 * scale,
      .gap = 4.0 * scale,
      .band_opacity = 0.2f,
      .with_caption = TRUE,
  };
  for (int i = 0; i < DEBYE_PLOT_N_COLORS; i++)
    style->palette[i] = debye_plot_color_from_rgb(dark ? dark_palette[i] : light_palette[i]);
}

void
debye_plot_style_set_text_size(DebyePlotStyle *style, double points)
{
  const double change = points / style->label_size;
  style->label_size *= change;
  style->tick_size *= change;
  style->caption_size *= change;
  style->gap *= change;
}

void
debye_plot_style_set_line_width(DebyePlotStyle *style, double points)
{
  const double change = points / style->frame_width, less = sqrt(change);
  style->frame_width *= change;
  style->line_width *= change;
  style->marker_size *= less;
  style->major_tick *= less;
  style->minor_tick *= less;
}

DebyePlotColor
debye_plot_style_get_color(const DebyePlotStyle *style, guint color)
{
  return style->palette[color % DEBYE_PLOT_N_COLORS];
}

guint32
debye_plot_style_get_rgb(guint color)
{
  return light_palette[color % DEBYE_PLOT_N_COLORS];
}

/* Five dashes and eight colours have no common divisor: the pairs repeat after 40. */
DebyePlotDash
debye_plot_style_get_dash(guint color)
{
  return color < N_SOLID ? DEBYE_PLOT_SOLID
                         : (DebyePlotDash)(1 + (color - N_SOLID) % (DEBYE_PLOT_N_DASHES - 1));
}
