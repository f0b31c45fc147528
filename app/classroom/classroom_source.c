/* SPDX-License-Identifier: MIT */
/* The job that compiles, checks and times the class's own kernel; declared in classroom.h, made by window_classroom.c. */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/analysis/driver/device_choice.h"
#include "app/bench/bench_source.h"
#include "app/bench/bench_sweep.h"
#include "app/installation/installation.h"
#include "classroom_problem.h"
#include "classroom_record.h"
#include "data/messages/message.h"
#include "kept_sweep.h"

#define REPEATS 3
#define MAX_THREADS 256

typedef struct {
  DebyeDevices *devices;
  DebyeDataset *dataset; /* NULL: made-up charges */
  DebyeFrame *frame;
  DebyeLadderKind kind;
  char *base, *text;
  GStrv macros; /* NULL: none */
  GStrv axes;   /* of a sweep; NULL: it is run as it is */
} SourceWork;

static void
source_work_free(gpointer data)
{
  SourceWork *work = data;
  debye_devices_unref(work->devices);
  g_clear_object(&work->dataset);
  g_clear_pointer(&work->frame, debye_frame_unref);
  g_free(work->base);
  g_free(work->text);
  g_strfreev(work->macros);
  g_strfreev(work->axes);
  g_free(work);
}

static gboolean
is_shipped(const SourceWork *work)
{
  return g_strcmp0(work->text, debye_ladder_source_text(work->base)) == 0;
}

/* What its row says: which listing it is or was made from, and the macros. */
static char *
describe(const SourceWork *work, const DebyeLadderVariant *base)
{
  g_autofree char *macros = work->macros != NULL ? g_strjoinv(", ", work->macros) : NULL;
  GString *text = g_string_new(NULL);
  if (is_shipped(work))
    g_string_append_printf(text, _("The shipped code of “%s”, compiled here."), _(base->title));
  else
    g_string_append(
        text,
        _("The kernel of the page Code, as it was edited. It is compiled as the variant that it was made "
          "from, with vectors or without, and its operations are counted as those of that variant."));
  if (macros != NULL && *macros != '\0')
    g_string_append_printf(text, " %s.", macros);
  return g_string_free(text, FALSE);
}

static void
note_step(const SourceWork *work, DebyeClassroomRecord *record, const DebyeBenchLimits *limits,
          const DebyeLadderVariant *base, const DebyeBenchProblem *problem, const DebyeBenchVerdict *verdict)
{
  const DebyeBenchResult *result = &verdict->result;
  const gboolean has_map = debye_classroom_problem_has_map(base->kind);
  const double n_points = has_map ? (double)debye_grid_n_points(&problem->grid) : 1.0,
               n_atoms = has_map ? (double)problem->charges.n : 1.0;
  const double operations = result->rate * base->cost.operations;
  g_autofree char *lesson = describe(work, base);
  DebyeClassroomStep step = {
      .device = g_intern_string(limits->device->info.id),
      .rate = result->rate,
      .operations = operations,
      .share = debye_bench_share(limits, operations),
      .error = result->error,
      .intensity = debye_ladder_intensity(base, n_points, n_atoms),
      .seconds = result->seconds,
      .resources = verdict->result.resources,
  };
  const DebyeClassroomDevice device = {step.device, g_intern_string(limits->device->info.name),
                                       limits->limits};
  debye_classroom_step_set_ours(&step, base->kind, !g_str_equal(limits->device->info.id, DEBYE_BACKEND_CPU),
                                lesson);
  g_array_append_val(record->devices, device);
  g_array_append_val(record->steps, step);
}

static void
note_verdict(DebyeClassroomRecord *record, const DebyeBenchVerdict *verdict)
{
  record->verdict_line = verdict->line;
  if (verdict->problem != NULL)
    record->verdict = g_strdup(verdict->problem->message);
  else if (verdict->result.resources.block > 0)
    record->verdict = g_strdup(N_("Right, on the GPU."));
  else
    record->verdict =
        g_strdup(verdict->uses_threads ? N_("Right, on all threads.") : N_("Right, on one thread."));
}

/* The problem as the ladder of this kind has it. */
static DebyeBenchProblem *
prepare(DebyeJob *job, SourceWork *work, char **subject, GError **error)
{
  DebyeBenchProblem *problem = debye_classroom_problem_new(work->dataset, work->frame, work->kind,
                                                           debye_job_get_cancel_flag(job), subject, error);
  if (problem == NULL || work->kind != DEBYE_LADDER_COUNT)
    return problem;
  DebyeBenchProblem *counted = debye_classroom_problem_count(problem);
  debye_bench_problem_free(problem);
  return counted;
}

/* "cuda:1" is 1. */
static guint
find_gpu(const DebyeDeviceEntry *device)
{
  const char *number = strchr(device->info.id, ':');
  return number != NULL ? (guint)g_ascii_strtoull(number + 1, NULL, 10) : 0;
}

/* "TILE=128" */
static gboolean
define(DebyeBenchSource *source, const char *const *macros, GError **error)
{
  for (gsize i = 0; macros != NULL && macros[i] != NULL; i++) {
    g_auto(GStrv) parts = g_strsplit(macros[i], "=", 2);
    if (!debye_bench_source_define(source, parts[0], parts[0], g_ascii_strtoll(parts[1], NULL, 10), error))
      return FALSE;
  }
  return TRUE;
}

/* Its text and macros, as they are checked and compiled. */
static gboolean
take_source(const SourceWork *work, const DebyeDeviceEntry *device, DebyeBenchSource *source, GError **error)
{
  /* Its operations and bytes are what evaluations are counted with. */
  const DebyeLadderVariant *base = debye_classroom_find_variant(work->base);
  g_autofree char *name = g_strconcat("ours", strrchr(work->base, '.'), NULL);
  g_return_val_if_fail(base != NULL, FALSE);
  if (!debye_bench_source_take(source, name, work->text, error) ||
      !debye_bench_source_check_kind(source, work->kind, error) ||
      !define(source, (const char *const *)work->macros, error))
    return FALSE;
  source->is_scalar = !base->has_vectors;
  if (base->kind == DEBYE_LADDER_SCATTERING || base->kind == DEBYE_LADDER_DENSITY)
    source->alternative = 1 + (base->is_occupancy ? 1 : (guint)base->signal);
  source->is_only_compiled = source->is_cuda && g_str_equal(device->info.id, DEBYE_BACKEND_CPU);
  return TRUE;
}

/* Runs it, and measures the device's limits only for a kernel that is right. */
static gboolean
judge(DebyeJob *job, const SourceWork *work, const DebyeBenchProblem *problem, const DebyeDeviceEntry *device,
      DebyeClassroomRecord *record, GError **error)
{
  g_autofree char *runner = debye_installation_find_helper(DEBYE_BENCH_SOURCE_RUNNER, error);
  g_autoptr(GArray) limits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchLimits));
  g_auto(DebyeBenchSource) source = {0};
  g_auto(DebyeBenchVerdict) verdict = {0};
  debye_job_set_message(job, _("Compiling and checking the class's kernel"));
  if (runner == NULL || !take_source(work, device, &source, error) ||
      !debye_bench_source_run(&source, problem, runner, REPEATS, MIN(g_get_num_processors(), MAX_THREADS),
                              find_gpu(device), &verdict, error))
    return FALSE;
  note_verdict(record, &verdict);
  if (!verdict.is_right)
    return TRUE;
  if (!debye_bench_measure_limits(&device, 1, limits, error))
    return FALSE;
  note_step(work, record, &g_array_index(limits, DebyeBenchLimits, 0),
            debye_classroom_find_variant(work->base), problem, &verdict);
  return TRUE;
}

/* --- A sweep --- */

typedef struct {
  DebyeJob *job;
  const SourceWork *work;
  const DebyeBenchProblem *problem;
  DebyeClassroomRecord *record; /* without its plot */
  DebyeBenchSource source;
  DebyeBenchSweep sweep;
  GArray *rows, *fits;
  GString *failures; /* of points, one line each */
  char *runner;
  guint gpu;
} Design;

static void
design_clear(Design *design)
{
  debye_bench_source_clear(&design->source);
  debye_bench_sweep_clear(&design->sweep);
  for (guint i = 0; i < design->rows->len; i++)
    debye_bench_row_clear(&g_array_index(design->rows, DebyeBenchRow, i));
  for (guint i = 0; i < design->fits->len; i++)
    debye_bench_fit_clear(&g_array_index(design->fits, DebyeBenchFit, i));
  g_array_unref(design->rows);
  g_array_unref(design->fits);
  g_string_free(design->failures, TRUE);
  g_free(design->runner);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Design, design_clear)

/* What has been measured so far, with the fastest point in words. */
static DebyeClassroomRecord *
note_design(const Design *design)
{
  const SourceWork *work = design->work;
  DebyeClassroomRecord *record = debye_classroom_record_copy(design->record);
  const DebyeSweepChoice choice = {(const char *const *)work->axes, is_shipped(work) ? work->base : NULL,
                                   (const char *const *)work->macros};
  debye_kept_sweep_describe(record, &choice, &design->sweep, design->rows, design->fits);
  const char *best = record->verdict != NULL ? record->verdict : "",
             *failures = design->failures->str + (*best == '\0' && design->failures->len > 0 ? 1 : 0);
  char *text = g_strconcat(best, failures, NULL);
  g_free(record->verdict);
  record->verdict = text;
  return record;
}

/* The problem of the point; *changed is to be freed. NULL with an error. */
static const DebyeBenchProblem *
change_problem(const Design *design, const gsize *at, DebyeBenchProblem **changed, GError **error)
{
  double sizes[DEBYE_BENCH_N_SIZES] = {0};
  gboolean is_other = FALSE;
  for (gsize i = 0; i < design->sweep.n_axes; i++) {
    const DebyeBenchAxis *axis = &design->sweep.axes[i];
    if (axis->variable->macro == NULL && axis->values != NULL) {
      sizes[axis->variable->size] = axis->values[at[i]];
      is_other = TRUE;
    }
  }
  if (!is_other)
    return design->problem;
  *changed = debye_classroom_problem_change(design->problem, sizes[DEBYE_BENCH_ATOMS],
                                            sizes[DEBYE_BENCH_CUTOFF], sizes[DEBYE_BENCH_SPACING], error);
  return *changed;
}

static gboolean
define_point(Design *design, const gsize *at, GError **error)
{
  for (gsize i = 0; i < design->sweep.n_axes; i++) {
    const DebyeBenchAxis *axis = &design->sweep.axes[i];
    if (axis->variable->macro != NULL &&
        !debye_bench_source_define(&design->source, axis->variable->macro, axis->variable->macro,
                                   (gint64)axis->values[at[i]], error))
      return FALSE;
  }
  return TRUE;
}

/* A point that doesn't compile or is wrong has no time, and a line says why. */
static void
take_verdict(Design *design, const gsize *at, DebyeBenchVerdict *verdict, DebyeBenchResult *result)
{
  if (verdict->is_right) {
    *result = verdict->result;
    verdict->result = (DebyeBenchResult){0};
    return;
  }
  *result = (DebyeBenchResult){.seconds = NAN, .rate = NAN, .error = NAN};
  g_autofree char *point = debye_kept_sweep_name_point(&design->sweep, at),
                  *why = debye_message_translate(verdict->problem->message);
  g_string_append_printf(design->failures, "\n%s: %s", point, why);
}

static gboolean
measure_point(const DebyeBenchSweep *sweep, const gsize *at, DebyeBenchResult *result, gpointer data,
              GError **error)
{
  Design *design = data;
  const guint n_before = design->source.definitions->len;
  g_autoptr(DebyeBenchProblem) changed = NULL;
  g_auto(DebyeBenchVerdict) verdict = {0};
  g_autofree char *point = debye_kept_sweep_name_point(sweep, at);
  double n_all = 1.0;
  for (gsize i = 0; i < sweep->n_axes; i++)
    n_all *= (double)sweep->axes[i].n;
  if (design->rows->len > 0) {
    g_autoptr(DebyeClassroomRecord) so_far = note_design(design);
    debye_job_publish(design->job, so_far);
  }
  debye_job_set_progress(design->job, design->rows->len / n_all);
  debye_job_set_message(design->job, "%s", point);
  const DebyeBenchProblem *problem = change_problem(design, at, &changed, error);
  const gboolean ok =
      problem != NULL && define_point(design, at, error) &&
      debye_bench_source_run(&design->source, problem, design->runner, REPEATS,
                             MIN(g_get_num_processors(), MAX_THREADS), design->gpu, &verdict, error);
  g_ptr_array_set_size(design->source.definitions, (gint)n_before);
  if (ok)
    take_verdict(design, at, &verdict, result);
  return ok;
}

static gpointer
sweep(DebyeJob *job, const SourceWork *work, const DebyeBenchProblem *problem, const DebyeDeviceEntry *device,
      DebyeClassroomRecord *record, GError **error)
{
  g_auto(Design) design = {.job = job,
                           .work = work,
                           .problem = problem,
                           .record = record,
                           .rows = g_array_new(FALSE, TRUE, sizeof(DebyeBenchRow)),
                           .fits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchFit)),
                           .failures = g_string_new(NULL),
                           .gpu = find_gpu(device)};
  design.runner = debye_installation_find_helper(DEBYE_BENCH_SOURCE_RUNNER, error);
  if (design.runner == NULL ||
      !debye_bench_sweep_parse(&design.sweep, (const char *const *)work->axes, error) ||
      !take_source(work, device, &design.source, error) ||
      !debye_bench_sweep_run(&design.sweep, measure_point, &design, design.rows, design.fits, error))
    return NULL;
  return note_design(&design);
}

static gpointer
run_source(DebyeJob *job, gpointer data, GError **error)
{
  SourceWork *work = data;
  const DebyeDeviceEntry *chosen[DEBYE_MAX_DEVICES];
  DebyeStatus status = {0};
  g_autofree char *subject = NULL;
  const DebyeRegistry *registry = debye_devices_wait(work->devices);
  debye_job_set_message(job, _("Preparing the atoms"));
  /* Without a GPU a CUDA source is compiled all the same, so that its errors are told, but never run. */
  if ((!g_str_has_suffix(work->base, ".cu") ||
       debye_registry_choose(registry, "cuda", chosen, G_N_ELEMENTS(chosen), &status) == 0) &&
      debye_registry_choose(registry, DEBYE_BACKEND_CPU, chosen, G_N_ELEMENTS(chosen), &status) == 0) {
    debye_device_set_error(error, &status);
    return NULL;
  }
  g_autoptr(DebyeBenchProblem) problem = prepare(job, work, &subject, error);
  if (problem == NULL)
    return NULL;
  g_autoptr(DebyeClassroomRecord) record = debye_classroom_record_new(subject);
  if (work->axes != NULL)
    return sweep(job, work, problem, chosen[0], record, error);
  return judge(job, work, problem, chosen[0], record, error) ? g_steal_pointer(&record) : NULL;
}

DebyeJob *
debye_classroom_source_job_new(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame,
                               DebyeLadderKind kind, const char *base, const char *text,
                               const char *const *macros, const char *const *axes)
{
  SourceWork *work = g_new0(SourceWork, 1);
  *work = (SourceWork){.devices = debye_devices_ref(devices),
                       .kind = kind,
                       .base = g_strdup(base),
                       .text = g_strdup(text),
                       .macros = g_strdupv((char **)macros),
                       .axes = g_strdupv((char **)axes)};
  if (dataset != NULL && frame != NULL) {
    work->dataset = g_object_ref(dataset);
    work->frame = debye_frame_ref(frame);
  }
  return debye_job_new(axes != NULL ? _("Sweep") : _("Kernel of the class"), run_source, work,
                       source_work_free);
}
