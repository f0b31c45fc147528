/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_design.h; used by bench_plot.c, classroom_source.c and lesson_sweep.c. */
#include "classroom_design.h"

#include <glib/gi18n.h>
#include <math.h>

#include "classroom_problem.h"
#include "data/messages/count_text.h"

#define MARGIN 0.04   /* of the axis, on each side */
#define HEADROOM 0.15 /* above the slowest, for the mark of the fastest */
#define MOST_TICKS 9  /* that a sweep has at its own values */
#define A_DECADE 10.0
#define HALVINGS 2 /* of a macro's own value, and as many doublings */
#define MAX_PROPOSED_ATOMS ((gsize)2000)

/* --- The plot --- */

static DebyeQuantity
get_across(const DebyeBenchSweep *sweep)
{
  const DebyeBenchVariable *variable = sweep->axes[0].variable;
  return (DebyeQuantity){variable->name, _(variable->label), variable->unit};
}

static DebyeQuantity
get_seconds(void)
{
  return (DebyeQuantity){"seconds", _("Time"), "s"};
}

/* "direct (1.98)" */
static char *
name_curve(const DebyeBenchSweep *sweep, const DebyeBenchRow *first, const GArray *fits, guint number,
           const char *kernel)
{
  char exponent[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *own = debye_bench_sweep_name_curve(sweep, first);
  const char *name = *own != '\0' ? own : kernel;
  const double found = number < fits->len ? g_array_index(fits, DebyeBenchFit, number).exponent : NAN;
  if (!isfinite(found))
    return g_strdup(name);
  g_autofree char *text =
      g_strdup_printf("%s (%s)", name, g_ascii_formatd(exponent, sizeof exponent, "%.2f", found));
  return debye_true_minus_text(text);
}

static void
add_curve(DebyePlot *plot, const DebyeBenchSweep *sweep, const GArray *rows, const GArray *fits, guint number,
          const char *kernel)
{
  const DebyeBenchAxis *axis = &sweep->axes[0];
  const gsize begin = number * axis->n, n = MIN(axis->n, rows->len - begin);
  const DebyeBenchRow *of_curve = &g_array_index(rows, DebyeBenchRow, begin);
  const DebyeQuantity across = get_across(sweep), seconds = get_seconds();
  g_autofree char *name = name_curve(sweep, of_curve, fits, number, kernel);
  g_autofree double *times = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    times[i] = of_curve[i].result.seconds;
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &across, &seconds, DEBYE_CURVE_LINE, n, axis->values, times, NULL);
  const guint series = debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  debye_plot_set_series_marker(plot, series, (DebyePlotMarker)(number % DEBYE_PLOT_N_MARKERS));
}

/* From the first curve's first point: n times the threads in an nth of the time, n times the atoms in n times
 * the time. */
static void
add_ideal(DebyePlot *plot, const DebyeBenchSweep *sweep, const GArray *rows)
{
  const DebyeBenchAxis *axis = &sweep->axes[0];
  const DebyeBenchScaling scaling = axis->variable->scaling;
  const double first = g_array_index(rows, DebyeBenchRow, 0).result.seconds;
  const DebyeQuantity across = get_across(sweep), seconds = get_seconds();
  g_autofree double *times = g_new(double, axis->n);
  if (scaling == DEBYE_BENCH_OF_CHOICE || axis->n < 2 || !isfinite(first))
    return;
  for (gsize i = 0; i < axis->n; i++)
    times[i] = first * pow(axis->values[i] / axis->values[0], scaling == DEBYE_BENCH_OF_SIZE ? 1.0 : -1.0);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(scaling == DEBYE_BENCH_OF_SIZE ? _("linear") : _("ideal"), &across, &seconds,
                      DEBYE_CURVE_LINE, axis->n, axis->values, times, NULL);
  debye_plot_set_series_dash(plot, debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y), DEBYE_PLOT_DASHED);
}

/* What a design space is looked through for. */
static void
mark_best(DebyePlot *plot, const DebyeBenchSweep *sweep, const GArray *rows)
{
  const DebyeBenchAxis *axis = &sweep->axes[0];
  const DebyeBenchRow *best = debye_bench_sweep_find_best(sweep, rows);
  if (best != NULL && axis->variable->scaling == DEBYE_BENCH_OF_CHOICE)
    debye_plot_add_peak(plot, axis->values[best->at[0]], best->result.seconds,
                        debye_bench_sweep_changes_work(sweep) ? _("highest throughput") : _("fastest"));
}

/* So that the first and the last marker are whole. */
static void
leave_margin(DebyePlot *plot, const DebyeBenchAxis *axis)
{
  double low = axis->values[0], high = axis->values[0];
  for (gsize i = 1; i < axis->n; i++) {
    low = MIN(low, axis->values[i]);
    high = MAX(high, axis->values[i]);
  }
  const double margin = pow(high / low, MARGIN);
  if (high > low)
    debye_plot_set_view(plot, DEBYE_PLOT_X, low / margin, high * margin);
}

/* At the values themselves: 4, 8 and 16 threads, not 5 and 10. */
static void
set_ticks(DebyePlot *plot, const DebyeBenchAxis *axis)
{
  double values[MOST_TICKS];
  if (axis->n > MOST_TICKS)
    return;
  for (gsize i = 0; i < axis->n; i++) {
    gsize at = i;
    for (; at > 0 && values[at - 1] > axis->values[i]; at--)
      values[at] = values[at - 1];
    values[at] = axis->values[i];
  }
  debye_plot_set_ticks(plot, DEBYE_PLOT_X, &(DebyePlotTickChoice){.values = values, .n_values = axis->n});
}

/* How a time grows is a slope of logarithms. Choices of code that differ by less than a decade are compared from zero, where a
 * difference of a percent looks like one. */
static void
scale_times(DebyePlot *plot, const DebyeBenchSweep *sweep, const GArray *rows)
{
  double least = INFINITY, most = 0.0;
  for (guint i = 0; i < rows->len; i++) {
    const double seconds = g_array_index(rows, DebyeBenchRow, i).result.seconds;
    least = fmin(least, seconds);
    most = fmax(most, seconds);
  }
  const gboolean is_compared =
      sweep->axes[0].variable->macro != NULL && most > 0.0 && most < A_DECADE * least;
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, is_compared ? DEBYE_PLOT_LINEAR : DEBYE_PLOT_LOG);
  if (is_compared)
    debye_plot_set_view(plot, DEBYE_PLOT_Y, 0.0, (1.0 + HEADROOM) * most);
}

static char *
write_caption(const DebyeBenchSweep *sweep, const char *subject)
{
  const DebyeBenchVariable *across = sweep->axes[0].variable;
  g_autofree char *grouped = debye_group_digits(subject);
  return g_strconcat(grouped, ".", across->macro == NULL ? _(" In parentheses: fitted exponents.") : "",
                     across->scaling != DEBYE_BENCH_OF_CHOICE ? ""
                     : debye_bench_sweep_changes_work(sweep)  ? _(" Triangle: the highest throughput.")
                                                              : _(" Triangle: the fastest."),
                     NULL);
}

DebyePlot *
debye_classroom_plot_sweep(const DebyeBenchSweep *sweep, const GArray *rows, const GArray *fits,
                           const char *kernel, const char *subject)
{
  DebyePlot *plot = debye_plot_new();
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  scale_times(plot, sweep, rows);
  for (guint number = 0; number * sweep->axes[0].n < rows->len; number++)
    add_curve(plot, sweep, rows, fits, number, kernel);
  if (rows->len > 0)
    add_ideal(plot, sweep, rows);
  mark_best(plot, sweep, rows);
  leave_margin(plot, &sweep->axes[0]);
  set_ticks(plot, &sweep->axes[0]);
  g_autofree char *caption = write_caption(sweep, subject);
  debye_plot_set_caption(plot, caption);
  return plot;
}

/* --- What is offered --- */

void
debye_classroom_axis_free(DebyeClassroomAxis *self)
{
  g_free(self->name);
  g_free(self->label);
  g_free(self->values);
  g_free(self);
}

static void
add_axis(GPtrArray *axes, const char *name, char *label, char *values)
{
  DebyeClassroomAxis *axis = g_new(DebyeClassroomAxis, 1);
  *axis = (DebyeClassroomAxis){g_strdup(name), label, values};
  g_ptr_array_add(axes, axis);
}

/* By factors of two round the value that the listing has. */
static void
add_macro(GPtrArray *axes, const char *macro)
{
  g_auto(GStrv) parts = g_strsplit(macro, "=", 2);
  const char *name = debye_bench_sweep_name_macro(parts[0]);
  const gint64 own = parts[0] != NULL && parts[1] != NULL ? g_ascii_strtoll(parts[1], NULL, 10) : 0;
  g_autoptr(GString) values = g_string_new(NULL);
  if (name == NULL || own < 1)
    return;
  for (int i = -HALVINGS; i <= HALVINGS; i++) {
    const gint64 value = i < 0 ? own >> -i : own << i;
    if (value >= 1 && (i > 0 || value << -i == own))
      g_string_append_printf(values, "%s%" G_GINT64_FORMAT, values->len > 0 ? "," : "", value);
  }
  add_axis(axes, name, g_strdup(parts[0]), g_strdup(values->str));
}

/* A quarter, half and all of the atoms. */
static void
add_atoms(GPtrArray *axes, gsize n_atoms)
{
  const gsize largest = n_atoms > 0 ? MIN(n_atoms, MAX_PROPOSED_ATOMS) : MAX_PROPOSED_ATOMS;
  g_autoptr(GString) values = g_string_new(NULL);
  for (gsize part = 4; part >= 1; part /= 2)
    if (largest >= part)
      g_string_append_printf(values, "%s%zu", values->len > 0 ? "," : "", largest / part);
  add_axis(axes, "atoms", g_strdup(_("Atoms")), g_strdup(values->str));
}

GPtrArray *
debye_classroom_list_axes(DebyeLadderKind kind, const char *const *macros, gsize n_atoms)
{
  GPtrArray *axes = g_ptr_array_new_with_free_func((GDestroyNotify)debye_classroom_axis_free);
  const gboolean has_map = debye_classroom_problem_has_map(kind);
  for (gsize i = 0; macros[i] != NULL; i++)
    add_macro(axes, macros[i]);
  if (kind == DEBYE_LADDER_CUTOFF)
    add_axis(axes, "cutoff", g_strdup(_("Cutoff (Å)")), g_strdup("8,10,12,14"));
  if (has_map && kind != DEBYE_LADDER_COUNT)
    add_axis(axes, "spacing", g_strdup(_("Grid spacing (Å)")), g_strdup("0.4,0.5,0.7,1"));
  if (has_map)
    add_atoms(axes, n_atoms);
  return axes;
}
