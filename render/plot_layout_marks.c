/* SPDX-License-Identifier: MIT */
/* What is drawn about the curves: references, peaks, a highlighted range. */
#include <math.h>

#include "plot_layout_private.h"
#include "plot_text.h"

/* The mark of a peak: a small triangle this far above the point, of the marker's size. */
#define PEAK_RISE 1.4

void
debye_plot_layout_add_highlight(DebyePlotLayout *self)
{
  double from, to;
  const DebyePlotRectangle *frame = &self->frame;
  if (!debye_plot_get_highlight(self->plot, &from, &to))
    return;
  double left = fmax(debye_plot_layout_get_place(self, DEBYE_PLOT_X, from), frame->x);
  double right = fmin(debye_plot_layout_get_place(self, DEBYE_PLOT_X, to), frame->x + frame->width);
  DebyeInk ink = self->style.accent;
  ink.alpha = 0.12f;
  if (left < right)
    debye_plot_drawing_add_rectangle(self->drawing, ink, left, frame->y, right - left, frame->height);
}

/* Right of an upright line, above a level one; on its other side where the frame ends. */
static void
name_reference(DebyePlotLayout *self, const DebyePlotReference *reference, gboolean vertical, double place)
{
  const DebyePlotStyle *style = &self->style;
  const DebyePlotRectangle *frame = &self->frame;
  const double right = frame->x + frame->width, above = place - 0.6 * style->gap;
  double x = right - 1.5 * style->gap;
  double y = above - style->caption_size > frame->y ? above : place + 0.6 * style->gap + style->caption_size;
  if (vertical) {
    x = place + 0.4 * style->gap + style->caption_size;
    x = x < right ? x : place - 0.6 * style->gap;
    y = frame->y + 1.5 * style->gap;
  }
  debye_plot_drawing_add_text(self->drawing, style->secondary, reference->markup, style->caption_size, x, y,
                              1.0, vertical);
}

static void
add_reference(DebyePlotLayout *self, const DebyePlotReference *reference)
{
  const DebyePlotStyle *style = &self->style;
  const DebyePlotRectangle *frame = &self->frame;
  gboolean vertical = reference->axis == DEBYE_PLOT_X;
  double place = debye_plot_layout_get_place(self, reference->axis, reference->value);
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
  name_reference(self, reference, vertical, place);
}

/* Where a peak's mark stands; FALSE: out of view. */
static gboolean
peak_place(const DebyePlotLayout *self, const DebyePlotPeak *peak, double *x, double *y)
{
  const DebyePlotRectangle *frame = &self->frame;
  *x = debye_plot_layout_get_place(self, DEBYE_PLOT_X, peak->x);
  double top = debye_plot_layout_get_place(self, DEBYE_PLOT_Y, peak->y);
  *y = fmax(top - PEAK_RISE * self->style.marker_size, frame->y + self->style.marker_size);
  return *x >= frame->x && *x <= frame->x + frame->width && top >= frame->y &&
         top <= frame->y + frame->height;
}

/* On paper of its own, since an error's band may reach above the mark. */
static void
add_peak_text(DebyePlotLayout *self, const DebyePlotPeak *peak, double x, double y)
{
  const DebyePlotStyle *style = &self->style;
  DebyePlotTextExtent extent;
  DebyeInk paper = style->background;
  if (peak->markup == NULL || *peak->markup == '\0')
    return;
  debye_plot_text_measure(peak->markup, style->caption_size, &extent);
  /* Beside the mark where there is no room above it, on the side where there is. */
  gboolean beside = y - style->marker_size - style->caption_size < self->frame.y;
  gboolean left = x + style->marker_size + extent.width > self->frame.x + self->frame.width;
  double begin = !beside ? x - 0.5 * extent.width
                 : left  ? x - style->marker_size - extent.width
                         : x + style->marker_size;
  double baseline = beside ? y + 0.35 * style->caption_size : y - 0.9 * style->marker_size;
  begin = CLAMP(begin, self->frame.x + 1.0,
                fmax(self->frame.x + self->frame.width - extent.width - 1.0, self->frame.x + 1.0));
  paper.alpha = 0.8f;
  debye_plot_drawing_add_rectangle(self->drawing, paper, begin - 1.0, baseline - 0.85 * style->caption_size,
                                   extent.width + 2.0, 1.1 * style->caption_size);
  debye_plot_drawing_add_text(self->drawing, style->secondary, peak->markup, style->caption_size, begin,
                              baseline, 0.0, FALSE);
}

static void
add_peaks(DebyePlotLayout *self)
{
  const DebyePlotStyle *style = &self->style;
  GPtrArray *peaks = debye_plot_get_peaks(self->plot);
  for (guint i = 0; i < peaks->len; i++) {
    double x, y;
    const DebyePlotPeak *peak = peaks->pdata[i];
    if (!peak_place(self, peak, &x, &y))
      continue;
    const float point[] = {(float)x, (float)y};
    DebyeDrawItem *item = debye_plot_drawing_add(self->drawing, DEBYE_DRAW_MARKERS, style->secondary);
    item->marker = DEBYE_PLOT_TRIANGLE_DOWN;
    item->size = (float)style->marker_size;
    debye_plot_drawing_put(self->drawing, point, G_N_ELEMENTS(point));
    add_peak_text(self, peak, x, y);
  }
}

void
debye_plot_layout_add_marks(DebyePlotLayout *self)
{
  GPtrArray *references = debye_plot_get_references(self->plot);
  for (guint i = 0; i < references->len; i++)
    add_reference(self, references->pdata[i]);
  add_peaks(self);
}

int
debye_plot_layout_find_peak(const DebyePlotLayout *self, double x, double y)
{
  GPtrArray *peaks = debye_plot_get_peaks(self->plot);
  double best = 2.5 * self->style.marker_size;
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
