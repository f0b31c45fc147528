/* SPDX-License-Identifier: MIT */
/* The sweep of debye-cli bench: points that a file keeps, and of --source the same source with other values of its macros;
 * called by bench_run.c. */
#include <math.h>

#include "bench_run.h"
#include "data/messages/message.h"

/* As `--sweep tile=…` names it, for what is said of the macro. */
gboolean
debye_bench_design_define(DebyeBenchSource *source, const DebyeBenchSweep *sweep, const gsize *at,
                          GError **error)
{
  for (gsize i = 0; i < sweep->n_axes; i++) {
    const DebyeBenchAxis *axis = &sweep->axes[i];
    if (axis->variable->macro == NULL)
      continue;
    g_autofree char *option = g_strdup_printf("--sweep %s", axis->variable->name);
    if (!debye_bench_source_define(source, option, axis->variable->macro, (gint64)axis->values[at[i]], error))
      return FALSE;
  }
  return TRUE;
}

/* "bench: tile=4096: …" */
static void
tell_problem(const DebyeBenchSweep *sweep, const gsize *at, const GError *problem)
{
  g_autoptr(GString) place = g_string_new(NULL);
  for (gsize i = 0; i < sweep->n_axes; i++)
    g_string_append_printf(place, "%s%s=%s", i > 0 ? " " : "", sweep->axes[i].variable->name,
                           sweep->axes[i].words[at[i]]);
  g_autofree char *message = debye_message_english(problem->message);
  g_printerr("debye-cli: warning: %s: %s\n", place->str, message);
}

static DebyeBenchResult
without_time(const char *variant, const char *device)
{
  return (DebyeBenchResult){
      .variant = g_strdup(variant), .device = g_strdup(device), .seconds = NAN, .rate = NAN, .error = NAN};
}

void
debye_bench_design_take(const DebyeBenchSource *source, const DebyeBenchSweep *sweep, const gsize *at,
                        DebyeBenchVerdict *verdict, DebyeBenchResult *result)
{
  if (verdict->problem != NULL)
    tell_problem(sweep, at, verdict->problem);
  if (verdict->is_right) {
    *result = verdict->result;
    verdict->result = (DebyeBenchResult){0};
    return;
  }
  *result = without_time(DEBYE_BENCH_SOURCE_NAME, source->is_cuda ? "cuda" : "cpu");
}

/* --- Points that a file keeps --- */

typedef struct {
  DebyeBenchJob *job;
  DebyeBenchMeasure measure;
  DebyeSweepFile *file; /* NULL: none, or another process has it */
  guint n_finished;
} KeptSweep;

static DebyeSweepFile *
open_file(DebyeBenchJob *job, GError **error)
{
  g_autoptr(GPtrArray) inputs = g_ptr_array_new();
  for (gsize i = 0; job->files != NULL && job->files[i] != NULL; i++)
    g_ptr_array_add(inputs, (gpointer)job->files[i]);
  if (job->class_file != NULL)
    g_ptr_array_add(inputs, (gpointer)job->class_file);
  g_ptr_array_add(inputs, NULL);
  DebyeSweepFileJob kept = job->kept;
  kept.inputs = (const char *const *)inputs->pdata;
  kept.devices = job->devices;
  kept.n_devices = job->n_devices;
  kept.n_processes = job->ranks.n_ranks;
  kept.n_threads = debye_registry_get_threads(job->registry);
  return debye_sweep_file_open(job->continued, &kept, job->limits, error);
}

static gboolean
measure_or_take(const DebyeBenchSweep *sweep, const gsize *at, DebyeBenchResult *result, gpointer data,
                GError **error)
{
  KeptSweep *self = data;
  DebyeBenchJob *job = self->job;
  if (job->rows->len < self->n_finished) {
    if (self->file != NULL)
      debye_sweep_file_get_point(self->file, job->rows->len, result);
    else
      *result = without_time("ours", "all"); /* another process has the file, and reports it */
    return TRUE;
  }
  if (!self->measure(sweep, at, result, job, error))
    return FALSE;
  if (self->file == NULL || debye_sweep_file_add(self->file, result, job->limits, error))
    return TRUE;
  debye_bench_result_clear(result);
  return FALSE;
}

gboolean
debye_bench_job_sweep(DebyeBenchJob *job, DebyeBenchMeasure measure, GError **error)
{
  const gboolean has_file = job->continued != NULL && job->ranks.rank == 0;
  g_autoptr(DebyeSweepFile) file = has_file ? open_file(job, error) : NULL;
  if (has_file && file == NULL)
    return FALSE;
  /* One process has the file, and all of them skip what is in it. */
  double n_finished = file != NULL ? (double)debye_sweep_file_get_n_points(file) : 0.0;
  if (debye_ranks_are_several(&job->ranks))
    job->ranks.sum(&n_finished, 1);
  KeptSweep self = {job, measure, file, (guint)n_finished};
  const gboolean ok = debye_bench_sweep_run(&job->sweep, measure_or_take, &self, job->rows, job->fits, error);
  return (file == NULL || debye_sweep_file_finish(file, job->limits, ok ? error : NULL)) && ok;
}
