/* SPDX-License-Identifier: MIT */
/* The series of a plot, curves and the heat map, which results and the classroom add; plot.c has the rest. */

#include "data/results/table.h"
#include "plot_state.h"
#include "plot_style.h"
#include "plot_text.h"

static DebyePlotSeries *
find_series(DebyePlot *self, guint id)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  for (guint i = 0; i < self->series->len; i++)
    if (((DebyePlotSeries *)self->series->pdata[i])->id == id)
      return self->series->pdata[i];
  return NULL;
}

static guint
free_color(DebyePlot *self)
{
  guint color = 0;
  for (guint i = 0; i < self->series->len; i++)
    if (((DebyePlotSeries *)self->series->pdata[i])->color == color) {
      color++;
      i = (guint)-1;
    }
  return color;
}

/* Measured series differ by their markers, too. */
static DebyePlotMarker
next_marker(DebyePlot *self)
{
  guint used = 0, marker = 0;
  for (guint i = 0; i < self->series->len; i++) {
    const DebyePlotSeries *series = self->series->pdata[i];
    if (debye_curve_get_style(series->curve) == DEBYE_CURVE_MARKERS)
      used |= 1u << series->marker;
  }
  while (marker < DEBYE_PLOT_N_MARKERS && (used & 1u << marker) != 0)
    marker++;
  return (DebyePlotMarker)(marker % DEBYE_PLOT_N_MARKERS);
}

/* What an axis takes over from the first thing that stands on it. */
static void
adopt_quantity(DebyePlotAxisState *axis, const DebyeQuantity *quantity)
{
  if (axis->unit == NULL)
    axis->unit = g_strdup(quantity->unit);
  if (axis->label_is_given)
    return;
  g_free(axis->label);
  axis->label = debye_plot_text_from_quantity(quantity);
  axis->label_is_given = TRUE;
}

/* In the unit of the axis, where that can be. */
static DebyeCurve *
convert(DebyePlot *self, DebyeCurve *curve)
{
  const char *unit = self->axes[DEBYE_PLOT_X].unit;
  if (unit == NULL || g_str_equal(unit, debye_curve_get_x_quantity(curve)->unit))
    return g_object_ref(curve);
  DebyeCurve *converted = debye_curve_with_x_unit(curve, unit);
  return converted != NULL ? converted : g_object_ref(curve);
}

guint
debye_plot_add_curve(DebyePlot *self, DebyeCurve *curve, DebyePlotAxis axis)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self) && DEBYE_IS_CURVE(curve), 0);
  g_return_val_if_fail(axis == DEBYE_PLOT_Y || axis == DEBYE_PLOT_Y2, 0);
  DebyePlotSeries *series = g_new0(DebyePlotSeries, 1);
  adopt_quantity(&self->axes[DEBYE_PLOT_X], debye_curve_get_x_quantity(curve));
  adopt_quantity(&self->axes[axis], debye_curve_get_y_quantity(curve));
  series->id = ++self->next_id;
  series->curve = convert(self, curve);
  series->axis = axis;
  series->color = free_color(self);
  series->marker = series->own_marker = next_marker(self);
  g_ptr_array_add(self->series, series);
  debye_plot_changed(self);
  return series->id;
}

void
debye_plot_replace_curve(DebyePlot *self, guint id, DebyeCurve *curve)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && DEBYE_IS_CURVE(curve));
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  g_clear_pointer(&series->reduction, debye_plot_reduction_free);
  g_object_unref(series->curve);
  series->curve = convert(self, curve);
  debye_plot_changed(self);
}

void
debye_plot_remove_curve(DebyePlot *self, guint id)
{
  DebyePlotSeries *series = find_series(self, id);
  if (series != NULL && g_ptr_array_remove(self->series, series))
    debye_plot_changed(self);
}

void
debye_plot_move_curve(DebyePlot *self, guint id, guint index)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && index < self->series->len);
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  guint now;
  if (!g_ptr_array_find(self->series, series, &now) || now == index)
    return;
  g_ptr_array_steal_index(self->series, now);
  g_ptr_array_insert(self->series, (gint)index, series);
  debye_plot_changed(self);
}

gsize
debye_plot_get_n_series(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), 0);
  return self->series->len;
}

guint
debye_plot_get_series(DebyePlot *self, gsize index)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self) && index < self->series->len, 0);
  return ((DebyePlotSeries *)self->series->pdata[index])->id;
}

DebyeCurve *
debye_plot_get_curve(DebyePlot *self, guint id)
{
  DebyePlotSeries *series = find_series(self, id);
  return series != NULL ? series->curve : NULL;
}

DebyePlotAxis
debye_plot_get_series_axis(DebyePlot *self, guint id)
{
  const DebyePlotSeries *series = find_series(self, id);
  return series != NULL ? series->axis : DEBYE_PLOT_Y;
}

gboolean
debye_plot_get_series_visible(DebyePlot *self, guint id)
{
  DebyePlotSeries *series = find_series(self, id);
  return series != NULL && !series->hidden;
}

void
debye_plot_set_series_visible(DebyePlot *self, guint id, gboolean visible)
{
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->hidden = !visible;
  debye_plot_changed(self);
}

void
debye_plot_set_series_color(DebyePlot *self, guint id, guint color)
{
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->color = color;
  debye_plot_changed(self);
}

void
debye_plot_set_series_rgb(DebyePlot *self, guint id, guint32 rgb)
{
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->rgb = rgb;
  series->has_rgb = TRUE;
  debye_plot_changed(self);
}

guint32
debye_plot_get_series_rgb(DebyePlot *self, guint id)
{
  const DebyePlotSeries *series = find_series(self, id);
  g_return_val_if_fail(series != NULL, 0);
  return series->has_rgb ? series->rgb : debye_plot_style_get_rgb(series->color);
}

void
debye_plot_set_series_dash(DebyePlot *self, guint id, DebyePlotDash dash)
{
  g_return_if_fail(dash < DEBYE_PLOT_N_DASHES);
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->dash = dash;
  series->has_dash = TRUE;
  debye_plot_changed(self);
}

void
debye_plot_set_series_width(DebyePlot *self, guint id, double points)
{
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->width = points;
  debye_plot_changed(self);
}

void
debye_plot_set_series_label(DebyePlot *self, guint id, const char *markup)
{
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  g_free(series->label);
  series->label = g_strdup(markup);
  debye_plot_changed(self);
}

void
debye_plot_set_series_errors(DebyePlot *self, guint id, DebyePlotErrors errors)
{
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->errors = errors;
  debye_plot_changed(self);
}

void
debye_plot_copy_series_look(DebyePlot *self, guint id, DebyePlot *to, guint of)
{
  const DebyePlotSeries *from = find_series(self, id);
  DebyePlotSeries *series = find_series(to, of);
  g_return_if_fail(from != NULL && series != NULL);
  series->color = from->color;
  series->has_rgb = from->has_rgb;
  series->rgb = from->rgb;
  series->has_dash = from->has_dash;
  series->dash = from->dash;
  series->width = from->width;
  series->marker = from->marker;
  series->has_markers = from->has_markers;
  series->is_line = from->is_line;
  debye_plot_changed(to);
}

void
debye_plot_set_series_marker(DebyePlot *self, guint id, DebyePlotMarker marker)
{
  g_return_if_fail(marker < DEBYE_PLOT_N_MARKERS);
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->marker = marker;
  series->has_markers = TRUE;
  series->is_line = FALSE;
  debye_plot_changed(self);
}

void
debye_plot_clear_series_marker(DebyePlot *self, guint id)
{
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->has_markers = FALSE;
  series->is_line = TRUE;
  debye_plot_changed(self);
}

void
debye_plot_clear_series_look(DebyePlot *self, guint id)
{
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->has_rgb = series->has_dash = series->has_markers = series->is_line = FALSE;
  series->width = 0.0;
  series->errors = DEBYE_PLOT_ERRORS_AUTO;
  series->marker = series->own_marker;
  g_clear_pointer(&series->label, g_free);
  debye_plot_changed(self);
}

DebyeCurveStyle
debye_plot_series_get_style(const DebyePlotSeries *series)
{
  const DebyeCurveStyle style = debye_curve_get_style(series->curve);
  return style == DEBYE_CURVE_MARKERS && series->is_line ? DEBYE_CURVE_LINE : style;
}

const double *
debye_plot_series_get_errors(const DebyePlotSeries *series)
{
  return series->errors != DEBYE_PLOT_ERRORS_NONE ? debye_curve_get_errors(series->curve) : NULL;
}

gboolean
debye_plot_series_has_bars(const DebyePlotSeries *series)
{
  return series->errors == DEBYE_PLOT_ERRORS_BARS ||
         (series->errors == DEBYE_PLOT_ERRORS_AUTO &&
          debye_plot_series_get_style(series) == DEBYE_CURVE_MARKERS);
}

DebyePlotReduction *
debye_plot_series_reduce(DebyePlotSeries *series)
{
  if (series->reduction == NULL)
    series->reduction = debye_plot_reduction_new(series->curve);
  return series->reduction;
}

/* --- Heat map --- */

void
debye_plot_set_matrix(DebyePlot *self, DebyeMatrix *matrix)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && (matrix == NULL || DEBYE_IS_MATRIX(matrix)));
  g_set_object(&self->matrix, matrix);
  if (matrix != NULL) {
    adopt_quantity(&self->axes[DEBYE_PLOT_X], debye_matrix_get_column_quantity(matrix));
    adopt_quantity(&self->axes[DEBYE_PLOT_Y], debye_matrix_get_row_quantity(matrix));
    adopt_quantity(&self->axes[DEBYE_PLOT_COLOR], debye_matrix_get_quantity(matrix));
  }
  debye_plot_changed(self);
}

DebyeMatrix *
debye_plot_get_matrix(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  return self->matrix;
}

DebyeTable *
debye_plot_create_table(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  g_autoptr(GListStore) curves = g_list_store_new(DEBYE_TYPE_CURVE);
  for (guint i = 0; i < self->series->len; i++) {
    const DebyePlotSeries *series = self->series->pdata[i];
    if (!series->hidden)
      g_list_store_append(curves, series->curve);
  }
  if (g_list_model_get_n_items(G_LIST_MODEL(curves)) > 0)
    return debye_table_new_for_curves(G_LIST_MODEL(curves));
  return self->matrix != NULL ? debye_table_new_for_array(self->matrix) : NULL;
}

char *
debye_plot_copy_text(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  g_autoptr(DebyeTable) table = debye_plot_create_table(self);
  if (table == NULL)
    return NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  if (!debye_table_save_csv(table, NULL, '\t', stream, NULL) || !g_output_stream_close(stream, NULL, NULL))
    return NULL;
  g_autoptr(GBytes) bytes = g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(stream));
  return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}
