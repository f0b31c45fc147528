/* SPDX-License-Identifier: MIT */
/* Lays one plot out on a page: how much room labels need, what is left for the frame, ticks. What is in the frame is in
 * plot_layout_series.c, _heat.c, _marks.c and _legend.c, words in plot_layout_texts.c. Called by plot_layout_below.c. */
#include "plot_layout_private.h"

#include <math.h>

#include "plot_text.h"

/* --- Axes --- */

static double
widest_label(const DebyePlotLayout *self, const DebyePlotTicks *ticks)
{
  double widest = 0.0;
  for (guint i = 0; i < ticks->ticks->len; i++)
    widest = fmax(widest, debye_plot_text_width(g_array_index(ticks->ticks, DebyePlotTick, i).label,
                                                self->style.tick_size));
  return widest;
}

/* Whether each label of a horizontal axis ends well before the next begins. */
static gboolean
labels_fit(const DebyePlotLayout *self, DebyePlotAxis which)
{
  double last_end = -HUGE_VAL;
  GArray *ticks = self->axes[which].ticks.ticks;
  for (guint i = 0; i < ticks->len; i++) {
    const DebyePlotTick *tick = &g_array_index(ticks, DebyePlotTick, i);
    if (tick->label == NULL)
      continue;
    double half = 0.5 * debye_plot_text_width(tick->label, self->style.tick_size);
    double place = debye_plot_layout_get_place(self, which, tick->value);
    if (place - half < last_end + 0.7 * self->style.tick_size)
      return FALSE;
    last_end = place + half;
  }
  return TRUE;
}

static void
set_ticks(DebyePlotLayout *self, DebyePlotAxis which, int most)
{
  DebyePlotLayoutAxis *axis = &self->axes[which];
  debye_plot_ticks_clear(&axis->ticks);
  DebyePlotTickChoice choice;
  debye_plot_get_ticks(self->plot, which, &choice);
  debye_plot_ticks_init_chosen(&axis->ticks, &choice, axis->scale, axis->minimum, axis->maximum, most);
  axis->label_width = widest_label(self, &axis->ticks);
}

static void
set_horizontal_ticks(DebyePlotLayout *self)
{
  int most = CLAMP((int)(self->frame.width / (2.6 * self->style.tick_size)), 2, 12);
  do
    set_ticks(self, DEBYE_PLOT_X, most);
  while (!labels_fit(self, DEBYE_PLOT_X) && --most >= 2);
}

/* Ticks that a person chose may stand closer than their labels are high: then these stay without. */
static void
part_vertical_labels(DebyePlotLayout *self, DebyePlotAxis which)
{
  double last = HUGE_VAL;
  GArray *ticks = self->axes[which].ticks.ticks;
  for (guint i = 0; i < ticks->len; i++) {
    DebyePlotTick *tick = &g_array_index(ticks, DebyePlotTick, i);
    const double place = debye_plot_layout_get_place(self, which, tick->value);
    if (tick->label != NULL && last - place < 0.9 * self->style.tick_size)
      g_clear_pointer(&tick->label, g_free);
    else if (tick->label != NULL)
      last = place;
  }
}

static guint
count_labels(const DebyePlotTicks *ticks)
{
  guint n = 0;
  for (guint i = 0; i < ticks->ticks->len; i++)
    n += g_array_index(ticks->ticks, DebyePlotTick, i).label != NULL;
  return n;
}

/* One label tells no scale: a low frame gets a second one where two have room. */
static void
set_vertical_ticks(DebyePlotLayout *self, DebyePlotAxis which)
{
  const double room = self->frame.height / self->style.tick_size;
  int most = CLAMP((int)(room / 2.1), 2, 10);
  set_ticks(self, which, most);
  while (count_labels(&self->axes[which].ticks) < 2 && ++most <= CLAMP((int)(room / 1.1), 2, 10))
    set_ticks(self, which, most);
  part_vertical_labels(self, which);
}

static void
place_axes(DebyePlotLayout *self)
{
  const DebyePlotRectangle *frame = &self->frame;
  self->axes[DEBYE_PLOT_X].from = frame->x;
  self->axes[DEBYE_PLOT_X].to = frame->x + frame->width;
  for (DebyePlotAxis axis = DEBYE_PLOT_Y; axis < DEBYE_PLOT_N_AXES; axis++) {
    self->axes[axis].from = frame->y + frame->height;
    self->axes[axis].to = frame->y;
  }
  set_horizontal_ticks(self);
  for (DebyePlotAxis axis = DEBYE_PLOT_Y; axis < DEBYE_PLOT_N_AXES; axis++)
    if (self->axes[axis].is_shown)
      set_vertical_ticks(self, axis);
}

/* --- Room --- */

static gboolean
has_exponent(const DebyePlotLayout *self)
{
  for (DebyePlotAxis axis = DEBYE_PLOT_Y; axis < DEBYE_PLOT_N_AXES; axis++)
    if (self->axes[axis].is_shown && self->axes[axis].ticks.exponent != 0)
      return TRUE;
  return FALSE;
}

static double
top_room(const DebyePlotLayout *self)
{
  double room = debye_plot_layout_get_top_gap(self) + self->room_above;
  if (has_exponent(self))
    room += debye_plot_layout_line_height(self->style.tick_size);
  return room;
}

static double
bottom_room(const DebyePlotLayout *self, gsize n_caption_lines)
{
  const DebyePlotStyle *style = &self->style;
  if (style->without_x_labels)
    return style->gap;
  double room = style->gap + debye_plot_layout_line_height(style->tick_size) + 1.2 * style->gap +
                debye_plot_layout_get_outward_tick(self);
  if (*debye_plot_get_label(self->plot, DEBYE_PLOT_X) != '\0' || self->axes[DEBYE_PLOT_X].ticks.exponent != 0)
    room += debye_plot_layout_line_height(style->label_size);
  if (n_caption_lines > 0)
    room += 1.2 * style->gap + (double)n_caption_lines * debye_plot_layout_line_height(style->caption_size);
  return room;
}

static double
right_room(const DebyePlotLayout *self)
{
  const DebyePlotStyle *style = &self->style;
  double room = 2.0 * style->gap + debye_plot_layout_get_end_room(self);
  if (self->axes[DEBYE_PLOT_Y2].is_shown)
    room += debye_plot_layout_get_room(self, DEBYE_PLOT_Y2);
  if (self->axes[DEBYE_PLOT_COLOR].is_shown)
    room +=
        2.5 * style->gap + DEBYE_PLOT_COLOR_BAR_WIDTH + debye_plot_layout_get_room(self, DEBYE_PLOT_COLOR);
  /* The last label of the x axis may stand half beside the frame. */
  return fmax(room, 0.5 * self->axes[DEBYE_PLOT_X].label_width + style->gap);
}

/* A map over two lengths: a picture that is stretched in one direction would show another molecule. */
static gboolean
is_plane(const DebyePlotLayout *self)
{
  DebyeMatrix *matrix = debye_plot_get_matrix(self->plot);
  return matrix != NULL && g_strcmp0(debye_matrix_get_row_quantity(matrix)->unit, "Å") == 0 &&
         g_strcmp0(debye_matrix_get_column_quantity(matrix)->unit, "Å") == 0 &&
         self->axes[DEBYE_PLOT_X].scale == DEBYE_PLOT_LINEAR &&
         self->axes[DEBYE_PLOT_Y].scale == DEBYE_PLOT_LINEAR;
}

/* So that an ångström is as long upwards as across; what is left of the width is on both sides. */
static void
scale_equally(DebyePlotLayout *self)
{
  const DebyePlotLayoutAxis *x = &self->axes[DEBYE_PLOT_X], *y = &self->axes[DEBYE_PLOT_Y];
  DebyePlotRectangle *frame = &self->frame;
  const double scale =
      fmin(frame->width / (x->maximum - x->minimum), frame->height / (y->maximum - y->minimum));
  const double width = fmax(scale * (x->maximum - x->minimum), 1.0),
               height = fmax(scale * (y->maximum - y->minimum), 1.0);
  const double left = debye_plot_layout_snap(self, frame->x + 0.5 * (frame->width - width)),
               top = debye_plot_layout_snap(self, frame->y + frame->height - height);
  self->slack = fmax(left - frame->x, 0.0);
  frame->width = debye_plot_layout_snap(self, left + width) - left;
  frame->height = debye_plot_layout_snap(self, top + height) - top;
  frame->x = left;
  frame->y = top;
}

static void
set_frame(DebyePlotLayout *self, gsize n_caption_lines)
{
  const DebyePlotStyle *style = &self->style;
  double left = 1.5 * style->gap + debye_plot_layout_get_room(self, DEBYE_PLOT_Y) +
                debye_plot_layout_get_outward_tick(self);
  double top = fmax(top_room(self), style->least_rooms.top);
  double right = fmax(right_room(self), style->least_rooms.right);
  double bottom = fmax(bottom_room(self, n_caption_lines), style->least_rooms.bottom);
  double x = debye_plot_layout_snap(self, fmax(left, style->least_rooms.left));
  double y = debye_plot_layout_snap(self, top);
  double end_x = debye_plot_layout_snap(self, self->drawing->width - right);
  double end_y = debye_plot_layout_snap(self, self->drawing->height - bottom);
  self->frame = (DebyePlotRectangle){x, y, fmax(end_x - x, 1.0), fmax(end_y - y, 1.0)};
  if (is_plane(self))
    scale_equally(self);
}

/* Labels need room, and room decides how many labels there are: the second time they agree. */
static void
set_page(DebyePlotLayout *self, gsize n_caption_lines)
{
  self->frame = (DebyePlotRectangle){0.0, 0.0, 0.8 * self->drawing->width, 0.75 * self->drawing->height};
  for (int i = 0; i < 3; i++) {
    place_axes(self);
    set_frame(self, n_caption_lines);
  }
  place_axes(self);
  self->right_edge =
      debye_plot_layout_snap(self, self->frame.x + self->frame.width + debye_plot_layout_get_end_room(self));
  self->color_bar =
      (DebyePlotRectangle){debye_plot_layout_snap(self, self->right_edge + 2.5 * self->style.gap),
                           self->frame.y, DEBYE_PLOT_COLOR_BAR_WIDTH, self->frame.height};
  self->drawing->clip_x = self->frame.x;
  self->drawing->clip_y = self->frame.y;
  self->drawing->clip_width = self->frame.width;
  self->drawing->clip_height = self->frame.height;
}

/* --- Drawing the axes --- */

static void
put_segment(DebyePlotLayout *self, double x0, double y0, double x1, double y1)
{
  const float values[] = {(float)x0, (float)y0, (float)x1, (float)y1};
  debye_plot_drawing_put(self->drawing, values, G_N_ELEMENTS(values));
}

static void
put_box(DebyePlotLayout *self, const DebyePlotRectangle *box)
{
  double half = 0.5 * self->hairline, right = box->x + box->width, bottom = box->y + box->height;
  put_segment(self, box->x - half, box->y, right + half, box->y);
  put_segment(self, box->x - half, bottom, right + half, bottom);
  put_segment(self, box->x, box->y - half, box->x, bottom + half);
  put_segment(self, right, box->y - half, right, bottom + half);
}

/* A tick of a vertical axis at `x`, towards `direction`. */
static void
put_vertical_ticks(DebyePlotLayout *self, DebyePlotAxis which, double x, double direction)
{
  GArray *ticks = self->axes[which].ticks.ticks;
  for (guint i = 0; i < ticks->len; i++) {
    const DebyePlotTick *tick = &g_array_index(ticks, DebyePlotTick, i);
    double length = tick->is_major ? self->style.major_tick : self->style.minor_tick;
    double y = debye_plot_layout_snap(self, debye_plot_layout_get_place(self, which, tick->value));
    put_segment(self, x, y, x + direction * length, y);
  }
}

static void
put_horizontal_ticks(DebyePlotLayout *self, double y, double direction)
{
  GArray *ticks = self->axes[DEBYE_PLOT_X].ticks.ticks;
  for (guint i = 0; i < ticks->len; i++) {
    const DebyePlotTick *tick = &g_array_index(ticks, DebyePlotTick, i);
    double length = tick->is_major ? self->style.major_tick : self->style.minor_tick;
    double x = debye_plot_layout_snap(self, debye_plot_layout_get_place(self, DEBYE_PLOT_X, tick->value));
    put_segment(self, x, y, x, y + direction * length);
  }
}

/* The second axis is a line of its own where names stand between it and the frame, whose right side then has no ticks: they
 * would be taken for those of the left axis. */
static void
put_right_axis(DebyePlotLayout *self)
{
  const DebyePlotRectangle *frame = &self->frame;
  const double right = frame->x + frame->width, half = 0.5 * self->hairline;
  const gboolean is_apart = self->right_edge > right + self->hairline;
  if (!self->axes[DEBYE_PLOT_Y2].is_shown) {
    put_vertical_ticks(self, DEBYE_PLOT_Y, right, -1.0);
    return;
  }
  if (is_apart)
    put_segment(self, self->right_edge, frame->y - half, self->right_edge, frame->y + frame->height + half);
  put_vertical_ticks(self, DEBYE_PLOT_Y2, self->right_edge, -1.0);
}

/* Ticks point inwards, on both sides, but where a heat map would hide them. */
static void
add_frame(DebyePlotLayout *self)
{
  const DebyePlotRectangle *frame = &self->frame;
  gboolean outward = debye_plot_get_matrix(self->plot) != NULL;
  double bottom = frame->y + frame->height;
  debye_plot_drawing_add(self->drawing, DEBYE_DRAW_SEGMENTS, self->style.ink)->width = (float)self->hairline;
  put_box(self, frame);
  put_horizontal_ticks(self, bottom, outward ? 1.0 : -1.0);
  put_vertical_ticks(self, DEBYE_PLOT_Y, frame->x, outward ? -1.0 : 1.0);
  if (!outward) {
    put_horizontal_ticks(self, frame->y, 1.0);
    put_right_axis(self);
  }
  if (self->axes[DEBYE_PLOT_COLOR].is_shown) {
    put_box(self, &self->color_bar);
    put_vertical_ticks(self, DEBYE_PLOT_COLOR, self->color_bar.x + self->color_bar.width, 1.0);
  }
}

/* --- The whole --- */

static void
set_limits(DebyePlotLayout *self)
{
  for (DebyePlotAxis axis = 0; axis < DEBYE_PLOT_N_AXES; axis++) {
    DebyePlotLayoutAxis *own = &self->axes[axis];
    own->is_shown = debye_plot_has_axis(self->plot, axis);
    own->scale = debye_plot_get_scale(self->plot, axis);
    debye_plot_get_limits(self->plot, axis, &own->minimum, &own->maximum);
  }
}

static void
add_inset(DebyePlotLayout *self)
{
  DebyePlotStyle style;
  DebyePlotRectangle place;
  g_autoptr(DebyePlot) inset = debye_plot_layout_plan_inset(self, &style, &place);
  if (inset == NULL)
    return;
  self->inset = debye_plot_layout_new_single(inset, &style, place.width, place.height, self->pixels, NULL);
  self->drawing->inset = self->inset->drawing;
  self->drawing->inset_x = debye_plot_layout_snap(self, place.x);
  self->drawing->inset_y = debye_plot_layout_snap(self, place.y);
}

static DebyePlotLayout *
create_layout(DebyePlot *plot, const DebyePlotStyle *style, double width, double height,
              double pixels_per_point, const DebyePlotLegendPlace *legend)
{
  DebyePlotLayout *self = g_new0(DebyePlotLayout, 1);
  self->plot = g_object_ref(plot);
  self->style = *style;
  self->drawing = debye_plot_drawing_new(fmax(width, 1.0), fmax(height, 1.0));
  self->pixels = self->drawing->pixels_per_point = pixels_per_point;
  self->drawing->outlines = style->outlines;
  self->hairline = fmax(1.0, round(style->frame_width * pixels_per_point)) / pixels_per_point;
  self->legend_place = *legend;
  self->legend_entries = g_array_new(FALSE, FALSE, sizeof(DebyePlotLegendEntry));
  set_limits(self);
  g_auto(GStrv) caption = debye_plot_layout_break_caption(self, width - 3.0 * style->gap);
  gsize n_caption_lines = caption != NULL ? g_strv_length(caption) : 0;
  set_page(self, n_caption_lines);
  if (legend->is_above) {
    self->room_above = debye_plot_layout_get_legend_height(self);
    set_page(self, n_caption_lines);
  }

  debye_plot_drawing_add_rectangle(self->drawing, style->background, 0.0, 0.0, self->drawing->width,
                                   self->drawing->height);
  debye_plot_layout_add_heat_map(self);
  debye_plot_layout_add_highlight(self);
  debye_plot_layout_add_series(self);
  debye_plot_layout_add_marks(self);
  debye_plot_layout_add_legend(self);
  debye_plot_layout_add_ends(self);
  debye_plot_layout_add_words(self);
  add_inset(self);
  add_frame(self);
  debye_plot_layout_add_texts(self, caption);
  return self;
}

/* What a legend hides is known when all else stands; then the page may have to be set with room for it. */
DebyePlotLayout *
debye_plot_layout_new_single(DebyePlot *plot, const DebyePlotStyle *style, double width, double height,
                             double pixels_per_point, const DebyePlotLegendPlace *legend)
{
  DebyePlotLegendPlace place = {.n_columns = 0};
  if (legend != NULL)
    place = *legend;
  place.is_above = (place.is_above && place.n_columns > 0) ||
                   debye_plot_layout_get_side(plot, style) == DEBYE_PLOT_LEGEND_ABOVE;
  DebyePlotLayout *self = create_layout(plot, style, width, height, pixels_per_point, &place);
  if (self->legend_place.is_above == place.is_above)
    return self;
  place = self->legend_place;
  debye_plot_layout_free(self);
  return create_layout(plot, style, width, height, pixels_per_point, &place);
}

void
debye_plot_layout_free(DebyePlotLayout *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++)
    debye_plot_ticks_clear(&self->axes[i].ticks);
  debye_plot_drawing_free(self->drawing);
  debye_plot_layout_free(self->below);
  debye_plot_layout_free(self->inset);
  g_array_unref(self->legend_entries);
  g_object_unref(self->plot);
  g_free(self);
}

const DebyePlotDrawing *
debye_plot_layout_get_drawing(const DebyePlotLayout *self)
{
  return self->drawing;
}

DebyePlotRectangle
debye_plot_layout_get_frame(const DebyePlotLayout *self)
{
  DebyePlotRectangle frame = self->frame;
  if (self->below != NULL)
    frame.height = self->drawing->below_y + self->below->frame.y + self->below->frame.height - frame.y;
  return frame;
}
