/* SPDX-License-Identifier: MIT */
/* The plot as a model; what its data span is in plot_range.c, what a result makes of it in plot_result.c. */
#include "plot_private.h"

#include <math.h>
#include <string.h>

#include "data/table.h"
#include "plot_text.h"

typedef struct {
  char *label;
  gboolean label_is_given; /* by the caller, not by the first curve */
  char *unit;              /* plain; NULL until something stands on the axis */
  DebyePlotScale scale;
  double minimum, maximum; /* the view; NAN: the data's */
} Axis;

struct _DebyePlot {
  GObject parent_instance;
  GPtrArray *series, *references, *peaks;
  guint next_id;
  DebyeMatrix *matrix;
  const char *color_map; /* interned */
  Axis axes[DEBYE_PLOT_N_AXES];
  char *title, *caption;
  gboolean legend_visible;
  double legend_x, legend_y;
  double highlight_from, highlight_to;
};

G_DEFINE_FINAL_TYPE(DebyePlot, debye_plot, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
series_free(gpointer data)
{
  DebyePlotSeries *series = data;
  debye_plot_reduction_free(series->reduction);
  g_object_unref(series->curve);
  g_free(series);
}

static void
reference_free(gpointer data)
{
  g_free(((DebyePlotReference *)data)->markup);
  g_free(data);
}

static void
peak_free(gpointer data)
{
  g_free(((DebyePlotPeak *)data)->markup);
  g_free(data);
}

static void
debye_plot_finalize(GObject *object)
{
  DebyePlot *self = DEBYE_PLOT(object);
  g_ptr_array_unref(self->series);
  g_ptr_array_unref(self->references);
  g_ptr_array_unref(self->peaks);
  g_clear_object(&self->matrix);
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++) {
    g_free(self->axes[i].label);
    g_free(self->axes[i].unit);
  }
  g_free(self->title);
  g_free(self->caption);
  G_OBJECT_CLASS(debye_plot_parent_class)->finalize(object);
}

static void
debye_plot_class_init(DebyePlotClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_plot_finalize;
  signals[CHANGED] = g_signal_new("changed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
debye_plot_init(DebyePlot *self)
{
  self->series = g_ptr_array_new_with_free_func(series_free);
  self->references = g_ptr_array_new_with_free_func(reference_free);
  self->peaks = g_ptr_array_new_with_free_func(peak_free);
  self->color_map = g_intern_static_string("viridis");
  self->legend_visible = TRUE;
  self->legend_x = self->legend_y = NAN;
  self->highlight_from = self->highlight_to = NAN;
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++)
    self->axes[i].minimum = self->axes[i].maximum = NAN;
}

DebyePlot *
debye_plot_new(void)
{
  return g_object_new(DEBYE_TYPE_PLOT, NULL);
}

static void
changed(DebyePlot *self)
{
  g_signal_emit(self, signals[CHANGED], 0);
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

/* --- Series --- */

static DebyePlotSeries *
find_series(DebyePlot *self, guint id)
{
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
  guint n = 0;
  for (guint i = 0; i < self->series->len; i++) {
    const DebyePlotSeries *series = self->series->pdata[i];
    n += debye_curve_get_style(series->curve) == DEBYE_CURVE_MARKERS;
  }
  return (DebyePlotMarker)(n % DEBYE_PLOT_N_MARKERS);
}

/* What an axis takes over from the first thing that stands on it. */
static void
adopt_quantity(Axis *axis, const DebyeQuantity *quantity)
{
  if (axis->unit == NULL)
    axis->unit = g_strdup(quantity->unit);
  if (axis->label_is_given)
    return;
  g_autofree char *title = debye_quantity_get_title(quantity);
  g_free(axis->label);
  axis->label = debye_plot_text_from_plain(title);
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
  series->marker = next_marker(self);
  g_ptr_array_add(self->series, series);
  changed(self);
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
  changed(self);
}

void
debye_plot_remove_curve(DebyePlot *self, guint id)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  DebyePlotSeries *series = find_series(self, id);
  if (series != NULL && g_ptr_array_remove(self->series, series))
    changed(self);
}

void
debye_plot_clear(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  g_ptr_array_set_size(self->series, 0);
  g_ptr_array_set_size(self->references, 0);
  g_ptr_array_set_size(self->peaks, 0);
  g_clear_object(&self->matrix);
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++)
    g_clear_pointer(&self->axes[i].unit, g_free);
  changed(self);
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
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  DebyePlotSeries *series = find_series(self, id);
  return series != NULL ? series->curve : NULL;
}

DebyePlotAxis
debye_plot_get_series_axis(DebyePlot *self, guint id)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), DEBYE_PLOT_Y);
  const DebyePlotSeries *series = find_series(self, id);
  return series != NULL ? series->axis : DEBYE_PLOT_Y;
}

gboolean
debye_plot_get_series_visible(DebyePlot *self, guint id)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), FALSE);
  DebyePlotSeries *series = find_series(self, id);
  return series != NULL && !series->hidden;
}

void
debye_plot_set_series_visible(DebyePlot *self, guint id, gboolean visible)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->hidden = !visible;
  changed(self);
}

void
debye_plot_set_series_color(DebyePlot *self, guint id, guint color)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->color = color;
  changed(self);
}

void
debye_plot_set_series_dash(DebyePlot *self, guint id, DebyePlotDash dash)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && dash < DEBYE_PLOT_N_DASHES);
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->dash = dash;
  changed(self);
}

void
debye_plot_set_series_marker(DebyePlot *self, guint id, DebyePlotMarker marker)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && marker < DEBYE_PLOT_N_MARKERS);
  DebyePlotSeries *series = find_series(self, id);
  g_return_if_fail(series != NULL);
  series->marker = marker;
  changed(self);
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
  changed(self);
}

DebyeMatrix *
debye_plot_get_matrix(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  return self->matrix;
}

void
debye_plot_set_color_map(DebyePlot *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && name != NULL);
  self->color_map = g_intern_string(name);
  changed(self);
}

/* --- Axes --- */

void
debye_plot_set_label(DebyePlot *self, DebyePlotAxis axis, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES);
  self->axes[axis].label_is_given = TRUE;
  if (replace_text(&self->axes[axis].label, markup))
    changed(self);
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
  Axis *own = &self->axes[axis];
  if (own->scale == scale)
    return;
  own->scale = scale;
  /* A view with an end that a logarithmic axis can't show. */
  if (scale == DEBYE_PLOT_LOG && !(own->minimum > 0.0))
    own->minimum = NAN;
  if (scale == DEBYE_PLOT_LOG && !(own->maximum > 0.0))
    own->maximum = NAN;
  changed(self);
}

DebyePlotScale
debye_plot_get_scale(DebyePlot *self, DebyePlotAxis axis)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES, DEBYE_PLOT_LINEAR);
  return self->axes[axis].scale;
}

void
debye_plot_set_view(DebyePlot *self, DebyePlotAxis axis, double minimum, double maximum)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES);
  Axis *own = &self->axes[axis];
  if (minimum > maximum) {
    double swapped = minimum;
    minimum = maximum;
    maximum = swapped;
  }
  gboolean is_log = own->scale == DEBYE_PLOT_LOG;
  own->minimum = isfinite(minimum) && !(is_log && minimum <= 0.0) ? minimum : (double)NAN;
  own->maximum = isfinite(maximum) && !(is_log && maximum <= 0.0) ? maximum : (double)NAN;
  changed(self);
}

void
debye_plot_reset_view(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++)
    self->axes[i].minimum = self->axes[i].maximum = NAN;
  changed(self);
}

gboolean
debye_plot_has_view(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), FALSE);
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++)
    if (isfinite(self->axes[i].minimum) || isfinite(self->axes[i].maximum))
      return TRUE;
  return FALSE;
}

void
debye_plot_get_limits(DebyePlot *self, DebyePlotAxis axis, double *minimum, double *maximum)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES);
  const Axis *own = &self->axes[axis];
  if (!isfinite(own->minimum) || !isfinite(own->maximum))
    debye_plot_find_range(self, axis, minimum, maximum);
  if (isfinite(own->minimum))
    *minimum = own->minimum;
  if (isfinite(own->maximum))
    *maximum = own->maximum;
  /* Nearer than doubles can be told apart on a page, or an end given beyond the data's other one. */
  double least = own->scale == DEBYE_PLOT_LOG ? 1e-9 * *minimum
                                              : fmax(1e-12 * fmax(fabs(*minimum), fabs(*maximum)), 1e-300);
  if (*maximum - *minimum < least) {
    double centre = 0.5 * (*minimum + *maximum);
    *maximum = centre + fmax(least, fabs(centre) * 1e-9);
    *minimum = own->scale == DEBYE_PLOT_LOG ? centre * (1.0 - 1e-9) : 2.0 * centre - *maximum;
  }
}

const char *
debye_plot_get_unit(DebyePlot *self, DebyePlotAxis axis)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_N_AXES, NULL);
  return self->axes[axis].unit != NULL ? self->axes[axis].unit : "";
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

/* --- Texts and marks --- */

void
debye_plot_set_title(DebyePlot *self, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  if (replace_text(&self->title, markup))
    changed(self);
}

void
debye_plot_set_caption(DebyePlot *self, const char *text)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  if (replace_text(&self->caption, text))
    changed(self);
}

void
debye_plot_set_legend_visible(DebyePlot *self, gboolean visible)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->legend_visible = visible;
  changed(self);
}

gboolean
debye_plot_get_legend_visible(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), FALSE);
  return self->legend_visible;
}

void
debye_plot_set_legend_place(DebyePlot *self, double x, double y)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->legend_x = x;
  self->legend_y = y;
  changed(self);
}

void
debye_plot_get_legend_place(DebyePlot *self, double *x, double *y)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  *x = self->legend_x;
  *y = self->legend_y;
}

void
debye_plot_add_reference(DebyePlot *self, DebyePlotAxis axis, double value, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && axis < DEBYE_PLOT_COLOR);
  DebyePlotReference *reference = g_new(DebyePlotReference, 1);
  *reference = (DebyePlotReference){axis, value, g_strdup(markup)};
  g_ptr_array_add(self->references, reference);
  changed(self);
}

void
debye_plot_add_peak(DebyePlot *self, double x, double y, const char *markup)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  DebyePlotPeak *peak = g_new(DebyePlotPeak, 1);
  *peak = (DebyePlotPeak){x, y, g_strdup(markup)};
  g_ptr_array_add(self->peaks, peak);
  changed(self);
}

gboolean
debye_plot_get_peak(DebyePlot *self, gsize index, double *x, double *y)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), FALSE);
  if (index >= self->peaks->len)
    return FALSE;
  const DebyePlotPeak *peak = self->peaks->pdata[index];
  *x = peak->x;
  *y = peak->y;
  return TRUE;
}

void
debye_plot_clear_marks(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  g_ptr_array_set_size(self->references, 0);
  g_ptr_array_set_size(self->peaks, 0);
  changed(self);
}

void
debye_plot_set_highlight(DebyePlot *self, double from, double to)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->highlight_from = fmin(from, to);
  self->highlight_to = fmax(from, to);
  changed(self);
}

char *
debye_plot_copy_text(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  g_autoptr(GListStore) curves = g_list_store_new(DEBYE_TYPE_CURVE);
  for (guint i = 0; i < self->series->len; i++) {
    const DebyePlotSeries *series = self->series->pdata[i];
    if (!series->hidden)
      g_list_store_append(curves, series->curve);
  }
  g_autoptr(DebyeTable) table = NULL;
  if (g_list_model_get_n_items(G_LIST_MODEL(curves)) > 0)
    table = debye_table_new_for_curves(G_LIST_MODEL(curves));
  else if (self->matrix != NULL)
    table = debye_table_new_for_matrix(self->matrix);
  if (table == NULL)
    return NULL;
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  if (!debye_table_save_csv(table, NULL, '\t', stream, NULL) || !g_output_stream_close(stream, NULL, NULL))
    return NULL;
  g_autoptr(GBytes) bytes = g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(stream));
  return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
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

const char *
debye_plot_get_title(DebyePlot *self)
{
  return self->title;
}

const char *
debye_plot_get_caption(DebyePlot *self)
{
  return self->caption;
}

const char *
debye_plot_get_color_map(DebyePlot *self)
{
  return self->color_map;
}

gboolean
debye_plot_get_highlight(DebyePlot *self, double *from, double *to)
{
  *from = self->highlight_from;
  *to = self->highlight_to;
  return *from < *to;
}
