/* SPDX-License-Identifier: MIT */
/* Finds the place where a legend hides least, for plot_layout_legend.c. The frame is cut into cells, each
 * with what is drawn in it; sums over all cells above and to the left of each make a box of any size four
 * look-ups, so that every place can be tried. */
#include "plot_cover.h"

#include <math.h>

/* Points across a cell, and cells of a side at most. */
#define CELL 2.0
#define MAX_CELLS 512
/* Places that are tried across and down. */
#define N_PLACES 33
/* What a band counts against a line, by its width: it is seen through a legend's paper, too. */
#define BAND_PART 0.15
/* What a word or a marker counts against a line as long: they tell more. */
#define WORD_PART 3.0

struct _DebyePlotCover {
  DebyePlotRectangle frame;
  int columns, rows;
  double cell_width, cell_height;
  double *sums; /* (columns + 1) × (rows + 1) */
};

static double *
cell_at(DebyePlotCover *self, int column, int row)
{
  return &self->sums[(gsize)(row + 1) * (gsize)(self->columns + 1) + (gsize)(column + 1)];
}

static void
put(DebyePlotCover *self, double x, double y, double amount)
{
  double column = floor((x - self->frame.x) / self->cell_width);
  double row = floor((y - self->frame.y) / self->cell_height);
  if (column >= 0.0 && column < self->columns && row >= 0.0 && row < self->rows)
    *cell_at(self, (int)column, (int)row) += amount;
}

/* Steps of half a cell: none that the line crosses is left out but by a corner. */
static void
put_line(DebyePlotCover *self, const float *from, const float *to, double part)
{
  double dx = (double)to[0] - (double)from[0], dy = (double)to[1] - (double)from[1];
  double length = hypot(dx, dy);
  int n = (int)fmin(ceil(2.0 * length / fmin(self->cell_width, self->cell_height)), 4096.0) + 1;
  for (int i = 0; i < n; i++) {
    double at = (i + 0.5) / n;
    put(self, (double)from[0] + at * dx, (double)from[1] + at * dy, part * (length + 1.0) / n);
  }
}

static void
put_polyline(DebyePlotCover *self, const float *values, gsize n_values)
{
  for (gsize i = 0; i + 6 <= n_values; i += 3)
    if (values[i] < DEBYE_DRAW_BREAK && values[i + 3] < DEBYE_DRAW_BREAK)
      put_line(self, &values[i], &values[i + 3], 1.0);
}

static void
put_band(DebyePlotCover *self, const float *values, gsize n_values)
{
  for (gsize i = 0; i + 6 <= n_values; i += 3) {
    if (values[i] >= DEBYE_DRAW_BREAK || values[i + 3] >= DEBYE_DRAW_BREAK)
      continue;
    double top = self->frame.y, bottom = self->frame.y + self->frame.height;
    double a = CLAMP((double)values[i + 1], top, bottom), b = CLAMP((double)values[i + 2], top, bottom);
    double width = fabs((double)values[i + 3] - (double)values[i]);
    const float from[] = {values[i], (float)a}, to[] = {values[i], (float)b};
    put_line(self, from, to, BAND_PART * width / CELL);
  }
}

static void
put_text(DebyePlotCover *self, const DebyeDrawItem *item)
{
  const float left = item->x - item->align * item->text_width, right = left + item->text_width;
  for (int line = 0; line <= 2; line++) {
    const float y = item->y - 0.35f * (float)line * item->size;
    put_line(self, (const float[]){left, y}, (const float[]){right, y}, WORD_PART / 3.0);
  }
}

static void
put_item(DebyePlotCover *self, const DebyePlotDrawing *drawing, const DebyeDrawItem *item, gboolean bands)
{
  const float *values = debye_plot_drawing_values(drawing, item);
  switch (item->kind) {
  case DEBYE_DRAW_LINE:
    put_polyline(self, values, item->n_values);
    break;
  case DEBYE_DRAW_SEGMENTS:
    for (gsize i = 0; i + 4 <= item->n_values; i += 4)
      put_line(self, &values[i], &values[i + 2], 1.0);
    break;
  case DEBYE_DRAW_MARKERS:
    for (gsize i = 0; i + 2 <= item->n_values; i += 2)
      put(self, (double)values[i], (double)values[i + 1], WORD_PART * (double)item->size);
    break;
  case DEBYE_DRAW_BAND:
    if (bands)
      put_band(self, values, item->n_values);
    break;
  case DEBYE_DRAW_TEXT:
    put_text(self, item);
    break;
  case DEBYE_DRAW_RECTANGLE:
  case DEBYE_DRAW_IMAGE:
    break;
  }
}

static void
add_up(DebyePlotCover *self)
{
  for (int row = 0; row < self->rows; row++) {
    double before = 0.0;
    for (int column = 0; column < self->columns; column++) {
      before += *cell_at(self, column, row);
      *cell_at(self, column, row) = before + *cell_at(self, column, row - 1);
    }
  }
}

DebyePlotCover *
debye_plot_cover_new(const DebyePlotDrawing *drawing, const DebyePlotRectangle *frame, gboolean bands)
{
  DebyePlotCover *self = g_new0(DebyePlotCover, 1);
  self->frame = *frame;
  self->columns = (int)CLAMP(ceil(frame->width / CELL), 1.0, MAX_CELLS);
  self->rows = (int)CLAMP(ceil(frame->height / CELL), 1.0, MAX_CELLS);
  self->cell_width = frame->width / self->columns;
  self->cell_height = frame->height / self->rows;
  self->sums = g_new0(double, (gsize)(self->columns + 1) * (gsize)(self->rows + 1));
  for (guint i = 0; i < drawing->items->len; i++)
    put_item(self, drawing, debye_plot_drawing_get(drawing, i), bands);
  add_up(self);
  return self;
}

void
debye_plot_cover_free(DebyePlotCover *self)
{
  if (self != NULL)
    g_free(self->sums);
  g_free(self);
}

double
debye_plot_cover_get(const DebyePlotCover *self, const DebyePlotRectangle *box)
{
  double left = (box->x - self->frame.x) / self->cell_width;
  double top = (box->y - self->frame.y) / self->cell_height;
  int first_column = (int)CLAMP(floor(left), 0.0, self->columns);
  int last_column = (int)CLAMP(ceil(left + box->width / self->cell_width), 0.0, self->columns);
  int first_row = (int)CLAMP(floor(top), 0.0, self->rows);
  int last_row = (int)CLAMP(ceil(top + box->height / self->cell_height), 0.0, self->rows);
  gsize stride = (gsize)(self->columns + 1);
  const double *upper = &self->sums[(gsize)first_row * stride],
               *lower = &self->sums[(gsize)last_row * stride];
  double sum = lower[last_column] - lower[first_column] - upper[last_column] + upper[first_column];
  /* What rounding leaves of a difference of equal sums. */
  return sum > 1e-6 * (1.0 + lower[last_column]) ? sum : 0.0;
}

/* What a place costs beside what it hides: first the upper right corner, then the others, then the edges. */
static double
distance_from_corner(double across, double down)
{
  double x = fmin(across, 1.0 - across), y = fmin(down, 1.0 - down);
  return x + y + 0.01 * (1.0 - across) + 0.02 * down;
}

double
debye_plot_cover_find(const DebyePlotCover *self, const DebyePlotRectangle *room, double width, double height,
                      double *across, double *down)
{
  double least = HUGE_VAL, nearest = HUGE_VAL;
  for (int i = 0; i < N_PLACES * N_PLACES; i++) {
    double x = (double)(i % N_PLACES) / (N_PLACES - 1), y = (double)(i / N_PLACES) / (N_PLACES - 1);
    DebyePlotRectangle box = {room->x + x * (room->width - width), room->y + y * (room->height - height),
                              width, height};
    double hidden = debye_plot_cover_get(self, &box), far = distance_from_corner(x, y);
    if (hidden > least || (hidden == least && far >= nearest))
      continue;
    least = hidden;
    nearest = far;
    *across = x;
    *down = y;
  }
  return least;
}
