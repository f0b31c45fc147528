/* SPDX-License-Identifier: MIT */
/* Saves what debye-cli bench has measured, as numbers or as the plot of a sweep; called by command_bench.c. */
#include <math.h>
#include <string.h>

#include "app/classroom/classroom_design.h"
#include "bench_report.h"
#include "data/files/replace_file.h"
#include "interrupt.h"
#include "plot_output.h"
#include "render/plot/plot_cairo.h"

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
  g_autoptr(DebyePlot) plot =
      debye_classroom_plot_sweep(report->sweep, report->rows, report->fits, report->kernel, report->subject);
  return debye_plot_output_save_plot(plot, debye_arguments_get_plot(arguments), NULL, path, error);
}
