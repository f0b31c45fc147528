/* SPDX-License-Identifier: MIT */
/* Lays out what is around the curves (references, peaks, a highlighted range); called by plot_layout.c. */
#include <math.h>

#include "plot_cover.h"
#include "plot_layout_private.h"
#include "plot_text.h"

/* The mark of a peak: a small triangle of this size, by that of its words, and so far above the point, by its own. */
#define PEAK_SIZE 0.525
#define PEAK_RISE 1.4

static double
peak_size(const DebyePlotLayout *self)
{
  return PEAK_SIZE * self->style.caption_size;
}

static void
add_upright(DebyePlotLayout *self, DebyePlotColor ink, double x, float width)
{
  const DebyePlotRectangle *frame = &self->frame;
  const float line[] = {(float)x,
                        (float)frame->y,
                        0.0f,
                        (float)x,
                        (float)(frame->y + frame->height),
                        (float)frame->height,
                        DEBYE_DRAW_BREAK,
                        0.0f,
                        0.0f};
  DebyeDrawItem *item = debye_plot_drawing_add(self->drawing, DEBYE_DRAW_LINE, ink);
  item->width = width;
  item->clipped = TRUE;
  debye_plot_drawing_put(self->drawing, line, G_N_ELEMENTS(line));
}

/* What can be taken with the pointer is seen. */
static void
add_range_ends(DebyePlotLayout *self, double from, double to)
{
  const DebyePlotRangeFlags flags = debye_plot_get_range_flags(self->plot);
  const DebyePlotRectangle *frame = &self->frame;
  const double ends[] = {from, to};
  DebyePlotColor ink = self->style.accent;
  ink.alpha = 0.7f;
  for (int end = 0; end < 2; end++) {
    const double x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, ends[end]);
    if ((flags & (end == 0 ? DEBYE_PLOT_END_LOW : DEBYE_PLOT_END_HIGH)) != 0 && x >= frame->x &&
        x <= frame->x + frame->width)
      add_upright(self, ink, debye_plot_layout_snap(self, x), (float)(1.5 * self->hairline));
  }
}

void
debye_plot_layout_add_highlight(DebyePlotLayout *self)
{
  double from, to;
  const DebyePlotRectangle *frame = &self->frame;
  if (!debye_plot_get_highlight(self->plot, &from, &to))
    return;
  double left = fmax(debye_plot_layout_get_place(self, DEBYE_PLOT_X, from), frame->x);
  double right = fmin(debye_plot_layout_get_place(self, DEBYE_PLOT_X, to), frame->x + frame->width);
  DebyePlotColor ink = self->style.accent;
  ink.alpha = 0.12f;
  if (left < right && (debye_plot_get_range_flags(self->plot) & DEBYE_PLOT_RANGE_TINTED) != 0)
    debye_plot_drawing_add_rectangle(self->drawing, ink, left, frame->y, right - left, frame->height);
  add_range_ends(self, from, to);
}

/* Right of an upright line, above a level one; on its other side where the frame ends. At the lower or the left end where the
 * upper or the right one would hide more. */
static void
name_reference(DebyePlotLayout *self, const DebyePlotMark *reference, gboolean vertical, double place,
               const DebyePlotCover *cover)
{
  const DebyePlotStyle *style = &self->style;
  const DebyePlotRectangle *frame = &self->frame;
  const double right = frame->x + frame->width, above = place - 0.6 * style->gap;
  double x = right - 1.5 * style->gap;
  double y = above - style->caption_size > frame->y ? above : place + 0.6 * style->gap + style->caption_size;
  double align = 1.0;
  if (!vertical) {
    const double width = debye_plot_text_width(reference->markup, style->caption_size),
                 left = frame->x + 1.5 * style->gap;
    const DebyePlotRectangle at_right = {x - width, y - 0.8 * style->caption_size, width,
                                         0.8 * style->caption_size},
                             at_left = {left, at_right.y, width, at_right.height};
    if (debye_plot_cover_get(cover, &at_left) < debye_plot_cover_get(cover, &at_right)) {
      x = left;
      align = 0.0;
    }
  } else {
    x = place + 0.4 * style->gap + style->caption_size;
    x = x < right ? x : place - 0.6 * style->gap;
    y = frame->y + 1.5 * style->gap;
    const double length = debye_plot_text_width(reference->markup, style->caption_size),
                 bottom = frame->y + frame->height - 1.5 * style->gap;
    const DebyePlotRectangle at_top = {x - 0.8 * style->caption_size, y, 0.8 * style->caption_size, length},
                             at_bottom = {at_top.x, bottom - length, at_top.width, length};
    if (debye_plot_cover_get(cover, &at_bottom) < debye_plot_cover_get(cover, &at_top)) {
      y = bottom;
      align = 0.0;
    }
  }
  debye_plot_drawing_add_text(self->drawing, style->secondary, reference->markup, style->caption_size, x, y,
                              align, vertical);
}

static void
add_reference(DebyePlotLayout *self, const DebyePlotMark *reference, const DebyePlotCover *cover)
{
  const DebyePlotStyle *style = &self->style;
  const DebyePlotRectangle *frame = &self->frame;
  gboolean vertical = reference->axis == DEBYE_PLOT_X;
  double place = debye_plot_layout_get_place(self, reference->axis, reference->x);
  double begin = vertical ? frame->x : frame->y, end = begin + (vertical ? frame->width : frame->height);
  if (!(place > begin && place < end))
    return;
  place = debye_plot_layout_snap(self, place);
  double length = vertical ? frame->height : frame->width;
  double x = vertical ? place : frame->x, y = vertical ? frame->y : place;
  const float line[] = {(float)x,
                        (float)y,
                        0.0f,
                        (float)(vertical ? x : x + length),
                        (float)(vertical ? y + length : y),
                        (float)length,
                        DEBYE_DRAW_BREAK,
                        0.0f,
                        0.0f};
  DebyeDrawItem *item = debye_plot_drawing_add(self->drawing, DEBYE_DRAW_LINE, style->secondary);
  item->width = (float)self->hairline;
  item->dash = 3.0f;
  item->gap = 2.5f;
  item->clipped = TRUE;
  debye_plot_drawing_put(self->drawing, line, G_N_ELEMENTS(line));
  if (reference->markup != NULL)
    name_reference(self, reference, vertical, place, cover);
}

/* Where a peak's mark stands; FALSE: out of view. */
static gboolean
peak_place(const DebyePlotLayout *self, const DebyePlotMark *peak, double *x, double *y)
{
  const DebyePlotRectangle *frame = &self->frame;
  *x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, peak->x);
  double top = debye_plot_layout_get_place(self, DEBYE_PLOT_Y, peak->y);
  *y = peak->is_point ? top : fmax(top - PEAK_RISE * peak_size(self), frame->y + peak_size(self));
  return *x >= frame->x && *x <= frame->x + frame->width && top >= frame->y &&
         top <= frame->y + frame->height;
}

static gboolean
overlap(const DebyePlotRectangle *a, const DebyePlotRectangle *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

/* What words must not stand on. */
typedef struct {
  GArray *taken;         /* DebyePlotRectangle: other words and marks */
  DebyePlotCover *cover; /* curves */
} Obstacles;

/* Within the frame without its ticks. */
static gboolean
is_free(const DebyePlotLayout *self, const Obstacles *obstacles, const DebyePlotRectangle *box)
{
  const DebyePlotRectangle *frame = &self->frame;
  const double rim = self->style.major_tick;
  if (box->x < frame->x + rim || box->x + box->width > frame->x + frame->width - rim ||
      box->y < frame->y + rim || box->y + box->height > frame->y + frame->height - rim)
    return FALSE;
  for (guint i = 0; i < obstacles->taken->len; i++)
    if (overlap(box, &g_array_index(obstacles->taken, DebyePlotRectangle, i)))
      return FALSE;
  return debye_plot_cover_get(obstacles->cover, box) == 0.0;
}

/* Above the mark at (x, y), also to a side; where there is no room, beside it. FALSE: something is everywhere
 * there, and words over something else tell nothing. */
static gboolean
find_text_place(const DebyePlotLayout *self, const Obstacles *obstacles, double x, double y, double width,
                DebyePlotRectangle *box)
{
  const DebyePlotStyle *style = &self->style;
  double height = 0.8 * style->caption_size, full = width + 2.0;
  double above = y - 0.9 * peak_size(self) - height, higher = above - 0.8 * height;
  double middle = fmax(y - 0.5 * height, self->frame.y + style->major_tick), beside = peak_size(self) - 1.0;
  const double corners[][2] = {
      {x - 0.5 * full, above},  {x - 0.2 * full, above},     {x - 0.8 * full, above},
      {x - 0.5 * full, higher}, {x - 0.2 * full, higher},    {x - 0.8 * full, higher},
      {x + beside, middle},     {x - beside - full, middle},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(corners); i++) {
    *box = (DebyePlotRectangle){corners[i][0], corners[i][1], full, height};
    if (is_free(self, obstacles, box))
      return TRUE;
  }
  return FALSE;
}

/* Beside the point at (x, y), on any side; in a crowd a little farther away. */
static gboolean
find_name_place(const DebyePlotLayout *self, const Obstacles *obstacles, double x, double y, double width,
                DebyePlotRectangle *box)
{
  static const int sides[][2] = {{0, -1}, {1, 0}, {-1, 0}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
  const double height = 0.8 * self->style.caption_size, full = width + 2.0;
  for (int ring = 1; ring <= 2; ring++)
    for (gsize i = 0; i < G_N_ELEMENTS(sides); i++) {
      const double gap = ring * peak_size(self), across = sides[i][0] * (gap + 0.5 * full),
                   down = sides[i][1] * (gap + 0.5 * height);
      *box = (DebyePlotRectangle){x + across - 0.5 * full, y + down - 0.5 * height, full, height};
      if (is_free(self, obstacles, box))
        return TRUE;
    }
  return FALSE;
}

static void
add_peak_text(DebyePlotLayout *self, const DebyePlotMark *peak, double x, double y,
              const Obstacles *obstacles)
{
  const DebyePlotStyle *style = &self->style;
  DebyePlotRectangle box;
  if (peak->markup == NULL || *peak->markup == '\0')
    return;
  double width = debye_plot_text_width(peak->markup, style->caption_size);
  if (!(peak->is_point ? find_name_place : find_text_place)(self, obstacles, x, y, width, &box))
    return;
  g_array_append_val(obstacles->taken, box);
  debye_plot_drawing_add_text(self->drawing, style->secondary, peak->markup, style->caption_size, box.x + 1.0,
                              box.y + 0.75 * style->caption_size, 0.0, FALSE);
}

static int
compare_peaks(gconstpointer a, gconstpointer b)
{
  const DebyePlotMark *first = *(DebyePlotMark *const *)a, *second = *(DebyePlotMark *const *)b;
  return (first->y < second->y) - (first->y > second->y);
}

/* Whether one of the first n peaks has the same words at nearly the same place, as where curves coincide. */
static gboolean
is_said(const DebyePlotLayout *self, const GPtrArray *peaks, guint n, double x, double y)
{
  const double near = 2.0 * self->style.caption_size;
  const DebyePlotMark *peak = peaks->pdata[n];
  for (guint i = 0; i < n; i++) {
    double other_x, other_y;
    const DebyePlotMark *other = peaks->pdata[i];
    if (g_strcmp0(other->markup, peak->markup) == 0 && peak_place(self, other, &other_x, &other_y) &&
        fabs(other_x - x) < near && fabs(other_y - y) < near)
      return TRUE;
  }
  return FALSE;
}

/* Of words that collide the higher peak's are said. */
static void
add_peak_texts(DebyePlotLayout *self, GPtrArray *peaks, const Obstacles *obstacles)
{
  g_autoptr(GPtrArray) sorted = g_ptr_array_new();
  g_ptr_array_extend(sorted, peaks, NULL, NULL);
  g_ptr_array_sort(sorted, compare_peaks);
  for (guint i = 0; i < sorted->len; i++) {
    double x, y;
    if (peak_place(self, sorted->pdata[i], &x, &y) && !is_said(self, sorted, i, x, y))
      add_peak_text(self, sorted->pdata[i], x, y, obstacles);
  }
}

static void
add_peaks(DebyePlotLayout *self)
{
  const DebyePlotStyle *style = &self->style;
  GPtrArray *peaks = debye_plot_get_peaks(self->plot);
  if (peaks->len == 0)
    return;
  g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(DebyePlotRectangle));
  g_autoptr(DebyePlotCover) cover = debye_plot_cover_new(self->drawing, &self->frame, FALSE);
  const Obstacles obstacles = {taken, cover};
  for (guint i = 0; i < peaks->len; i++) {
    double x, y, half = 0.4 * peak_size(self); /* its words stand close */
    if (!peak_place(self, peaks->pdata[i], &x, &y))
      continue;
    if (((const DebyePlotMark *)peaks->pdata[i])->is_point)
      continue;
    const float point[] = {(float)x, (float)y};
    const DebyePlotRectangle mark = {x - half, y - half, 2.0 * half, 2.0 * half};
    DebyeDrawItem *item = debye_plot_drawing_add(self->drawing, DEBYE_DRAW_MARKERS, style->secondary);
    item->marker = DEBYE_PLOT_TRIANGLE_DOWN;
    item->size = (float)peak_size(self);
    debye_plot_drawing_put(self->drawing, point, G_N_ELEMENTS(point));
    g_array_append_val(taken, mark);
  }
  add_peak_texts(self, peaks, &obstacles);
}

void
debye_plot_layout_add_marks(DebyePlotLayout *self)
{
  GPtrArray *references = debye_plot_get_references(self->plot);
  for (guint i = 0; i < references->len; i++) {
    g_autoptr(DebyePlotCover) drawn = debye_plot_cover_new(self->drawing, &self->frame, FALSE);
    add_reference(self, references->pdata[i], drawn);
  }
  add_peaks(self);
}

int
debye_plot_layout_find_peak(const DebyePlotLayout *self, double x, double y)
{
  GPtrArray *peaks = debye_plot_get_peaks(self->plot);
  double best = 2.5 * peak_size(self);
  int found = -1;
  for (guint i = 0; i < peaks->len; i++) {
    double peak_x, peak_y;
    if (!peak_place(self, peaks->pdata[i], &peak_x, &peak_y) || hypot(x - peak_x, y - peak_y) > best)
      continue;
    best = hypot(x - peak_x, y - peak_y);
    found = (int)i;
  }
  return found;
}
