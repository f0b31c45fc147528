/* SPDX-License-Identifier: MIT */
/* The legend: where a hand put it, else where it hides nothing: in the frame, or, where a plot is full, above
 * it. */
#include <math.h>

#include "plot_cover.h"
#include "plot_layout_private.h"
#include "plot_text.h"

#define SAMPLE_WIDTH 18.0
#define LINE_HEIGHT 1.38
/* Points of curves that a legend's corner may lie on. */
#define LITTLE 6.0
/* What a legend above the frame leaves of it at least, as a part of the page's height and of its own. */
#define LEAST_OF_PAGE 0.15
#define LEAST_OF_FRAME 0.3

typedef struct {
  gsize n, n_rows, n_columns;
  double entry_width, entry_height;
} LegendSize;

static gboolean
is_listed(const DebyePlotLayout *self, const DebyePlotSeries *series)
{
  const char *name = series->label != NULL ? series->label : debye_curve_get_name(series->curve);
  return (!series->hidden || self->style.interactive) && *name != '\0';
}

/* Not more of them than the rows fill. */
static void
set_columns(LegendSize *size, gsize n_columns)
{
  size->n_rows = n_columns > 0 ? (size->n + n_columns - 1) / n_columns : 0;
  size->n_columns = size->n_rows > 0 ? (size->n + size->n_rows - 1) / size->n_rows : 0;
}

/* Beside a sample and its gaps. */
static double
text_room(const DebyePlotLayout *self)
{
  return fmax(self->drawing->width - SAMPLE_WIDTH - 6.3 * self->style.gap, 0.0);
}

static char *
write_name(const DebyePlotLayout *self, const DebyePlotSeries *series)
{
  return debye_plot_layout_write_name(series, self->style.tick_size, text_room(self));
}

static void
measure(const DebyePlotLayout *self, LegendSize *size)
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
    g_autofree char *markup = write_name(self, series);
    debye_plot_text_measure(markup, style->tick_size, &extent);
    widest = fmax(widest, extent.width);
    size->n++;
  }
  double room = self->frame.height - 6.0 * style->gap;
  size->entry_width = SAMPLE_WIDTH + 1.3 * style->gap + widest + 2.0 * style->gap;
  size->entry_height = LINE_HEIGHT * style->tick_size;
  gsize most = (gsize)CLAMP(floor(room / size->entry_height), 1.0, (double)MAX(size->n, 1));
  set_columns(size, (size->n + most - 1) / most);
}

static double
get_width(const DebyePlotLayout *self, const LegendSize *size)
{
  return (double)size->n_columns * size->entry_width + self->style.gap;
}

static double
get_height(const DebyePlotLayout *self, const LegendSize *size)
{
  return (double)size->n_rows * size->entry_height + self->style.gap;
}

/* --- Where it hides least --- */

static DebyePlotRectangle
get_room(const DebyePlotLayout *self)
{
  const DebyePlotRectangle *frame = &self->frame;
  double margin = self->style.major_tick + self->style.gap;
  return (DebyePlotRectangle){frame->x + margin, frame->y + margin, frame->width - 2.0 * margin,
                              frame->height - 2.0 * margin};
}

static DebyePlotRectangle
at_place(const DebyePlotLayout *self, const LegendSize *size, const DebyePlotLegendPlace *place)
{
  DebyePlotRectangle room = get_room(self);
  double width = get_width(self, size), height = get_height(self, size);
  return (DebyePlotRectangle){room.x + place->across * (room.width - width),
                              room.y + place->down * (room.height - height), width, height};
}

/* In as few columns as hide nothing, or in as many as hide least. */
static void
choose_best(DebyePlotLayout *self, const DebyePlotCover *cover, LegendSize *size)
{
  DebyePlotRectangle room = get_room(self);
  double least = HUGE_VAL;
  for (gsize n = size->n_columns; n <= size->n && least > 0.0; n++) {
    LegendSize tried = *size;
    DebyePlotLegendPlace place = {.n_columns = (int)n};
    set_columns(&tried, n);
    if (n > size->n_columns && (get_width(self, &tried) > room.width || tried.n_columns < n))
      break;
    double hidden = debye_plot_cover_find(cover, &room, get_width(self, &tried), get_height(self, &tried),
                                          &place.across, &place.down);
    if (hidden >= 0.7 * least)
      continue;
    least = hidden;
    self->legend_place = place;
  }
  set_columns(size, (gsize)self->legend_place.n_columns);
}

/* Where it was, unless it hides something there that it would not hide elsewhere. */
static DebyePlotRectangle
choose_place(DebyePlotLayout *self, const DebyePlotCover *cover, LegendSize *size)
{
  DebyePlotLegendPlace *place = &self->legend_place;
  LegendSize kept = *size;
  set_columns(&kept, MAX((gsize)place->n_columns, size->n_columns));
  DebyePlotRectangle box = at_place(self, &kept, place);
  double hidden = debye_plot_cover_get(cover, &box);
  if (place->n_columns > 0 && hidden == 0.0) {
    *size = kept;
    return box;
  }
  DebyePlotLegendPlace before = *place;
  LegendSize best = *size;
  choose_best(self, cover, &best);
  box = at_place(self, &best, place);
  if (before.n_columns > 0 && debye_plot_cover_get(cover, &box) >= 0.7 * hidden) {
    *place = before;
    best = kept;
    box = at_place(self, &best, place);
  }
  *size = best;
  return box;
}

/* --- Above the frame --- */

/* In as few rows as the page is wide. */
static void
set_rows_above(const DebyePlotLayout *self, LegendSize *size)
{
  double room = self->drawing->width - 3.0 * self->style.gap;
  set_columns(size, (gsize)CLAMP(floor(room / size->entry_width), 1.0, (double)MAX(size->n, 1)));
}

/* From the frame's left edge, or as far to the left of it as it needs. */
static DebyePlotRectangle
place_above(DebyePlotLayout *self, LegendSize *size)
{
  set_rows_above(self, size);
  double width = get_width(self, size), gap = self->style.gap;
  double left = fmin(self->frame.x, self->drawing->width - width - gap);
  self->legend_place = (DebyePlotLegendPlace){
      .n_columns = (int)size->n_columns, .is_above = TRUE, .is_held = self->legend_place.is_held};
  return (DebyePlotRectangle){fmax(left, gap), debye_plot_layout_get_top_gap(self) - 0.5 * gap, width,
                              get_height(self, size)};
}

double
debye_plot_layout_get_legend_height(const DebyePlotLayout *self)
{
  LegendSize size;
  if (!debye_plot_get_legend_visible(self->plot))
    return 0.0;
  measure(self, &size);
  set_rows_above(self, &size);
  double height = get_height(self, &size);
  double whole = self->frame.y + self->frame.height - debye_plot_layout_get_top_gap(self);
  double least = fmax(LEAST_OF_PAGE * self->drawing->height, LEAST_OF_FRAME * whole);
  return size.n > 1 && whole - height >= least ? height : 0.0;
}

/* Whether the box lies in the frame and on next to nothing. */
static gboolean
is_free(const DebyePlotLayout *self, const DebyePlotCover *cover, const DebyePlotRectangle *box)
{
  return box->width <= self->frame.width && box->height <= self->frame.height &&
         debye_plot_cover_get(cover, box) <= LITTLE;
}

/* In the frame where there is a free place; a legend that a hand holds still stays on its side of the edge. */
static DebyePlotRectangle
choose_side(DebyePlotLayout *self, LegendSize *size)
{
  const DebyePlotLegendPlace before = self->legend_place;
  gboolean is_above = self->room_above > 0.0;
  if (before.n_columns > 0 && before.is_held) {
    if (is_above)
      return place_above(self, size);
    set_columns(size, MAX((gsize)before.n_columns, size->n_columns));
    return at_place(self, size, &before);
  }
  g_autoptr(DebyePlotCover) cover = debye_plot_cover_new(self->drawing, &self->frame, TRUE);
  LegendSize inside = *size;
  if (is_above)
    self->legend_place = (DebyePlotLegendPlace){.n_columns = 0};
  DebyePlotRectangle box = choose_place(self, cover, &inside);
  if (!is_free(self, cover, &box) && debye_plot_layout_get_legend_height(self) > 0.0)
    return place_above(self, size);
  self->legend_place.is_above = FALSE;
  *size = inside;
  return box;
}

/* Where a hand put it. */
static DebyePlotRectangle
at_hand(const DebyePlotLayout *self, const LegendSize *size, double x, double y)
{
  const DebyePlotRectangle *frame = &self->frame;
  double width = get_width(self, size), height = get_height(self, size);
  double left = frame->x + x * frame->width, top = frame->y + y * frame->height;
  return (DebyePlotRectangle){fmax(fmin(left, frame->x + frame->width - width), frame->x),
                              fmax(fmin(top, frame->y + frame->height - height), frame->y), width, height};
}

static DebyePlotRectangle
at_side(DebyePlotLayout *self, LegendSize *size, DebyePlotLegendSide side)
{
  DebyePlotLegendPlace place = {.n_columns = MAX(self->legend_place.n_columns, (int)size->n_columns)};
  debye_plot_layout_get_parts(side, &place.across, &place.down);
  self->legend_place = place;
  set_columns(size, (gsize)place.n_columns);
  return at_place(self, size, &place);
}

static DebyePlotRectangle
place_legend(DebyePlotLayout *self, LegendSize *size)
{
  double x, y;
  const DebyePlotLegendSide side = debye_plot_layout_get_side(self->plot, &self->style);
  debye_plot_get_legend_place(self->plot, &x, &y);
  if (!isfinite(x) || !isfinite(y)) {
    if (side >= DEBYE_PLOT_LEGEND_TOP_LEFT && side <= DEBYE_PLOT_LEGEND_BOTTOM_RIGHT)
      return at_side(self, size, side);
    return side == DEBYE_PLOT_LEGEND_ABOVE && self->room_above > 0.0 ? place_above(self, size)
                                                                     : choose_side(self, size);
  }
  self->legend_place.is_above = FALSE;
  set_columns(size, MAX((gsize)self->legend_place.n_columns, size->n_columns));
  return at_hand(self, size, x, y);
}

/* --- Drawing --- */

static void
add_entry(DebyePlotLayout *self, const DebyePlotSeries *series, const DebyePlotRectangle *box)
{
  const DebyePlotStyle *style = &self->style;
  g_autofree char *markup = write_name(self, series);
  double middle = box->y + 0.5 * box->height;
  DebyePlotColor ink = style->ink;
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
  if (!debye_plot_get_legend_visible(self->plot) || size.n < 2 || debye_plot_layout_has_ends(self))
    return;
  double padding = 0.5 * self->style.gap;
  self->legend = place_legend(self, &size);
  DebyePlotColor paper = self->style.background;
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

DebyePlotLegendPlace
debye_plot_layout_get_legend_place(const DebyePlotLayout *self)
{
  return self->legend_place;
}
