/* SPDX-License-Identifier: MIT */
/* The legend: where a hand put it, else in the corner where it hides least of the curves. */
#include <math.h>

#include "plot_layout_private.h"
#include "plot_path.h"
#include "plot_text.h"

#define SAMPLE_WIDTH 18.0
#define LINE_HEIGHT 1.38

typedef struct {
  gsize n, n_rows, n_columns;
  double entry_width, entry_height;
} LegendSize;

static gboolean
is_listed(const DebyePlotLayout *self, const DebyePlotSeries *series)
{
  return (!series->hidden || self->style.interactive) && *debye_curve_get_name(series->curve) != '\0';
}

static void
measure(DebyePlotLayout *self, LegendSize *size)
{
  const DebyePlotStyle *style = &self->style;
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  double widest = 0.0;
  *size = (LegendSize){.n = 0};
  for (guint i = 0; i < all->len; i++) {
    const DebyePlotSeries *series = all->pdata[i];
    if (!is_listed(self, series))
      continue;
    DebyePlotTextExtent extent;
    g_autofree char *markup = debye_plot_text_from_plain(debye_curve_get_name(series->curve));
    debye_plot_text_measure(markup, style->tick_size, &extent);
    widest = fmax(widest, extent.width);
    size->n++;
  }
  double room = self->frame.height - 6.0 * style->gap;
  size->entry_width = SAMPLE_WIDTH + 1.3 * style->gap + widest + 2.0 * style->gap;
  size->entry_height = LINE_HEIGHT * style->tick_size;
  size->n_rows = (gsize)CLAMP(floor(room / size->entry_height), 1.0, (double)MAX(size->n, 1));
  size->n_columns = (size->n + size->n_rows - 1) / size->n_rows;
  size->n_rows = size->n_columns > 0 ? (size->n + size->n_columns - 1) / size->n_columns : 0;
}

/* --- Where it hides least --- */

/* How much of a line lies in the rectangle, in points; markers count as their size. */
static double
covered_by(const DebyePlotDrawing *drawing, const DebyeDrawItem *item, const DebyePlotRectangle *box)
{
  const float *values = debye_plot_drawing_values(drawing, item);
  double right = box->x + box->width, bottom = box->y + box->height, covered = 0.0;
  gsize stride = item->kind == DEBYE_DRAW_LINE ? 3 : 2;
  if (item->kind != DEBYE_DRAW_LINE && item->kind != DEBYE_DRAW_MARKERS)
    return 0.0;
  for (gsize i = 0; i + stride <= item->n_values; i += stride) {
    const float *point = &values[i];
    if (item->kind == DEBYE_DRAW_MARKERS) {
      gboolean inside = (double)point[0] >= box->x && (double)point[0] <= right &&
                        (double)point[1] >= box->y && (double)point[1] <= bottom;
      covered += inside ? (double)item->size : 0.0;
    } else if (i + 2 * stride <= item->n_values && point[0] < DEBYE_DRAW_BREAK &&
               point[3] < DEBYE_DRAW_BREAK) {
      double a[] = {(double)point[0], (double)point[1]}, b[] = {(double)point[3], (double)point[4]};
      if (debye_plot_clip_line(box->x, box->y, right, bottom, a, b))
        covered += hypot(b[0] - a[0], b[1] - a[1]) + 1.0;
    }
  }
  return covered;
}

#define N_CORNERS 6

static DebyePlotRectangle
at_corner(const DebyePlotLayout *self, int corner, double width, double height)
{
  /* Right, left; then the middle: top and bottom. */
  static const double across[N_CORNERS] = {1.0, 0.0, 1.0, 0.0, 0.5, 0.5};
  static const double down[N_CORNERS] = {0.0, 0.0, 1.0, 1.0, 0.0, 1.0};
  const DebyePlotRectangle *frame = &self->frame;
  double margin = self->style.major_tick + self->style.gap;
  return (DebyePlotRectangle){frame->x + margin + across[corner] * (frame->width - width - 2.0 * margin),
                              frame->y + margin + down[corner] * (frame->height - height - 2.0 * margin),
                              width, height};
}

static int
best_corner(const DebyePlotLayout *self, double width, double height)
{
  int best = 0;
  double least = HUGE_VAL;
  for (int corner = 0; corner < N_CORNERS; corner++) {
    DebyePlotRectangle box = at_corner(self, corner, width, height);
    double covered = 0.0;
    for (guint i = 0; i < self->drawing->items->len; i++)
      covered += covered_by(self->drawing, debye_plot_drawing_get(self->drawing, i), &box);
    if (covered < least - 1e-6) {
      least = covered;
      best = corner;
    }
  }
  return best;
}

static DebyePlotRectangle
choose_place(DebyePlotLayout *self, double width, double height)
{
  double x, y;
  const DebyePlotRectangle *frame = &self->frame;
  debye_plot_get_legend_place(self->plot, &x, &y);
  if (isfinite(x) && isfinite(y)) {
    double left = frame->x + x * frame->width, top = frame->y + y * frame->height;
    return (DebyePlotRectangle){fmax(fmin(left, frame->x + frame->width - width), frame->x),
                                fmax(fmin(top, frame->y + frame->height - height), frame->y), width, height};
  }
  if (self->legend_corner < 0 || self->legend_corner >= N_CORNERS)
    self->legend_corner = best_corner(self, width, height);
  return at_corner(self, self->legend_corner, width, height);
}

/* --- Drawing --- */

static void
add_entry(DebyePlotLayout *self, const DebyePlotSeries *series, const DebyePlotRectangle *box)
{
  const DebyePlotStyle *style = &self->style;
  g_autofree char *markup = debye_plot_text_from_plain(debye_curve_get_name(series->curve));
  double middle = box->y + 0.5 * box->height;
  DebyeInk ink = style->ink;
  ink.alpha = series->hidden ? 0.4f : 1.0f;
  debye_plot_layout_add_sample(self, series, box->x + style->gap, middle, SAMPLE_WIDTH);
  debye_plot_drawing_add_text(self->drawing, ink, markup, style->tick_size,
                              box->x + style->gap + SAMPLE_WIDTH + 1.3 * style->gap,
                              middle + 0.35 * style->tick_size, 0.0, FALSE);
  DebyePlotLegendEntry entry = {series->id, *box};
  g_array_append_val(self->legend_entries, entry);
}

void
debye_plot_layout_add_legend(DebyePlotLayout *self)
{
  LegendSize size;
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  measure(self, &size);
  /* One curve needs no legend where its axis says what it is. */
  if (!debye_plot_get_legend_visible(self->plot) || size.n < 2)
    return;
  double padding = 0.5 * self->style.gap;
  self->legend = choose_place(self, (double)size.n_columns * size.entry_width + 2.0 * padding,
                              (double)size.n_rows * size.entry_height + 2.0 * padding);
  DebyeInk paper = self->style.background;
  paper.alpha = 0.82f;
  debye_plot_drawing_add_rectangle(self->drawing, paper, self->legend.x, self->legend.y, self->legend.width,
                                   self->legend.height);
  for (guint i = 0, k = 0; i < all->len; i++) {
    const DebyePlotSeries *series = all->pdata[i];
    if (!is_listed(self, series))
      continue;
    DebyePlotRectangle box = {self->legend.x + padding + (double)(k / size.n_rows) * size.entry_width,
                              self->legend.y + padding + (double)(k % size.n_rows) * size.entry_height,
                              size.entry_width, size.entry_height};
    add_entry(self, series, &box);
    k++;
  }
}

static gboolean
contains(const DebyePlotRectangle *box, double x, double y)
{
  return x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height;
}

gboolean
debye_plot_layout_get_legend(const DebyePlotLayout *self, DebyePlotRectangle *rectangle)
{
  *rectangle = self->legend;
  return self->legend_entries->len > 0;
}

guint
debye_plot_layout_get_legend_series(const DebyePlotLayout *self, double x, double y)
{
  for (guint i = 0; i < self->legend_entries->len; i++) {
    const DebyePlotLegendEntry *entry = &g_array_index(self->legend_entries, DebyePlotLegendEntry, i);
    if (contains(&entry->rectangle, x, y))
      return entry->series;
  }
  return 0;
}

int
debye_plot_layout_get_legend_corner(const DebyePlotLayout *self)
{
  return self->legend_corner;
}
