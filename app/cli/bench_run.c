/* SPDX-License-Identifier: MIT */
/* Measures what debye-cli bench was asked for; called by command_bench.c. */
#include "bench_run.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "interrupt.h"

/* Of the naive loops and the teaching variants, whose runs are long enough to need no more. */
#define REPEATS 5

void
debye_bench_job_init(DebyeBenchJob *job)
{
  *job = (DebyeBenchJob){0};
  job->limits = g_array_new(FALSE, FALSE, sizeof(DebyeBenchLimits));
  job->rows = g_array_new(FALSE, FALSE, sizeof(DebyeBenchRow));
  job->fits = g_array_new(FALSE, FALSE, sizeof(DebyeBenchFit));
  g_array_set_clear_func(job->rows, (GDestroyNotify)debye_bench_row_clear);
  g_array_set_clear_func(job->fits, (GDestroyNotify)debye_bench_fit_clear);
}

void
debye_bench_job_clear(DebyeBenchJob *job)
{
  debye_bench_sweep_clear(&job->sweep);
  debye_bench_whole_clear(&job->whole);
  debye_bench_source_clear(&job->source);
  debye_bench_verdict_clear(&job->verdict);
  g_clear_pointer(&job->runner, g_free);
  g_clear_pointer(&job->atoms, debye_bench_atoms_free);
  g_clear_pointer(&job->limits, g_array_unref);
  g_clear_pointer(&job->rows, g_array_unref);
  g_clear_pointer(&job->fits, g_array_unref);
  g_clear_pointer(&job->registry, debye_registry_free);
}

static guint
get_repeats(const DebyeBenchJob *job)
{
  return job->asked.repeats.n > 0 ? job->asked.repeats.n : REPEATS;
}

/* Takes the result. */
static void
add_row(DebyeBenchJob *job, DebyeBenchResult result)
{
  const DebyeBenchRow row = {.result = result, .speed_up = NAN, .efficiency = NAN};
  g_array_append_val(job->rows, row);
}

/* --- Shares of the limit --- */

static const DebyeBenchLimits *
find_limits(const DebyeBenchJob *job, const char *id)
{
  for (guint i = 0; i < job->limits->len; i++) {
    const DebyeBenchLimits *found = &g_array_index(job->limits, DebyeBenchLimits, i);
    if (strcmp(found->device->info.id, id) == 0)
      return found;
  }
  return NULL;
}

/* Of those devices of a case that haven't been asked yet what they can do at most. */
static gboolean
measure_limits(DebyeBenchJob *job, const DebyeBenchCase *one, GError **error)
{
  for (gsize i = 0; i < one->n_devices; i++)
    if (find_limits(job, one->devices[i]->info.id) == NULL &&
        !debye_bench_measure_limits(one->devices + i, 1, job->limits, error))
      return FALSE;
  return TRUE;
}

static gboolean
run_case(DebyeBenchJob *job, const DebyeBenchCase *one, DebyeBenchResult *result, GError **error)
{
  if (job->whole.line != NULL)
    return debye_bench_whole_run(&job->whole, one, result, error);
  if (!debye_bench_case_run(one, result, error))
    return FALSE;
  return !(result->operations > 0.0) || measure_limits(job, one, error);
}

/* When all is measured: a limit may have been raised meanwhile. Of "cuda:0+cpu" the limits are added. */
static void
set_shares(DebyeBenchJob *job)
{
  for (guint i = 0; i < job->rows->len; i++) {
    DebyeBenchResult *result = &g_array_index(job->rows, DebyeBenchRow, i).result;
    g_auto(GStrv) ids = g_strsplit(result->device, "+", -1);
    double most = 0.0;
    for (gsize k = 0; ids[k] != NULL; k++) {
      const DebyeBenchLimits *found = find_limits(job, ids[k]);
      most += found != NULL ? found->limits.operations : NAN;
    }
    result->share = most > 0.0 ? result->operations / most : 0.0;
  }
}

/* --- Several processes --- */

/* The first `n` processes do the same at the same time, each with its own devices. A row each unless in a
 * sweep; *all is as fast as they are together. */
static gboolean
run_processes(DebyeBenchJob *job, const DebyeBenchCase *one, guint n, gboolean has_rows,
              DebyeBenchResult *all, GError **error)
{
  const DebyeRanks *ranks = &job->ranks;
  DebyeBenchResult own = {0};
  double together = 0.0;
  ranks->sum(&together, 1); /* nobody begins before the others */
  if (ranks->rank < n && !debye_bench_case_run(one, &own, error))
    return FALSE;
  g_autofree double *told = g_new0(double, 3 * (gsize)ranks->n_ranks); /* seconds, rate, error of each */
  memcpy(told + 3 * ranks->rank, (const double[3]){own.seconds, own.rate, own.error}, 3 * sizeof *told);
  ranks->sum(told, 3 * (gsize)ranks->n_ranks);
  g_auto(GStrv) devices = ranks->gather(own.device != NULL ? own.device : "");
  debye_bench_result_clear(&own);
  *all = (DebyeBenchResult){.variant = g_strdup("ours"), .device = g_strdup("all")};
  for (guint rank = 0; rank < n; rank++) {
    if (has_rows)
      add_row(job, (DebyeBenchResult){.variant = g_strdup("ours"),
                                      .device = g_strdup_printf("%u: %s", rank, devices[rank]),
                                      .seconds = told[3 * rank + 0],
                                      .rate = told[3 * rank + 1],
                                      .error = told[3 * rank + 2]});
    all->seconds = MAX(all->seconds, told[3 * rank + 0]);
    all->rate += told[3 * rank + 1];
    all->error = MAX(all->error, told[3 * rank + 2]);
  }
  return TRUE;
}

/* --- A sweep --- */

double
debye_bench_job_find_most(const DebyeBenchJob *job, DebyeBenchSize size)
{
  const DebyeBenchAxis *named = debye_bench_sweep_find(&job->sweep, "kernel");
  double most = job->asked.sizes[size] > 0.0 ? job->asked.sizes[size] : job->asked.kernel->initial[size];
  for (gsize i = 0; named != NULL && i < named->n; i++)
    most = MAX(most, debye_bench_kernel_find(named->words[i])->initial[size]);
  for (gsize i = 0; i < job->sweep.n_axes; i++) {
    const DebyeBenchAxis *axis = &job->sweep.axes[i];
    for (gsize value = 0; axis->variable->size == size && value < axis->n; value++)
      most = MAX(most, axis->values[value]);
  }
  return most;
}

static gboolean
check_size(const DebyeBenchKernel *kernel, const DebyeBenchAxis *axis, GError **error)
{
  if (axis->values == NULL || debye_bench_kernel_has(kernel, axis->variable->size))
    return TRUE;
  return debye_usage_refuse(
      error, "bench: --sweep %s: kernel %s doesn't depend on it; choose another size or --kernel",
      axis->variable->name, kernel->id);
}

gboolean
debye_bench_job_check_sweep(const DebyeBenchJob *job, GError **error)
{
  const DebyeBenchAxis *named = debye_bench_sweep_find(&job->sweep, "kernel");
  const double n_ranks = debye_bench_job_find_most(job, DEBYE_BENCH_RANKS);
  for (gsize i = 0; i < job->sweep.n_axes; i++)
    for (gsize k = 0; k < (named != NULL ? named->n : 1); k++)
      if (!check_size(named != NULL ? debye_bench_kernel_find(named->words[k]) : job->asked.kernel,
                      &job->sweep.axes[i], error))
        return FALSE;
  if (n_ranks <= (double)job->ranks.n_ranks)
    return TRUE;
  return debye_usage_refuse(
      error, "bench: --sweep ranks: expected at most %u, as many processes as mpirun has started, found %.0f",
      job->ranks.n_ranks, n_ranks);
}

/* The largest of the sweep's values with each of its kernels. */
static gboolean
check_largest(const DebyeBenchJob *job, const DebyeBenchKernel *kernel, GError **error)
{
  DebyeBenchCase largest = job->asked;
  largest.kernel = kernel;
  for (gsize i = 0; i < job->sweep.n_axes; i++) {
    const DebyeBenchAxis *axis = &job->sweep.axes[i];
    for (gsize k = 0; axis->values != NULL && axis->variable->macro == NULL && k < axis->n; k++)
      largest.sizes[axis->variable->size] = MAX(largest.sizes[axis->variable->size], axis->values[k]);
  }
  return debye_bench_case_complete(&largest, error);
}

gboolean
debye_bench_job_complete(DebyeBenchJob *job, GError **error)
{
  const DebyeBenchAxis *named = debye_bench_sweep_find(&job->sweep, "kernel");
  for (gsize k = 0; k < (named != NULL ? named->n : 1); k++)
    if (!check_largest(job, named != NULL ? debye_bench_kernel_find(named->words[k]) : job->asked.kernel,
                       error))
      return FALSE;
  /* Of a sweep each point completes its own, unless it is of a source alone. */
  return (job->sweep.n_axes > 0 && job->source.name == NULL) || debye_bench_case_complete(&job->asked, error);
}

/* Sets what the sweep's axes say; the devices into `devices`, with as many threads as are asked for. */
static gboolean
set_point(const DebyeBenchJob *job, const gsize *at, const DebyeDeviceEntry **devices, DebyeBenchCase *one,
          GError **error)
{
  DebyeLaneSettings lanes = job->lanes;
  g_autofree char *names = NULL;
  for (gsize i = 0; i < job->sweep.n_axes; i++) {
    const DebyeBenchAxis *axis = &job->sweep.axes[i];
    const char *word = axis->words[at[i]];
    if (axis->values != NULL)
      one->sizes[axis->variable->size] = axis->values[at[i]];
    else if (strcmp(axis->variable->name, "kernel") == 0)
      one->kernel = debye_bench_kernel_find(word);
    else
      lanes.device = names = g_strdelimit(g_strdup(word), "+", ',');
  }
  if (one->sizes[DEBYE_BENCH_THREADS] > 0.0)
    lanes.threads = (gint64)one->sizes[DEBYE_BENCH_THREADS];
  one->devices = devices;
  one->n_devices = debye_device_choose(job->registry, &lanes, devices, error);
  const double n_asked = one->sizes[DEBYE_BENCH_DEVICES];
  if (one->n_devices > 0 && n_asked > (double)one->n_devices)
    return debye_usage_refuse(error,
                              "bench: --sweep devices: expected at most %" G_GSIZE_FORMAT
                              ", as many as there are (see debye-cli devices), found %.0f",
                              one->n_devices, n_asked);
  if (n_asked > 0.0)
    one->n_devices = (gsize)n_asked;
  return one->n_devices > 0 && debye_bench_case_complete(one, error);
}

static gboolean
measure_point(const DebyeBenchSweep *sweep, const gsize *at, DebyeBenchResult *result, gpointer data,
              GError **error)
{
  DebyeBenchJob *job = data;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeBenchCase one = job->asked;
  double n_all = 1.0;
  for (gsize i = 0; i < sweep->n_axes; i++)
    n_all *= (double)sweep->axes[i].n;
  if (!set_point(job, at, devices, &one, error))
    return FALSE;
  debye_cli_progress_update((double)job->rows->len / n_all,
                            job->whole.line != NULL ? job->whole.words[1] : one.kernel->title,
                            &job->progress);
  if (!debye_ranks_are_several(&job->ranks))
    return run_case(job, &one, result, error);
  const double asked = one.sizes[DEBYE_BENCH_RANKS];
  const guint n = asked > 0.0 ? (guint)asked : job->ranks.n_ranks;
  if (!run_processes(job, &one, n, FALSE, result, error))
    return FALSE;
  result->seconds /= n; /* of one of the n that are done in that time */
  return TRUE;
}

/* --- Without one --- */

/* Each device alone, then all together; what has a subject of its own runs on one device. */
static gboolean
time_devices(DebyeBenchJob *job, gboolean double_precision, GError **error)
{
  const gboolean can_share = job->n_devices > 1 && job->asked.kernel->subject == NULL;
  const gsize n_runs = can_share ? job->n_devices + 1 : job->n_devices;
  for (gsize i = 0; i < n_runs; i++) {
    const gboolean together = i == job->n_devices || job->n_devices == 1;
    DebyeBenchCase one = job->asked;
    DebyeBenchResult result = {0};
    one.double_precision = double_precision;
    one.devices = together ? job->devices : job->devices + i;
    one.n_devices = together ? job->n_devices : 1;
    if (!run_case(job, &one, &result, error))
      return FALSE;
    add_row(job, result);
  }
  return TRUE;
}

/* Moves results of teaching variants to the rows. */
static void
take_results(DebyeBenchJob *job, GArray *results)
{
  for (guint i = 0; i < results->len; i++)
    add_row(job, g_array_index(results, DebyeBenchResult, i));
}

DebyeLadderKind
debye_bench_job_find_kind(const DebyeBenchJob *job)
{
  if (job->is_ladder)
    return DEBYE_LADDER_COUNT;
  static const struct {
    const char *kernel;
    DebyeLadderKind kind;
  } families[] = {{"direct", DEBYE_LADDER_MAP},      {"cutoff", DEBYE_LADDER_CUTOFF},
                  {"self", DEBYE_LADDER_SCATTERING}, {"coherent", DEBYE_LADDER_SCATTERING},
                  {"orbital", DEBYE_LADDER_ORBITAL}, {"ligand", DEBYE_LADDER_LIGAND},
                  {"density", DEBYE_LADDER_DENSITY}};
  for (gsize i = 0; i < G_N_ELEMENTS(families); i++)
    if (strcmp(families[i].kernel, job->asked.kernel->id) == 0)
      return families[i].kind;
  return DEBYE_LADDER_N_KINDS;
}

static gboolean
time_variants(DebyeBenchJob *job, const DebyeBenchProblem *problem, const char *id, GError **error)
{
  g_autoptr(GArray) results = g_array_new(FALSE, FALSE, sizeof(DebyeBenchResult));
  if (job->limits->len == 0 && !debye_bench_measure_limits(job->devices, job->n_devices, job->limits, error))
    return FALSE;
  const gboolean ok = debye_bench_variants(problem, job->limits, debye_bench_job_find_kind(job), id,
                                           get_repeats(job), results, error);
  take_results(job, results);
  return ok;
}

/* What the family's variants are timed on. NULL with an error. */
static DebyeBenchProblem *
new_problem(const DebyeBenchJob *job, GError **error)
{
  const double *sizes = job->asked.sizes;
  if (job->asked.kernel->subject != NULL) {
    DebyeBenchProblem *subject = debye_bench_problem_new(1, 1);
    subject->field_points = sizes[DEBYE_BENCH_POINTS];
    subject->cancel = job->asked.repeats.cancel;
    return subject;
  }
  if (debye_bench_job_find_kind(job) != DEBYE_LADDER_SCATTERING) {
    DebyeBenchProblem *map = debye_bench_case_new_problem(&job->asked, error);
    if (map != NULL)
      map->cutoff = sizes[DEBYE_BENCH_CUTOFF];
    return map;
  }
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new(1, (gsize)sizes[DEBYE_BENCH_ATOMS]);
  problem->cancel = job->asked.repeats.cancel;
  if (!debye_bench_problem_set_courses(problem, job->atoms, (gsize)sizes[DEBYE_BENCH_FRAMES],
                                       (gsize)sizes[DEBYE_BENCH_VECTORS], error))
    return NULL;
  return g_steal_pointer(&problem);
}

static gboolean
time_against(DebyeBenchJob *job, GError **error)
{
  g_auto(GStrv) variants = g_strsplit(job->against != NULL ? job->against : "", ",", -1);
  g_autoptr(DebyeBenchProblem) problem = variants[0] != NULL ? new_problem(job, error) : NULL;
  if (variants[0] != NULL && problem == NULL)
    return FALSE;
  for (gsize i = 0; variants[i] != NULL && !debye_interrupt_came(); i++) {
    if (strcmp(variants[i], "double") == 0) {
      if (!time_devices(job, TRUE, error))
        return FALSE;
    } else if (strcmp(variants[i], "naive") == 0) {
      DebyeBenchResult result;
      debye_bench_naive(problem, get_repeats(job), &result);
      add_row(job, result);
    } else if (!time_variants(job, problem, strcmp(variants[i], "all") == 0 ? NULL : variants[i], error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* The places alone, for pairs of them. */
static DebyeBenchProblem *
new_pairs(const DebyeBenchJob *job)
{
  const DebyeBenchAtoms *atoms = job->atoms;
  const gsize n_atoms = (gsize)job->asked.sizes[DEBYE_BENCH_ATOMS];
  g_autofree float *none = g_new0(float, n_atoms);
  const DebyeCharges charges = {.charge = none,
                                .n = n_atoms,
                                .x = atoms != NULL ? atoms->x : NULL,
                                .y = atoms != NULL ? atoms->y : NULL,
                                .z = atoms != NULL ? atoms->z : NULL};
  DebyeBenchProblem *problem =
      atoms != NULL ? debye_bench_problem_new_for_charges(&charges, 1) : debye_bench_problem_new(1, n_atoms);
  problem->cancel = job->asked.repeats.cancel;
  return problem;
}

/* The pair histogram's teaching variants: all, or beside a source those that are named. */
static gboolean
time_ladder(DebyeBenchJob *job, GError **error)
{
  g_autoptr(DebyeBenchProblem) problem = new_pairs(job);
  if (job->source.name == NULL)
    return time_variants(job, problem, NULL, error);
  g_auto(GStrv) variants = g_strsplit(job->against != NULL ? job->against : "histogram-ours", ",", -1);
  for (gsize i = 0; variants[i] != NULL; i++)
    if (!time_variants(job, problem, strcmp(variants[i], "all") == 0 ? NULL : variants[i], error))
      return FALSE;
  return TRUE;
}

/* The first of the chosen devices that is a GPU with CUDA, else the first of all. */
static guint
find_gpu(const DebyeBenchJob *job)
{
  for (gsize i = 0; i < job->n_devices; i++)
    if (g_str_has_prefix(job->devices[i]->info.id, "cuda:"))
      return (guint)g_ascii_strtoull(job->devices[i]->info.id + strlen("cuda:"), NULL, 10);
  return 0;
}

/* The source of the class as it is: compiled, held against sums in double, timed. FALSE with an error where nothing can be
 * said of it. */
static gboolean
judge_source(DebyeBenchJob *job, DebyeBenchVerdict *verdict, GError **error)
{
  g_autoptr(DebyeBenchProblem) problem = job->is_ladder ? new_pairs(job) : new_problem(job, error);
  const guint threads = job->lanes.threads > 0 ? (guint)job->lanes.threads : g_get_num_processors();
  double n_all = 1.0;
  for (gsize i = 0; i < job->sweep.n_axes; i++)
    n_all *= (double)job->sweep.axes[i].n;
  debye_cli_progress_update((double)job->rows->len / n_all, job->source.name, &job->progress);
  return problem != NULL && debye_bench_source_run(&job->source, problem, job->runner, get_repeats(job),
                                                   threads, find_gpu(job), verdict, error);
}

/* The same with the macros of a point of the sweep, on a problem of the sizes of that point. */
static gboolean
measure_design(const DebyeBenchSweep *sweep, const gsize *at, DebyeBenchResult *result, gpointer data,
               GError **error)
{
  DebyeBenchJob *job = data;
  const guint n_before = job->source.definitions->len;
  const DebyeBenchCase asked = job->asked;
  g_auto(DebyeBenchVerdict) verdict = {0};
  for (gsize i = 0; i < sweep->n_axes; i++)
    if (sweep->axes[i].variable->macro == NULL)
      job->asked.sizes[sweep->axes[i].variable->size] = sweep->axes[i].values[at[i]];
  const gboolean ok =
      debye_bench_design_define(&job->source, sweep, at, error) && judge_source(job, &verdict, error);
  job->asked = asked;
  g_ptr_array_set_size(job->source.definitions, (gint)n_before);
  if (ok)
    debye_bench_design_take(&job->source, sweep, at, &verdict, result);
  return ok;
}

/* Moves its result to the rows, as the last. */
static void
take_source(DebyeBenchJob *job)
{
  const DebyeBenchResult *result = &job->verdict.result;
  DebyeBenchResult row = *result;
  row.variant = g_strdup(result->variant);
  row.device = g_strdup(result->device);
  add_row(job, row);
}

/* Against the processor's first row of the same variant, where another device has one, too. */
static void
compare_with_processor(GArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    DebyeBenchRow *row = &g_array_index(rows, DebyeBenchRow, i);
    for (guint k = 0; k < rows->len && !isfinite(row->speed_up); k++) {
      const DebyeBenchResult *other = &g_array_index(rows, DebyeBenchRow, k).result;
      if (strcmp(row->result.device, DEBYE_BACKEND_CPU) != 0 &&
          strcmp(other->device, DEBYE_BACKEND_CPU) == 0 && strcmp(other->variant, row->result.variant) == 0)
        row->speed_up = row->result.rate / other->rate;
    }
  }
}

/* --- All --- */

static gboolean
time_rows(DebyeBenchJob *job, GError **error)
{
  DebyeBenchResult all = {0};
  if (job->sweep.n_axes > 0)
    return debye_bench_job_sweep(job, job->source.name != NULL ? measure_design : measure_point, error);
  if (job->is_ladder)
    return time_ladder(job, error);
  if (!debye_ranks_are_several(&job->ranks))
    return time_devices(job, FALSE, error) && time_against(job, error);
  if (!run_processes(job, &job->asked, job->ranks.n_ranks, TRUE, &all, error))
    return FALSE;
  add_row(job, all);
  return TRUE;
}

gboolean
debye_bench_job_run(DebyeBenchJob *job, GError **error)
{
  g_autoptr(GError) problem = NULL;
  if (job->source.name != NULL && job->sweep.n_axes == 0 && !judge_source(job, &job->verdict, error))
    return FALSE;
  if (job->verdict.problem != NULL)
    return TRUE;
  /* Of what was stopped the rows that are whole are told. */
  if (!time_rows(job, &problem) && (!debye_error_is_stop(problem) || job->rows->len == 0)) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
  }
  if (job->verdict.is_right)
    take_source(job);
  set_shares(job);
  if (job->sweep.n_axes == 0)
    compare_with_processor(job->rows);
  return TRUE;
}
