/* SPDX-License-Identifier: MIT */
/* Saves what debye-cli bench has measured, as numbers or as the plot of a sweep; called by command_bench.c. */
#include <math.h>
#include <string.h>

#include "bench_report.h"
#include "data/files/replace_file.h"
#include "interrupt.h"
#include "plot_output.h"
#include "render/plot/plot_cairo.h"

#define MARGIN 0.04 /* of the axis, on each side */

static const DebyeQuantity seconds = {"seconds", "Time", "s"};

/* --- The plot --- */

static DebyeQuantity
get_across(const DebyeBenchReport *report)
{
  const DebyeBenchVariable *variable = report->sweep->axes[0].variable;
  return (DebyeQuantity){variable->name, variable->label, variable->unit};
}

/* "direct (1.98)" */
static char *
name_curve(const DebyeBenchReport *report, const DebyeBenchFit *fit)
{
  char exponent[G_ASCII_DTOSTR_BUF_SIZE];
  const char *name = *fit->name != '\0' ? fit->name : report->kernel;
  if (!isfinite(fit->exponent))
    return g_strdup(name);
  return g_strdup_printf("%s (%s)", name, g_ascii_formatd(exponent, sizeof exponent, "%.2f", fit->exponent));
}

static void
add_curve(DebyePlot *plot, const DebyeBenchReport *report, gsize number)
{
  const DebyeBenchAxis *axis = &report->sweep->axes[0];
  const DebyeBenchRow *rows = &g_array_index(report->rows, DebyeBenchRow, number * axis->n);
  const DebyeQuantity across = get_across(report);
  g_autofree char *name = name_curve(report, &g_array_index(report->fits, DebyeBenchFit, number));
  g_autofree double *times = g_new(double, axis->n);
  for (gsize i = 0; i < axis->n; i++)
    times[i] = rows[i].result.seconds;
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(name, &across, &seconds, DEBYE_CURVE_LINE, axis->n, axis->values, times, NULL);
  const guint series = debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y);
  debye_plot_set_series_marker(plot, series, (DebyePlotMarker)(number % DEBYE_PLOT_N_MARKERS));
}

/* From the first curve's first point: n times the threads in an nth of the time, n times the atoms in n times
 * the time. */
static void
add_ideal(DebyePlot *plot, const DebyeBenchReport *report)
{
  const DebyeBenchAxis *axis = &report->sweep->axes[0];
  const DebyeBenchScaling scaling = axis->variable->scaling;
  const double first = g_array_index(report->rows, DebyeBenchRow, 0).result.seconds;
  const DebyeQuantity across = get_across(report);
  g_autofree double *times = g_new(double, axis->n);
  if (scaling == DEBYE_BENCH_OF_CHOICE || axis->n < 2)
    return;
  for (gsize i = 0; i < axis->n; i++)
    times[i] = first * pow(axis->values[i] / axis->values[0], scaling == DEBYE_BENCH_OF_SIZE ? 1.0 : -1.0);
  g_autoptr(DebyeCurve) curve =
      debye_curve_new(scaling == DEBYE_BENCH_OF_SIZE ? "linear" : "ideal", &across, &seconds,
                      DEBYE_CURVE_LINE, axis->n, axis->values, times, NULL);
  debye_plot_set_series_dash(plot, debye_plot_add_curve(plot, curve, DEBYE_PLOT_Y), DEBYE_PLOT_DASHED);
}

/* What a design space is looked through for; of a wrong point there is no time. */
static void
mark_best(DebyePlot *plot, const DebyeBenchReport *report)
{
  const DebyeBenchAxis *axis = &report->sweep->axes[0];
  const DebyeBenchRow *best = NULL;
  for (guint i = 0; axis->variable->scaling == DEBYE_BENCH_OF_CHOICE && i < report->rows->len; i++) {
    const DebyeBenchRow *row = &g_array_index(report->rows, DebyeBenchRow, i);
    if (isfinite(row->result.seconds) && (best == NULL || row->result.seconds < best->result.seconds))
      best = row;
  }
  if (best != NULL)
    debye_plot_add_peak(plot, axis->values[best->at[0]], best->result.seconds, "fastest");
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

static DebyePlot *
create_plot(const DebyeBenchReport *report)
{
  DebyePlot *plot = debye_plot_new();
  debye_plot_set_scale(plot, DEBYE_PLOT_X, DEBYE_PLOT_LOG);
  debye_plot_set_scale(plot, DEBYE_PLOT_Y, DEBYE_PLOT_LOG);
  for (gsize number = 0; number < report->fits->len; number++)
    add_curve(plot, report, number);
  add_ideal(plot, report);
  mark_best(plot, report);
  leave_margin(plot, &report->sweep->axes[0]);
  const DebyeBenchVariable *across = report->sweep->axes[0].variable;
  g_autofree char *caption = g_strdup_printf(
      "%s.%s%s", report->subject, across->macro == NULL ? " In parentheses: fitted exponents." : "",
      across->scaling == DEBYE_BENCH_OF_CHOICE ? " Triangle: the fastest." : "");
  debye_plot_set_caption(plot, caption);
  return plot;
}

/* --- The numbers --- */

static char **
describe(const DebyeBenchReport *report, DebyeRequest *request, const char *command)
{
  GStrvBuilder *lines = g_strv_builder_new();
  g_auto(GStrv) settings = debye_request_describe(request, command, debye_interrupt_came());
  g_autofree char *subject = g_strdup_printf("measured: %s", report->subject);
  g_strv_builder_addv(lines, (const char **)settings);
  g_strv_builder_add(lines, subject);
  for (guint i = 0; i < report->fits->len; i++) {
    const DebyeBenchFit *fit = &g_array_index(report->fits, DebyeBenchFit, i);
    char exponent[G_ASCII_DTOSTR_BUF_SIZE], error[G_ASCII_DTOSTR_BUF_SIZE];
    if (!isfinite(fit->exponent))
      continue;
    g_ascii_formatd(error, sizeof error, "%.2g", fit->error);
    g_autofree char *text =
        g_strdup_printf("exponent%s%s: %s%s%s", *fit->name != '\0' ? " of " : "", fit->name,
                        g_ascii_formatd(exponent, sizeof exponent, "%.4g", fit->exponent),
                        isfinite(fit->error) ? ", standard error " : "", isfinite(fit->error) ? error : "");
    g_strv_builder_add(lines, text);
  }
  char **header = g_strv_builder_end(lines);
  g_strv_builder_unref(lines);
  return header;
}

static gboolean
save_numbers(const DebyeBenchReport *report, DebyeRequest *request, const char *path,
             const char *const *files, GError **error)
{
  g_autofree char *command = debye_request_to_command(request, files, path);
  g_auto(GStrv) header = describe(report, request, command);
  g_autoptr(DebyeTable) table = debye_bench_sweep_create_table(report->sweep, report->rows);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  return file != NULL &&
         debye_table_save_csv(table, (const char *const *)header, ',', debye_replace_file_get_stream(file),
                              error) &&
         debye_replace_file_commit(g_steal_pointer(&file), error);
}

gboolean
debye_bench_report_save(const DebyeBenchReport *report, DebyeArguments *arguments, const char *path,
                        GError **error)
{
  if (g_str_has_suffix(path, ".json")) {
    g_autofree char *text = debye_bench_report_to_json(report);
    return g_file_set_contents(path, text, -1, error);
  }
  if (!debye_plot_can_save(path))
    return save_numbers(report, debye_arguments_get_request(arguments), path,
                        debye_arguments_get_files(arguments), error);
  g_autoptr(DebyePlot) plot = create_plot(report);
  return debye_plot_output_save_plot(plot, debye_arguments_get_plot(arguments), NULL, path, error);
}
