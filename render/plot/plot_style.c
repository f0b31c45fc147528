/* SPDX-License-Identifier: MIT */
/* Okabe and Ito's colours, which people with any colour vision tell apart (jfly.uni-koeln.de/color), in an
 * order in which neighbours differ most; for the dark they are as far from the background as for the light. */
#include "plot_style.h"

static const guint32 light_palette[DEBYE_PLOT_N_COLORS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                                           0xe69f00, 0x56b4e9, 0x5f5f5f, 0xb8a900};
static const guint32 dark_palette[DEBYE_PLOT_N_COLORS] = {0x4aa8e0, 0xf5813b, 0x2fc49a, 0xe09cc4,
                                                          0xf0b429, 0x9ad4f7, 0xb4b4b4, 0xf0e442};

static DebyePlotColor
from_rgb(guint32 rgb)
{
  return (DebyePlotColor){(float)((rgb >> 16) & 0xff) / 255.0f, (float)((rgb >> 8) & 0xff) / 255.0f,
                          (float)(rgb & 0xff) / 255.0f, 1.0f};
}

void
debye_plot_style_init(DebyePlotStyle *style, gboolean dark, double scale)
{
  *style = (DebyePlotStyle){
      .background = from_rgb(dark ? 0x1e1e1e : 0xffffff),
      .ink = from_rgb(dark ? 0xdedede : 0x1f1f1f),
      .secondary = from_rgb(dark ? 0x9a9a9a : 0x666666),
      .accent = from_rgb(dark ? 0x78aeed : 0x1c71d8),
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
    style->palette[i] = from_rgb(dark ? dark_palette[i] : light_palette[i]);
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

DebyePlotColor
debye_plot_style_get_color(const DebyePlotStyle *style, guint color)
{
  return style->palette[color % DEBYE_PLOT_N_COLORS];
}
