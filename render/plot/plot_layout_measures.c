/* SPDX-License-Identifier: MIT */
/* Places, lengths, colours and names that all parts of a layout (plot_layout_*.c) ask for. */
#include <math.h>

#include "plot_layout_private.h"
#include "plot_text.h"

/* Where labels of the y axis change their width by a digit the frame shall not move. */
#define WIDTH_STEP 1.15

/* --- Places --- */

static double
scaled(DebyePlotScale scale, double value)
{
  return scale == DEBYE_PLOT_LOG ? log10(value) : value;
}

double
debye_plot_layout_get_place(const DebyePlotLayout *self, DebyePlotAxis which, double value)
{
  const DebyePlotLayoutAxis *axis = &self->axes[which];
  double low = scaled(axis->scale, axis->minimum), high = scaled(axis->scale, axis->maximum);
  /* Below all others: far under the frame's edge. */
  if (axis->scale == DEBYE_PLOT_LOG && value <= 0.0)
    return axis->from - 100.0 * (axis->to - axis->from);
  return axis->from + (scaled(axis->scale, value) - low) / (high - low) * (axis->to - axis->from);
}

double
debye_plot_layout_get_value(const DebyePlotLayout *self, DebyePlotAxis which, double place)
{
  const DebyePlotLayoutAxis *axis = &self->axes[which];
  double low = scaled(axis->scale, axis->minimum), high = scaled(axis->scale, axis->maximum);
  double value = low + (place - axis->from) / (axis->to - axis->from) * (high - low);
  return axis->scale == DEBYE_PLOT_LOG ? pow(10.0, value) : value;
}

double
debye_plot_layout_snap(const DebyePlotLayout *self, double place)
{
  double half = fmod(round(self->hairline * self->pixels), 2.0) == 1.0 ? 0.5 : 0.0;
  return (round(place * self->pixels - half) + half) / self->pixels;
}

/* --- Lengths --- */

double
debye_plot_layout_line_height(double size)
{
  return 1.3 * size;
}

/* What a vertical axis with its label takes beside the frame. */
double
debye_plot_layout_get_room(const DebyePlotLayout *self, DebyePlotAxis which)
{
  const DebyePlotStyle *style = &self->style;
  double step = WIDTH_STEP * style->tick_size;
  double labels = ceil(self->axes[which].label_width / step - 1e-6) * step;
  gboolean has_label = *debye_plot_get_label(self->plot, which) != '\0';
  return labels + style->gap +
         (has_label ? debye_plot_layout_line_height(style->label_size) + 0.5 * style->gap : 0.0);
}

double
debye_plot_layout_get_top_gap(const DebyePlotLayout *self)
{
  return 1.5 * self->style.gap;
}

double
debye_plot_layout_get_outward_tick(const DebyePlotLayout *self)
{
  return debye_plot_get_matrix(self->plot) != NULL ? self->style.major_tick : 0.0;
}

/* --- Legends and insets --- */

void
debye_plot_layout_get_parts(DebyePlotLegendSide side, double *across, double *down)
{
  const int number = (int)side - DEBYE_PLOT_LEGEND_TOP_LEFT;
  *across = 0.5 * (number % 3);
  *down = 0.5 * (number / 3);
}

DebyePlotLegendSide
debye_plot_layout_get_side(DebyePlot *plot, const DebyePlotStyle *style)
{
  double from, to;
  const DebyePlotLegendSide side = debye_plot_get_legend_side(plot);
  const gboolean is_above = style->legend_above || debye_plot_get_inset(plot, &from, &to);
  return side == DEBYE_PLOT_LEGEND_AUTO && is_above ? DEBYE_PLOT_LEGEND_ABOVE : side;
}

/* --- Series --- */

DebyePlotColor
debye_plot_layout_get_ink(const DebyePlotLayout *self, const DebyePlotSeries *series)
{
  return series->has_rgb ? debye_plot_color_from_rgb(series->rgb)
                         : debye_plot_style_get_color(&self->style, series->color);
}

/* "q = 0.5 Å⁻¹": a quantity is slanted wherever it stands. */
static char *
slant_quantity(char *markup)
{
  g_autoptr(GRegex) quantity = g_regex_new("(?<![\\w<])([qrtτω])(?= = )", 0, 0, NULL);
  char *slanted = g_regex_replace(quantity, markup, -1, 0, "<i>\\1</i>", 0, NULL);
  g_free(markup);
  return slanted;
}

/* Names tell apart by their beginnings and ends. A label that a person wrote stays as it is. */
char *
debye_plot_layout_write_name(const DebyePlotSeries *series, double size, double room)
{
  if (series->label != NULL)
    return g_strdup(series->label);
  g_autofree char *name = debye_plot_text_from_name(debye_curve_get_name(series->curve));
  char *markup = debye_plot_text_from_plain(name);
  for (glong n = g_utf8_strlen(name, -1); n > 4 && debye_plot_text_width(markup, size) > room; n--) {
    glong all = g_utf8_strlen(name, -1), before = n / 2;
    g_autofree char *start = g_utf8_substring(name, 0, before);
    g_autofree char *end = g_utf8_substring(name, all - (n - 1 - before), all);
    g_autofree char *shorter = g_strconcat(start, "…", end, NULL);
    g_free(markup);
    markup = debye_plot_text_from_plain(shorter);
  }
  return slant_quantity(markup);
}
