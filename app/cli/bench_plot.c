/* SPDX-License-Identifier: MIT */
/* Saves what debye-cli bench has measured, as numbers or as the plot of a sweep; called by command_bench.c. */
#include <math.h>

#include "app/classroom/classroom_design.h"
#include "app/classroom/classroom_plots.h"
#include "app/classroom/classroom_record.h"
#include "bench_report.h"
#include "data/files/replace_file.h"
#include "interrupt.h"
#include "plot_output.h"
#include "render/plot/plot_cairo.h"

/* --- The numbers --- */

static char **
describe(const DebyeBenchReport *report, DebyeRequest *request, const char *command)
{
  g_autoptr(GStrvBuilder) lines = g_strv_builder_new();
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
  return g_strv_builder_end(lines);
}

static gboolean
save_table(DebyeTable *table, const char *const *header, const char *path, GError **error)
{
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  return file != NULL &&
         debye_table_save_csv(table, header, ',', debye_replace_file_get_stream(file), error) &&
         debye_replace_file_commit(g_steal_pointer(&file), error);
}

static gboolean
save_numbers(const DebyeBenchReport *report, DebyeRequest *request, const char *path,
             const char *const *files, GError **error)
{
  g_autofree char *command = debye_request_to_command(request, files, path);
  g_auto(GStrv) header = describe(report, request, command);
  g_autoptr(DebyeTable) table = debye_bench_sweep_create_table(report->sweep, report->rows);
  return save_table(table, (const char *const *)header, path, error);
}

/* --- The class room's figures --- */

static const DebyeBenchLimits *
find_limits(const GArray *limits, const char *device)
{
  for (guint i = 0; i < limits->len; i++)
    if (g_str_equal(g_array_index(limits, DebyeBenchLimits, i).device->info.id, device))
      return &g_array_index(limits, DebyeBenchLimits, i);
  return NULL;
}

static void
note_count(DebyeClassroomRecord *record, const DebyeBenchLimits *limits, const DebyeBenchResult *result)
{
  const DebyeLadderKernel *ladder = limits->device->backend->ladder;
  const DebyeLadderVariant *variant = &ladder->variants[debye_ladder_find(ladder, result->variant)];
  DebyeClassroomCount count = {.title = variant->title,
                               .device = g_intern_string(result->device),
                               .loses_counts = variant->loses_counts,
                               .lost = result->error,
                               .counts = *result->counts};
  g_array_append_val(record->counts, count);
}

/* What the class room would have of these rows. The production kernel's are called as the direct sum's last variant, but nobody
 * knows what memory they need. */
static DebyeClassroomRecord *
create_record(const DebyeBenchReport *report)
{
  DebyeClassroomRecord *record = debye_classroom_record_new(report->subject);
  for (guint i = 0; i < report->limits->len; i++) {
    const DebyeBenchLimits *found = &g_array_index(report->limits, DebyeBenchLimits, i);
    const DebyeClassroomDevice device = {g_intern_string(found->device->info.id),
                                         g_intern_string(found->device->info.name), found->limits};
    g_array_append_val(record->devices, device);
  }
  for (guint i = 0; i < report->rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(report->rows, DebyeBenchRow, i).result;
    const DebyeBenchLimits *limits = find_limits(report->limits, result->device);
    if (limits == NULL || (!(result->intensity > 0.0) && result->counts == NULL))
      continue;
    debye_classroom_record_add_result(record, limits, result);
    if (result->counts != NULL)
      note_count(record, limits, result);
  }
  return record;
}

static DebyePlot *
create_plot(const DebyeBenchReport *report)
{
  if (report->sweep->n_axes > 0)
    return debye_classroom_plot_sweep(report->sweep, report->rows, report->fits, report->kernel,
                                      report->subject);
  g_autoptr(DebyeClassroomRecord) record = create_record(report);
  return record->counts->len > 0 && g_strcmp0(report->figure, "roofline") != 0
             ? debye_classroom_plot_counts(record)
             : debye_classroom_plot_roofline(record);
}

gboolean
debye_bench_save_figure(DebyeArguments *arguments, DebyePlot *plot, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  for (gsize i = 0; outputs[i] != NULL; i++) {
    const gboolean is_picture = debye_plot_can_save(outputs[i]);
    g_autoptr(DebyeTable) table = is_picture ? NULL : debye_plot_create_table(plot);
    if (is_picture
            ? !debye_plot_output_save_plot(plot, debye_arguments_get_plot(arguments), NULL, outputs[i], error)
            : !save_table(table, NULL, outputs[i], error))
      return FALSE;
    debye_cli_say(arguments, "written: %s", outputs[i]);
  }
  return TRUE;
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
