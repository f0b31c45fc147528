/* SPDX-License-Identifier: MIT */
/* Implementation of plot_look.h; called by the commands of debye-cli that write plots. */
#include "plot_look.h"

#include <math.h>
#include <string.h>

#include "curve_look.h"
#include "curve_values.h"
#include "data/files/error.h"
#include "look_words.h"
#include "render/plot/plot_text.h"

/* Labelled ticks that a person can have asked for. */
#define MAX_STEPS 100.0

struct _DebyePlotLook {
  DebyeRequest *request;
  char **curves;         /* values of the setting "curve" */
  gboolean *was_applied; /* of each */
  GPtrArray *names;      /* of all curves that there were */
  /* Of all plots, whether one showed what is asked for. */
  gboolean has_residuals, has_inset, has_second;
  GPtrArray *unseen; /* added lines and texts, as they were written, that no plot has shown yet */
};

const DebyeChoice debye_plot_look_log_choices[] = {
    {"none", "None", "both axes are linear"}, {"x", "x", "the x axis"}, {"y", "y", "the y axis"},
    {"xy", "x and y", "both axes"},           {NULL, NULL, NULL},
};

const DebyeChoice debye_plot_look_error_choices[] = {
    {"band", "Band", "a band about the curve"},
    {"bars", "Bars", "a bar at each point"},
    {"none", "None", "no errors"},
    {NULL, NULL, NULL},
};

const DebyeChoice debye_plot_look_switch_choices[] = {
    {"on", "On", "shown"},
    {"off", "Off", "not shown"},
    {NULL, NULL, NULL},
};

const DebyeChoice debye_plot_look_divisor_choices[] = {
    {"first", "First value", "its first value: F(q, τ)/F(q, 0)"},
    {"largest", "Largest value", "its largest value"},
    {NULL, NULL, NULL},
};

/* --- Grammar --- */

static gboolean
check_curves(const char *value, GError **error)
{
  g_auto(GStrv) specs = debye_setting_split_values(value);
  for (char **spec = specs; *spec != NULL; spec++)
    if (!debye_curve_look_check(*spec, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_marks(const char *value, gboolean are_lines, GError **error)
{
  g_auto(GStrv) specs = debye_setting_split_values(value);
  for (char **spec = specs; *spec != NULL; spec++) {
    DebyeLookMark mark;
    if (!(are_lines ? debye_look_parse_line : debye_look_parse_text)(*spec, &mark, error))
      return FALSE;
    g_free(mark.words);
  }
  return TRUE;
}

gboolean
debye_plot_look_check(const char *key, const char *value, GError **error)
{
  double limits[2];
  DebyeLookLegend legend;
  DebyeLookInset inset;
  g_auto(DebyeLookTicks) ticks = {.values = NULL};
  static const char *const ranges[] = {"x-range", "y-range", "second-range", NULL};
  static const char *const tick_keys[] = {"x-ticks", "y-ticks", "second-ticks", NULL};
  if (g_strv_contains(ranges, key))
    return debye_look_parse_range(value, limits, error);
  if (g_strv_contains(tick_keys, key))
    return debye_look_parse_ticks(value, &ticks, error);
  if (strcmp(key, "inset") == 0)
    return debye_look_parse_inset(value, &inset, error);
  if (strcmp(key, "legend") == 0)
    return debye_look_parse_legend(value, &legend, error);
  if (strcmp(key, "curve") == 0)
    return check_curves(value, error);
  if (strcmp(key, "add-line") == 0 || strcmp(key, "add-text") == 0)
    return check_marks(value, strcmp(key, "add-line") == 0, error);
  return TRUE;
}

/* --- A look --- */

/* NULL where it is not set, or the table has none such. */
static const char *
get(const DebyePlotLook *self, const char *key)
{
  const gboolean is_known = debye_setting_table_find(debye_request_get_table(self->request), key) != NULL;
  return is_known ? debye_request_get(self->request, key) : NULL;
}

static void
list_marks(DebyePlotLook *self, const char *key)
{
  g_auto(GStrv) specs = debye_setting_split_values(get(self, key));
  for (char **spec = specs; *spec != NULL; spec++)
    g_ptr_array_add(self->unseen, g_strdup_printf("--%s %s", key, *spec));
}

DebyePlotLook *
debye_plot_look_new(DebyeRequest *request)
{
  DebyePlotLook *self = g_new0(DebyePlotLook, 1);
  self->request = request;
  self->curves = debye_setting_split_values(get(self, "curve"));
  self->was_applied = g_new0(gboolean, g_strv_length(self->curves) + 1);
  self->names = g_ptr_array_new_with_free_func(g_free);
  self->unseen = g_ptr_array_new_with_free_func(g_free);
  list_marks(self, "add-line");
  list_marks(self, "add-text");
  return self;
}

void
debye_plot_look_free(DebyePlotLook *self)
{
  if (self == NULL)
    return;
  g_strfreev(self->curves);
  g_free(self->was_applied);
  g_ptr_array_unref(self->names);
  g_ptr_array_unref(self->unseen);
  g_free(self);
}

/* --- Axes --- */

static const struct {
  DebyePlotAxis axis;
  const char *range, *ticks, *label;
} axes[] = {
    {DEBYE_PLOT_X, "x-range", "x-ticks", "x-label"},
    {DEBYE_PLOT_Y, "y-range", "y-ticks", "y-label"},
    {DEBYE_PLOT_Y2, "second-range", "second-ticks", "second-label"},
};

/* Before the ranges: a view with an end that a logarithmic axis can't show is lost. */
static void
apply_scales(const DebyePlotLook *self, DebyePlot *plot)
{
  const char *logarithmic = get(self, "log");
  if (logarithmic == NULL)
    return;
  debye_plot_set_scale(plot, DEBYE_PLOT_X,
                       strchr(logarithmic, 'x') != NULL ? DEBYE_PLOT_LOG : DEBYE_PLOT_LINEAR);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y,
                       strchr(logarithmic, 'y') != NULL ? DEBYE_PLOT_LOG : DEBYE_PLOT_LINEAR);
}

/* Fitted to the part that is shown, where nothing else is said of the axis. */
static gboolean
apply_range(const DebyePlotLook *self, DebyePlot *plot, gsize number, GError **error)
{
  double limits[2];
  const char *text = get(self, axes[number].range);
  if (text == NULL && axes[number].axis != DEBYE_PLOT_X && get(self, axes[0].range) != NULL)
    debye_plot_fit_view(plot, axes[number].axis);
  if (text == NULL)
    return TRUE;
  if (!debye_look_parse_range(text, limits, error))
    return FALSE;
  if (debye_plot_get_scale(plot, axes[number].axis) == DEBYE_PLOT_LOG &&
      (limits[0] <= 0.0 || limits[1] <= 0.0))
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "--%s: expected values above 0, since the axis is logarithmic, found “%s”",
                           axes[number].range, text);
  debye_plot_set_view(plot, axes[number].axis, limits[0], limits[1]);
  return TRUE;
}

static gboolean
check_step(DebyePlot *plot, gsize number, const char *text, double step, GError **error)
{
  double minimum, maximum;
  debye_plot_get_limits(plot, axes[number].axis, &minimum, &maximum);
  if (debye_plot_get_scale(plot, axes[number].axis) == DEBYE_PLOT_LOG)
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "--%s: expected values, “1,2,5”, since the axis is logarithmic, found the step “%s”",
        axes[number].ticks, text);
  if ((maximum - minimum) / step <= MAX_STEPS)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "--%s: expected at most %.0f steps on the axis, found %.0f", axes[number].ticks,
                         MAX_STEPS, (maximum - minimum) / step);
}

static gboolean
apply_ticks(const DebyePlotLook *self, DebyePlot *plot, gsize number, GError **error)
{
  g_auto(DebyeLookTicks) ticks = {.values = NULL};
  const char *text = get(self, axes[number].ticks);
  if (text == NULL)
    return TRUE;
  if (!debye_look_parse_ticks(text, &ticks, error) ||
      (ticks.values == NULL && !check_step(plot, number, text, ticks.step, error)))
    return FALSE;
  const DebyePlotTickChoice choice = {
      .step = ticks.step,
      .n_minor = ticks.n_minor,
      .values = ticks.values != NULL ? (const double *)(const void *)ticks.values->data : NULL,
      .n_values = ticks.values != NULL ? ticks.values->len : 0};
  debye_plot_set_ticks(plot, axes[number].axis, &choice);
  return TRUE;
}

static gboolean
apply_axes(const DebyePlotLook *self, DebyePlot *plot, GError **error)
{
  apply_scales(self, plot);
  for (gsize i = 0; i < G_N_ELEMENTS(axes); i++) {
    const char *label = get(self, axes[i].label);
    g_autofree char *markup = label != NULL ? debye_plot_text_from_marked(label) : NULL;
    if (!apply_range(self, plot, i, error) || !apply_ticks(self, plot, i, error))
      return FALSE;
    if (markup != NULL)
      debye_plot_set_label(plot, axes[i].axis, markup);
  }
  return TRUE;
}

/* --- Curves --- */

static void
apply_errors(const DebyePlotLook *self, DebyePlot *plot)
{
  const char *value = get(self, "errors");
  if (value == NULL)
    return;
  const DebyePlotErrors errors = strcmp(value, "band") == 0   ? DEBYE_PLOT_ERRORS_BAND
                                 : strcmp(value, "bars") == 0 ? DEBYE_PLOT_ERRORS_BARS
                                                              : DEBYE_PLOT_ERRORS_NONE;
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++)
    debye_plot_set_series_errors(plot, debye_plot_get_series(plot, i), errors);
}

static gboolean
apply_curves(DebyePlotLook *self, DebyePlot *plot, GError **error)
{
  apply_errors(self, plot);
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const char *name = debye_curve_get_name(debye_plot_get_curve(plot, debye_plot_get_series(plot, i)));
    if (!g_ptr_array_find_with_equal_func(self->names, name, g_str_equal, NULL))
      g_ptr_array_add(self->names, g_strdup(name));
  }
  for (gsize i = 0; self->curves[i] != NULL; i++) {
    const int n = debye_curve_look_apply(self->curves[i], plot, error);
    if (n < 0)
      return FALSE;
    self->was_applied[i] = self->was_applied[i] || n > 0;
  }
  return TRUE;
}

/* --- Marks --- */

static gboolean
has_second_axis(DebyePlot *plot)
{
  gboolean found = FALSE;
  for (gsize i = 0; i < debye_plot_get_n_series(plot) && !found; i++) {
    const guint series = debye_plot_get_series(plot, i);
    found = debye_plot_get_series_axis(plot, series) == DEBYE_PLOT_Y2 &&
            debye_plot_get_series_visible(plot, series);
  }
  return found;
}

static gboolean
apply_legend(DebyePlotLook *self, DebyePlot *plot, GError **error)
{
  DebyeLookLegend legend;
  const char *text = get(self, "legend");
  if (text == NULL)
    return TRUE;
  if (!debye_look_parse_legend(text, &legend, error))
    return FALSE;
  debye_plot_set_legend_visible(plot, !legend.is_hidden);
  debye_plot_set_legend_side(plot, legend.side);
  debye_plot_set_legend_place(plot, legend.x, legend.y);
  return TRUE;
}

static gboolean
is_within(DebyePlot *plot, DebyePlotAxis axis, double value)
{
  double minimum, maximum;
  debye_plot_get_limits(plot, axis, &minimum, &maximum);
  return value >= minimum && value <= maximum;
}

static void
see_mark(DebyePlotLook *self, DebyePlot *plot, const char *key, const char *spec, const DebyeLookMark *mark)
{
  guint index;
  g_autofree char *written = g_strdup_printf("--%s %s", key, spec);
  const gboolean is_line = strcmp(key, "add-line") == 0;
  const gboolean is_seen =
      is_line ? is_within(plot, mark->axis, mark->x)
              : is_within(plot, DEBYE_PLOT_X, mark->x) && is_within(plot, DEBYE_PLOT_Y, mark->y);
  if (is_seen && g_ptr_array_find_with_equal_func(self->unseen, written, g_str_equal, &index))
    g_ptr_array_remove_index(self->unseen, index);
}

static gboolean
add_marks(DebyePlotLook *self, DebyePlot *plot, gboolean are_lines, GError **error)
{
  const char *key = are_lines ? "add-line" : "add-text";
  g_auto(GStrv) specs = debye_setting_split_values(get(self, key));
  for (char **spec = specs; *spec != NULL; spec++) {
    DebyeLookMark mark;
    if (!(are_lines ? debye_look_parse_line : debye_look_parse_text)(*spec, &mark, error))
      return FALSE;
    see_mark(self, plot, key, *spec, &mark);
    g_autofree char *words = mark.words;
    g_autofree char *markup = words != NULL ? debye_plot_text_from_marked(words) : NULL;
    if (are_lines)
      debye_plot_add_reference(plot, mark.axis, mark.x, markup);
    else
      debye_plot_add_text(plot, mark.x, mark.y, mark.align, markup);
  }
  return TRUE;
}

static gboolean
apply_values(const DebyePlotLook *self, DebyePlot *plot, GError **error)
{
  const char *divisor = get(self, "divide");
  return divisor == NULL ||
         debye_look_divide(plot, strcmp(divisor, "first") == 0 ? DEBYE_LOOK_BY_FIRST : DEBYE_LOOK_BY_LARGEST,
                           error);
}

/* Curves of the left axis, which an inset shows. */
static gboolean
has_points_within(DebyePlot *plot, const double range[2])
{
  const gboolean is_log = debye_plot_get_scale(plot, DEBYE_PLOT_Y) == DEBYE_PLOT_LOG;
  for (gsize i = 0; i < debye_plot_get_n_series(plot); i++) {
    const guint series = debye_plot_get_series(plot, i);
    DebyeCurve *curve = debye_plot_get_curve(plot, series);
    const double *x = debye_curve_get_x(curve), *y = debye_curve_get_y(curve);
    if (debye_plot_get_series_axis(plot, series) != DEBYE_PLOT_Y ||
        !debye_plot_get_series_visible(plot, series))
      continue;
    for (gsize k = 0; k < debye_curve_get_n_points(curve); k++)
      if (x[k] >= range[0] && x[k] <= range[1] && isfinite(y[k]) && (!is_log || y[k] > 0.0))
        return TRUE;
  }
  return FALSE;
}

/* A plot of a figure may go over another axis, where the range has nothing. */
static gboolean
apply_inset(DebyePlotLook *self, DebyePlot *plot, GError **error)
{
  DebyeLookInset inset;
  const char *text = get(self, "inset");
  if (text == NULL)
    return TRUE;
  if (!debye_look_parse_inset(text, &inset, error))
    return FALSE;
  debye_plot_set_inset(plot, inset.limits[0], inset.limits[1]);
  debye_plot_set_inset_place(plot, inset.place.side, inset.place.x, inset.place.y);
  self->has_inset = self->has_inset || has_points_within(plot, inset.limits);
  return TRUE;
}

static gboolean
wants_residuals(const DebyePlotLook *self)
{
  gboolean are_wanted = FALSE;
  const char *value = get(self, "residuals");
  return value != NULL && debye_setting_parse_boolean(value, &are_wanted) && are_wanted;
}

/* A plot of a figure may have no measured curve where another has. */
static void
apply_residuals(DebyePlotLook *self, DebyePlot *plot)
{
  if (wants_residuals(self) && debye_look_add_residuals(plot))
    self->has_residuals = TRUE;
}

gboolean
debye_plot_look_apply(DebyePlotLook *self, DebyePlot *plot, GError **error)
{
  const char *markers = get(self, "markers");
  if (markers != NULL && strcmp(markers, "off") == 0)
    debye_plot_clear_peaks(plot);
  if (!apply_values(self, plot, error) || !apply_curves(self, plot, error) || !apply_axes(self, plot, error))
    return FALSE;
  apply_residuals(self, plot);
  self->has_second = self->has_second || has_second_axis(plot);
  return apply_inset(self, plot, error) && apply_legend(self, plot, error) &&
         add_marks(self, plot, TRUE, error) && add_marks(self, plot, FALSE, error);
}

/* --- What no plot showed --- */

static gboolean
check_applied(const DebyePlotLook *self, GError **error)
{
  for (gsize i = 0; self->curves[i] != NULL; i++) {
    if (self->was_applied[i])
      continue;
    g_autoptr(GString) known = g_string_new(NULL);
    for (guint k = 0; k < self->names->len; k++)
      g_string_append_printf(known, "%s“%s”", k > 0 ? ", " : "", (const char *)self->names->pdata[k]);
    return debye_error_set(error, DEBYE_ERROR_VALUE, "--curve: expected the name of a curve (%s), found “%s”",
                           self->names->len > 0 ? known->str : "there is none", self->curves[i]);
  }
  return TRUE;
}

static gboolean
check_seen(const DebyePlotLook *self, GError **error)
{
  if (self->unseen->len == 0)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "expected a position within the ranges of the axes, found “%s”",
                         (const char *)self->unseen->pdata[0]);
}

static gboolean
check_second(const DebyePlotLook *self, GError **error)
{
  const char *const keys[] = {axes[2].range, axes[2].ticks, axes[2].label};
  for (gsize i = 0; i < G_N_ELEMENTS(keys) && !self->has_second; i++) {
    if (get(self, keys[i]) == NULL)
      continue;
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "--%s: no plot has a second axis. Add --second QUANTITY.", keys[i]);
  }
  return TRUE;
}

static gboolean
check_parts(const DebyePlotLook *self, GError **error)
{
  const char *inset = get(self, "inset");
  if (inset != NULL && !self->has_inset)
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "--inset: no curve has a point in the range “%s”. Choose a part of the x axis.", inset);
  else if (wants_residuals(self) && !self->has_residuals)
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "--residuals: expected a measured curve beside a computed one, or two computed ones, "
                    "found no such plot");
  else
    return TRUE;
  return FALSE;
}

gboolean
debye_plot_look_finish(DebyePlotLook *self, GError **error)
{
  return check_applied(self, error) && check_seen(self, error) && check_second(self, error) &&
         check_parts(self, error);
}
