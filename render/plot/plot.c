/* SPDX-License-Identifier: MIT */
/* The plot as a model; its series are in plot_series.c, what they span in plot_range.c. */
#include "plot_state.h"

#include <math.h>

G_DEFINE_FINAL_TYPE(DebyePlot, debye_plot, G_TYPE_OBJECT)

static void
mark_free(gpointer data)
{
  g_free(((DebyePlotMark *)data)->markup);
  g_free(data);
}

static void
debye_plot_finalize(GObject *object)
{
  DebyePlot *self = DEBYE_PLOT(object);
  g_ptr_array_unref(self->series);
  g_ptr_array_unref(self->references);
  g_ptr_array_unref(self->peaks);
  g_ptr_array_unref(self->words);
  g_clear_object(&self->matrix);
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++) {
    g_free(self->axes[i].label);
    g_free(self->axes[i].unit);
    g_clear_pointer(&self->axes[i].tick_values, g_array_unref);
  }
  g_free(self->caption);
  g_clear_object(&self->below);
  G_OBJECT_CLASS(debye_plot_parent_class)->finalize(object);
}

static void
debye_plot_class_init(DebyePlotClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_plot_finalize;
  g_signal_new("changed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* A series takes its reduction and its curve with it. (GDestroyNotify) */
static void
series_free(gpointer data)
{
  DebyePlotSeries *series = data;
  debye_plot_reduction_free(series->reduction);
  g_object_unref(series->curve);
  g_free(series->label);
  g_free(series);
}

static void
debye_plot_init(DebyePlot *self)
{
  self->series = g_ptr_array_new_with_free_func(series_free);
  self->references = g_ptr_array_new_with_free_func(mark_free);
  self->peaks = g_ptr_array_new_with_free_func(mark_free);
  self->words = g_ptr_array_new_with_free_func(mark_free);
  self->parts = (DebyePlotParts){.legend = {.is_visible = TRUE, .x = NAN, .y = NAN},
                                 .inset = {.from = NAN, .to = NAN, .x = NAN, .y = NAN},
                                 .range = {.from = NAN, .to = NAN}};
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++)
    self->axes[i].minimum = self->axes[i].maximum = self->axes[i].ceiling = NAN;
}

DebyePlot *
debye_plot_new(void)
{
  return g_object_new(DEBYE_TYPE_PLOT, NULL);
}

void
debye_plot_changed(DebyePlot *self)
{
  g_signal_emit_by_name(self, "changed");
}

static gboolean
replace_text(char **text, const char *value)
{
  if (g_strcmp0(*text, value) == 0)
    return FALSE;
  g_free(*text);
  *text = g_strdup(value);
  return TRUE;
}

/* --- Axes --- */

void
debye_plot_set_label(DebyePlot *self, DebyePlotAxis axis, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES);
  self->axes[axis].label_is_given = TRUE;
  if (replace_text(&self->axes[axis].label, markup))
    debye_plot_changed(self);
}

const char *
debye_plot_get_label(DebyePlot *self, DebyePlotAxis axis)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES, NULL);
  return self->axes[axis].label != NULL ? self->axes[axis].label : "";
}

void
debye_plot_set_scale(DebyePlot *self, DebyePlotAxis axis, DebyePlotScale scale)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES);
  DebyePlotAxisState *own = &self->axes[axis];
  if (own->scale == scale)
    return;
  own->scale = scale;
  /* A view with an end that a logarithmic axis can't show. */
  if (scale == DEBYE_PLOT_LOG && !(own->minimum > 0.0))
    own->minimum = NAN;
  if (scale == DEBYE_PLOT_LOG && !(own->maximum > 0.0))
    own->maximum = NAN;
  debye_plot_changed(self);
}

DebyePlotScale
debye_plot_get_scale(DebyePlot *self, DebyePlotAxis axis)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES, DEBYE_PLOT_LINEAR);
  return self->axes[axis].scale;
}

static void
set_view(DebyePlotAxisState *axis, double minimum, double maximum)
{
  gboolean is_log = axis->scale == DEBYE_PLOT_LOG;
  if (minimum > maximum) {
    double swapped = minimum;
    minimum = maximum;
    maximum = swapped;
  }
  axis->minimum = isfinite(minimum) && !(is_log && minimum <= 0.0) ? minimum : (double)NAN;
  axis->maximum = isfinite(maximum) && !(is_log && maximum <= 0.0) ? maximum : (double)NAN;
}

void
debye_plot_set_view(DebyePlot *self, DebyePlotAxis axis, double minimum, double maximum)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES);
  set_view(&self->axes[axis], minimum, maximum);
  debye_plot_changed(self);
}

void
debye_plot_set_views(DebyePlot *self, guint axes, const double limits[DEBYE_PLOT_N_AXES][2])
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++)
    if (axes & DEBYE_PLOT_ONLY(i))
      set_view(&self->axes[i], limits[i][0], limits[i][1]);
  if (axes != 0)
    debye_plot_changed(self);
}

void
debye_plot_set_ceiling(DebyePlot *self, DebyePlotAxis axis, double ceiling)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES);
  const double before = self->axes[axis].ceiling;
  if (before == ceiling || (isnan(before) && isnan(ceiling)))
    return;
  self->axes[axis].ceiling = ceiling;
  debye_plot_changed(self);
}

double
debye_plot_get_ceiling(DebyePlot *self, DebyePlotAxis axis)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES, NAN);
  return self->axes[axis].ceiling;
}

void
debye_plot_reset_view(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++)
    self->axes[i].minimum = self->axes[i].maximum = NAN;
  debye_plot_changed(self);
}

gboolean
debye_plot_has_axis(DebyePlot *self, DebyePlotAxis axis)
{
  if (axis != DEBYE_PLOT_Y2)
    return axis != DEBYE_PLOT_COLOR || self->matrix != NULL;
  for (guint i = 0; i < self->series->len; i++) {
    const DebyePlotSeries *series = self->series->pdata[i];
    if (series->axis == DEBYE_PLOT_Y2 && !series->hidden)
      return TRUE;
  }
  return FALSE;
}

void
debye_plot_set_ticks(DebyePlot *self, DebyePlotAxis axis, const DebyePlotTickChoice *choice)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES && choice != NULL);
  DebyePlotAxisState *own = &self->axes[axis];
  own->tick_step = choice->step;
  own->n_minor = choice->n_minor;
  g_clear_pointer(&own->tick_values, g_array_unref);
  if (choice->n_values > 0) {
    own->tick_values = g_array_new(FALSE, FALSE, sizeof(double));
    g_array_append_vals(own->tick_values, choice->values, (guint)choice->n_values);
  }
  debye_plot_changed(self);
}

void
debye_plot_get_ticks(DebyePlot *self, DebyePlotAxis axis, DebyePlotTickChoice *choice)
{
  const DebyePlotAxisState *own = &self->axes[axis];
  *choice = (DebyePlotTickChoice){.step = own->tick_step, .n_minor = own->n_minor};
  if (own->tick_values != NULL) {
    choice->values = (const double *)(const void *)own->tick_values->data;
    choice->n_values = own->tick_values->len;
  }
}

/* --- Texts and marks --- */

void
debye_plot_set_caption(DebyePlot *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  if (replace_text(&self->caption, text))
    debye_plot_changed(self);
}

void
debye_plot_set_inset(DebyePlot *self, double from, double to)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->parts.inset.from = from;
  self->parts.inset.to = to;
  debye_plot_changed(self);
}

gboolean
debye_plot_get_inset(DebyePlot *self, double *from, double *to)
{
  *from = self->parts.inset.from;
  *to = self->parts.inset.to;
  return *from < *to;
}

void
debye_plot_set_inset_place(DebyePlot *self, DebyePlotLegendSide side, double x, double y)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->parts.inset.side = side;
  self->parts.inset.x = x;
  self->parts.inset.y = y;
  debye_plot_changed(self);
}

DebyePlotLegendSide
debye_plot_get_inset_place(DebyePlot *self, double *x, double *y)
{
  *x = self->parts.inset.x;
  *y = self->parts.inset.y;
  return self->parts.inset.side;
}

DebyePlot *
debye_plot_get_below(DebyePlot *self)
{
  return self->below;
}

void
debye_plot_set_legend_visible(DebyePlot *self, gboolean visible)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->parts.legend.is_visible = visible;
  debye_plot_changed(self);
}

gboolean
debye_plot_get_legend_visible(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), FALSE);
  return self->parts.legend.is_visible;
}

void
debye_plot_set_legend_place(DebyePlot *self, double x, double y)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->parts.legend.x = x;
  self->parts.legend.y = y;
  debye_plot_changed(self);
}

void
debye_plot_get_legend_place(DebyePlot *self, double *x, double *y)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  *x = self->parts.legend.x;
  *y = self->parts.legend.y;
}

void
debye_plot_set_legend_side(DebyePlot *self, DebyePlotLegendSide side)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->parts.legend.side = side;
  debye_plot_changed(self);
}

DebyePlotLegendSide
debye_plot_get_legend_side(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), DEBYE_PLOT_LEGEND_AUTO);
  return self->parts.legend.side;
}

static void
add_mark(DebyePlot *self, GPtrArray *marks, DebyePlotMark mark)
{
  mark.markup = g_strdup(mark.markup);
  g_ptr_array_add(marks, g_memdup2(&mark, sizeof mark));
  debye_plot_changed(self);
}

void
debye_plot_add_text(DebyePlot *self, double x, double y, double align, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && markup != NULL);
  add_mark(self, self->words, (DebyePlotMark){.x = x, .y = y, .align = align, .markup = (char *)markup});
}

void
debye_plot_clear_texts(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  g_ptr_array_set_size(self->words, 0);
  debye_plot_changed(self);
}

void
debye_plot_add_reference(DebyePlot *self, DebyePlotAxis axis, double value, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_COLOR);
  add_mark(self, self->references, (DebyePlotMark){.axis = axis, .x = value, .markup = (char *)markup});
}

void
debye_plot_add_peak(DebyePlot *self, double x, double y, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  add_mark(self, self->peaks, (DebyePlotMark){.x = x, .y = y, .markup = (char *)markup});
}

void
debye_plot_add_point_name(DebyePlot *self, double x, double y, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  add_mark(self, self->peaks, (DebyePlotMark){.x = x, .y = y, .markup = (char *)markup, .is_point = TRUE});
}

gboolean
debye_plot_get_peak(DebyePlot *self, gsize index, double *x, double *y)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), FALSE);
  if (index >= self->peaks->len)
    return FALSE;
  const DebyePlotMark *peak = self->peaks->pdata[index];
  *x = peak->x;
  *y = peak->y;
  return TRUE;
}

void
debye_plot_clear_peaks(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  g_ptr_array_set_size(self->peaks, 0);
  debye_plot_changed(self);
}

void
debye_plot_clear_marks(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  g_ptr_array_set_size(self->references, 0);
  g_ptr_array_set_size(self->peaks, 0);
  debye_plot_changed(self);
}

/* --- For the layout --- */

GPtrArray *
debye_plot_get_all_series(DebyePlot *self)
{
  return self->series;
}

GPtrArray *
debye_plot_get_references(DebyePlot *self)
{
  return self->references;
}

GPtrArray *
debye_plot_get_peaks(DebyePlot *self)
{
  return self->peaks;
}

GPtrArray *
debye_plot_get_words(DebyePlot *self)
{
  return self->words;
}

const char *
debye_plot_get_caption(DebyePlot *self)
{
  return self->caption;
}

/* --- The range of x that is tinted or marked, and that a hand may move --- */

gboolean
debye_plot_get_highlight(DebyePlot *self, double *from, double *to)
{
  *from = self->parts.range.from;
  *to = self->parts.range.to;
  return *from < *to;
}

DebyePlotRangeFlags
debye_plot_get_range_flags(DebyePlot *self)
{
  return self->shows_ends ? self->parts.range.flags : self->parts.range.flags & DEBYE_PLOT_RANGE_TINTED;
}

double
debye_plot_get_range_room(DebyePlot *self)
{
  return (debye_plot_get_range_flags(self) & DEBYE_PLOT_RANGE_ROOM) != 0 ? self->parts.range.set_to
                                                                         : (double)NAN;
}

static void
set_ends(DebyePlot *self, double from, double to)
{
  self->parts.range.from = fmin(from, to);
  self->parts.range.to = fmax(from, to);
  debye_plot_changed(self);
}

void
debye_plot_set_highlight(DebyePlot *self, double from, double to)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->parts.range.flags = DEBYE_PLOT_RANGE_TINTED;
  set_ends(self, from, to);
}

void
debye_plot_set_movable_range(DebyePlot *self, double from, double to, DebyePlotRangeFlags flags)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->parts.range.flags = flags;
  self->parts.range.set_from = fmin(from, to);
  self->parts.range.set_to = fmax(from, to);
  set_ends(self, from, to);
}

void
debye_plot_show_range_ends(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->shows_ends = TRUE;
}

void
debye_plot_move_range(DebyePlot *self, double from, double to)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  set_ends(self, from, to);
}

void
debye_plot_reset_range(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  if ((self->parts.range.flags & DEBYE_PLOT_RANGE_MOVABLE) != 0)
    set_ends(self, self->parts.range.set_from, self->parts.range.set_to);
}

DebyePlotRangeFlags
debye_plot_get_movable_range(DebyePlot *self, double *from, double *to)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), 0);
  return debye_plot_get_highlight(self, from, to) ? self->parts.range.flags & DEBYE_PLOT_RANGE_MOVABLE : 0;
}

gboolean
debye_plot_has_movable_range(DebyePlot *self)
{
  double from, to;
  return debye_plot_get_movable_range(self, &from, &to) != 0;
}

gboolean
debye_plot_get_set_range(DebyePlot *self, double *from, double *to)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), FALSE);
  *from = self->parts.range.set_from;
  *to = self->parts.range.set_to;
  return (self->parts.range.flags & DEBYE_PLOT_RANGE_MOVABLE) != 0 && *from < *to;
}
