/* SPDX-License-Identifier: MIT */
/* Compiles a source of the class, runs it on a small piece, holds it against sums in double, and times it; called by
 * debye-cli bench and the class room. */
#include "bench_source_private.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "data/files/error.h"
#include "data/messages/message.h"

#define FIRST_SECONDS 2.0   /* of the small piece */
#define TIMED_SECONDS 20.0  /* of all timed runs */
#define LONG_ENOUGH 0.15    /* s: of one of these, as the small piece foretells it */
#define GPU_SECONDS 20.0    /* more, in which a GPU gets ready */
#define ILLEGAL_ADDRESS 700 /* a CUresult */
#define NOT_WRITTEN(from_zero, from_poison, poison) ((from_zero) == 0.0 && (from_poison) == (poison))

typedef struct {
  const DebyeBenchSource *source;
  const DebyeBenchFolder *folder;
  DebyeBenchVerdict *verdict;
  guint gpu;
  DebyeRunnerReport report;
  GBytes *outputs;
  GArray *expected; /* DebyeBenchExpected, of the part that is looked at */
  double within;    /* atoms within a cutoff of its points, on average */
  /* What it computes, of what it may: 0, or 1 and so on. A small piece may have no atom without a slot, and tell nothing of
   * them. */
  guint alternative, n_alternatives;
} SourceRun;

/* --- The runner's report --- */

static const char *
name_call(int call)
{
  static const struct {
    int call;
    const char *name;
  } calls[] = {
      {SYS_socket, N_("socket (the network)")},
      {SYS_execve, N_("execve (another program)")},
      {SYS_clone, N_("clone (another process or thread)")},
      {SYS_openat, N_("open, to write a file")},
      {SYS_unlinkat, N_("unlink (removing a file)")},
      {SYS_kill, "kill"},
      {SYS_tgkill, "kill"},
      {SYS_ptrace, "ptrace"},
#ifdef SYS_fork
      {SYS_fork, N_("fork (another process)")},
      {SYS_vfork, N_("fork (another process)")},
      {SYS_open, N_("open, to write a file")},
      {SYS_unlink, N_("unlink (removing a file)")},
#endif
  };
  for (gsize i = 0; i < G_N_ELEMENTS(calls); i++)
    if (calls[i].call == call)
      return calls[i].name;
  return NULL;
}

/* FALSE: it is no fault of a GPU. */
static gboolean
tell_gpu_fault(SourceRun *run)
{
  const DebyeRunnerReport *report = &run->report;
  GError **problem = &run->verdict->problem;
  const char *name = run->source->name;
  if (report->state == DEBYE_RUNNER_NO_GPU && report->what == 0)
    debye_error_set_of_file(problem, DEBYE_ERROR_MISSING, name,
                            "it compiles, but this machine has no GPU with CUDA to run it");
  else if (report->state == DEBYE_RUNNER_NO_GPU)
    debye_error_set_of_file(problem, DEBYE_ERROR_MISSING, name,
                            "it compiles, but the GPU can't be used: CUDA error %d", report->what);
  else if (report->state == DEBYE_RUNNER_NO_CUFFT)
    debye_error_set_of_file(
        problem, DEBYE_ERROR_MISSING, name,
        "it compiles, but its transforms can't be made: cuFFT, CUDA's library for them, is missing or has no "
        "memory. Install libcufft11 on Debian and Ubuntu, libcufft on Fedora, or the CUDA toolkit");
  else if (report->state == DEBYE_RUNNER_NOT_LAUNCHED)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name,
                            "the GPU can't start it (CUDA error %d): a block has at most 1024 threads, and "
                            "its registers, shared memory and CHUNK must fit",
                            report->what);
  else if (report->state == DEBYE_RUNNER_GPU_FAULT && report->what == ILLEGAL_ADDRESS)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name,
                            "it reaches beyond an array: the GPU found an illegal address");
  else if (report->state == DEBYE_RUNNER_GPU_FAULT)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name, "the GPU ended it with CUDA error %d",
                            report->what);
  return *problem != NULL;
}

static void
tell_fault(SourceRun *run)
{
  const DebyeRunnerReport *report = &run->report;
  GError **problem = &run->verdict->problem;
  const char *name = run->source->name, *call = name_call(report->what);
  const gint64 where = report->where;
  if (tell_gpu_fault(run))
    return;
  if (report->state == DEBYE_RUNNER_FORBIDDEN && call != NULL)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name, "it called %s, which a kernel may not", call);
  else if (report->state == DEBYE_RUNNER_FORBIDDEN)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name,
                            "it made system call %d, which a kernel may not", report->what);
  else if (report->state == DEBYE_RUNNER_CHANGED)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name, "it writes to “%s”, which is const",
                            report->place);
  else if (report->state == DEBYE_RUNNER_OUTSIDE && where < 0)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name,
                            "it reaches before the first element of “%s”, by %" G_GINT64_FORMAT " bytes",
                            report->place, -where);
  else if (report->state == DEBYE_RUNNER_OUTSIDE)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name,
                            "it reaches beyond the last element of “%s”, byte %" G_GINT64_FORMAT
                            " after its end",
                            report->place, where + 1);
  else if (report->state == DEBYE_RUNNER_NO_THREADS)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name,
                            "it could not run: the machine lets it start only %d threads. End other "
                            "programs, or use fewer threads with “debye-cli bench --threads”",
                            report->what);
  else if (report->state == DEBYE_RUNNER_NOT_LOADED)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name,
                            "the compiled file can't be loaded; check that its function isn't static");
  else
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name, "it crashed: %s", g_strsignal(report->what));
}

/* What there is of a report where the process ended otherwise than with one. */
static void
tell_end(SourceRun *run, gboolean is_late, int status, double seconds)
{
  GError **problem = &run->verdict->problem;
  const char *name = run->source->name;
  if (is_late)
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name,
                            "it had not ended after %g s and was stopped; look for an endless loop", seconds);
  else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
    debye_error_set_of_file(
        problem, DEBYE_ERROR_VALUE, name,
        "it made a system call that a kernel may not, such as one that starts another program or thread");
  else if (WIFSIGNALED(status))
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name, "it crashed: %s",
                            g_strsignal(WTERMSIG(status)));
  else
    debye_error_set_of_file(problem, DEBYE_ERROR_VALUE, name, "it ended the program that called it");
}

static gboolean
read_report(SourceRun *run, gsize n_outputs, gsize output_bytes)
{
  g_autofree char *path = g_build_filename(run->folder->path, "report", NULL), *data = NULL;
  gsize n = 0;
  run->report = (DebyeRunnerReport){0};
  g_clear_pointer(&run->outputs, g_bytes_unref);
  if (!g_file_get_contents(path, &data, &n, NULL) || n < sizeof run->report)
    return FALSE;
  memcpy(&run->report, data, sizeof run->report);
  run->report.place[sizeof run->report.place - 1] = '\0';
  run->verdict->has_landlock = run->report.has_landlock != 0;
  run->verdict->has_seccomp = run->report.has_seccomp != 0;
  if (run->report.state == DEBYE_RUNNER_DONE && n < sizeof run->report + n_outputs * output_bytes)
    return FALSE;
  run->outputs = g_bytes_new(data + sizeof run->report, n - sizeof run->report);
  return TRUE;
}

/* FALSE with an error where the runner itself fails; what the source does wrong is the verdict's. */
static gboolean
run_case(SourceRun *run, const DebyeBenchSourceCase *one, double seconds, GError **error)
{
  const gboolean is_cuda = run->source->is_cuda;
  g_autofree char *gpu = g_strdup_printf("%u", run->gpu);
  char *arguments[] = {(char *)run->folder->runner, (char *)(is_cuda ? "run-cuda" : "run"),
                       is_cuda ? gpu : NULL, NULL};
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  g_autofree char *old = g_build_filename(run->folder->path, "report", NULL);
  gboolean is_late = FALSE;
  int status = 0;
  DebyeRunnerCase about = one->about;
  if (one->has_scratch_each && !is_cuda)
    about.scratch_bytes *= about.n_repeats > 0 ? (guint64)about.n_threads : DEBYE_RUNNER_SHARES;
  g_byte_array_append(bytes, (const guint8 *)&about, sizeof about);
  g_byte_array_append(bytes, one->inputs->data, one->inputs->len);
  if (!g_file_set_contents(old, "", 0, error) ||
      !debye_bench_folder_write(run->folder, "case", bytes->data, bytes->len, error) ||
      !debye_bench_folder_run(run->folder, arguments, seconds + (is_cuda ? GPU_SECONDS : 0.0), &is_late,
                              &status, error))
    return FALSE;
  const gsize n_outputs = one->about.n_repeats > 0 ? 1 : DEBYE_RUNNER_CHECKS;
  const gboolean has_report = read_report(run, n_outputs, one->about.output_bytes);
  if (!has_report && !is_late && WIFEXITED(status) && WEXITSTATUS(status) == 2)
    return debye_error_set(error, DEBYE_ERROR_MISSING, "%s failed; reinstall Debye",
                           DEBYE_BENCH_SOURCE_RUNNER);
  is_late |= run->report.state == DEBYE_RUNNER_LATE;
  if (is_late || !has_report || run->report.state == DEBYE_RUNNER_LOADING ||
      run->report.state == DEBYE_RUNNER_RUNNING)
    tell_end(run, is_late, status, seconds);
  else if (run->report.state != DEBYE_RUNNER_DONE)
    tell_fault(run);
  return TRUE;
}

/* --- Right or wrong --- */

static double
get_value(const SourceRun *run, const DebyeBenchSourceCase *one, gsize output, gsize index)
{
  const gsize n_bytes = one->family->value_bytes;
  const guint8 *data = g_bytes_get_data(run->outputs, NULL);
  const guint8 *from = data + output * one->about.output_bytes + index * n_bytes;
  guint64 count = 0;
  guint32 number = 0;
  float value = 0.0f;
  memcpy(!one->family->is_count    ? (void *)&value
         : n_bytes == sizeof count ? (void *)&count
                                   : (void *)&number,
         from, n_bytes);
  return one->family->is_count ? (double)(count + number) : (double)value;
}

typedef struct {
  guint n_wrong;
  gsize worst;
  double excess, expected, ours; /* by how much it is beyond its tolerance, in tolerances */
  double error;                  /* root mean square, relative */
} Comparison;

/* Holds an output against what is expected; begun from `poison`. */
static void
compare(const SourceRun *run, const DebyeBenchSourceCase *one, gsize output, double poison, Comparison *found)
{
  double wrong = 0.0, all = 0.0;
  *found = (Comparison){.excess = 1.0};
  for (guint i = 0; i < run->expected->len; i++) {
    const DebyeBenchExpected *exact = &g_array_index(run->expected, DebyeBenchExpected, i);
    const double ours = get_value(run, one, output, exact->index) - poison, off = ours - exact->expected;
    const double rounded = one->family->is_count ? 0.0 : poison * 6e-8 * (one->n_additions + 1.0);
    double excess = fabs(off) / (exact->tolerance + rounded + 1e-30);
    excess = isnan(excess) ? INFINITY : excess;
    wrong += off * off;
    all += exact->expected * exact->expected;
    found->n_wrong += excess > 1.0;
    if (excess > found->excess) {
      found->excess = excess;
      found->worst = exact->index;
      found->expected = exact->expected;
      found->ours = ours;
    }
  }
  found->error = all > 0.0 ? sqrt(wrong / all) : NAN;
}

/* What the source should give, if it is to compute this of what it may. */
static void
expect(SourceRun *run, const DebyeBenchSourceCase *one, guint alternative)
{
  g_array_set_size(run->expected, 0);
  one->family->expect(one, alternative, run->expected, &run->within);
}

static void
tell_wrong(SourceRun *run, const DebyeBenchSourceCase *one, const Comparison *found, const char *how)
{
  DebyeBenchVerdict *verdict = run->verdict;
  char expected[G_ASCII_DTOSTR_BUF_SIZE], ours[G_ASCII_DTOSTR_BUF_SIZE];
  const char *unit = one->family->unit;
  verdict->worst = one->family->name_value(one, found->worst);
  verdict->expected = found->expected;
  verdict->ours = found->ours;
  g_ascii_formatd(expected, sizeof expected, "%.7g", found->expected);
  g_ascii_formatd(ours, sizeof ours, "%.7g", found->ours);
  debye_error_set_of_file(
      &verdict->problem, DEBYE_ERROR_VALUE, run->source->name,
      run->expected->len < one->n_values ? "%s: expected %s%s, found %s%s; %" G_GSIZE_FORMAT
                                           " of %" G_GSIZE_FORMAT " values that were looked at are wrong%s"
                                         : "%s: expected %s%s, found %s%s; %" G_GSIZE_FORMAT
                                           " of %" G_GSIZE_FORMAT " values are wrong%s",
      verdict->worst, expected, unit, ours, unit, (gsize)found->n_wrong, (gsize)run->expected->len, how);
}

/* Of the values that the first comparison found wrong or not, whether the second run left one as it was. */
static gboolean
tell_not_written(SourceRun *run, const DebyeBenchSourceCase *one, double poison)
{
  for (guint i = 0; i < run->expected->len; i++) {
    const DebyeBenchExpected *exact = &g_array_index(run->expected, DebyeBenchExpected, i);
    if (!NOT_WRITTEN(get_value(run, one, 0, exact->index), get_value(run, one, 1, exact->index), poison) ||
        (!one->family->is_written && fabs(exact->expected) <= exact->tolerance))
      continue;
    DebyeBenchVerdict *verdict = run->verdict;
    verdict->worst = one->family->name_value(one, exact->index);
    verdict->expected = exact->expected;
    debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_VALUE, run->source->name, "%s was never written",
                            verdict->worst);
    return TRUE;
  }
  return FALSE;
}

/* Held against each of what it may compute, from zeros: what is expected afterwards is the first that it does, or the nearest.
 * A copy of a shipped source has to compute what that does. */
static void
choose_expected(SourceRun *run, const DebyeBenchSourceCase *one, Comparison *found)
{
  Comparison other;
  guint best = run->source->alternative > 0 ? run->source->alternative - 1 : 0, last = best;
  expect(run, one, best);
  compare(run, one, 0, 0.0, found);
  for (guint i = 1; run->source->alternative == 0 && i < one->n_alternatives && found->n_wrong > 0; i++) {
    expect(run, one, last = i);
    compare(run, one, 0, 0.0, &other);
    if (other.n_wrong < found->n_wrong) {
      *found = other;
      best = i;
    }
  }
  if (last != best)
    expect(run, one, best);
  run->alternative = best;
  run->n_alternatives = one->n_alternatives;
}

/* What the second run began from is no part of a sum that is written as a whole, and of counts may be no part: they may be
 * kept in the scratch, as one of the variants does. A GPU's regions are written. */
static void
compare_poisoned(SourceRun *run, const DebyeBenchSourceCase *one, double poison, Comparison *found)
{
  const DebyeBenchSourceFamily *family = one->family;
  const gboolean may_be_written =
      family->is_count || (run->source->is_cuda && family->kind == DEBYE_LADDER_CUTOFF);
  compare(run, one, 1, family->is_written ? 0.0 : poison, found);
  if (found->n_wrong > 0 && may_be_written)
    compare(run, one, 1, 0.0, found);
}

/* The small piece: from zeros, from a poison, and shared among threads. */
static void
judge(SourceRun *run, const DebyeBenchSourceCase *one)
{
  const gboolean is_written = one->family->is_written;
  const double poison =
      one->family->is_count ? (double)DEBYE_RUNNER_POISON_COUNT : (double)DEBYE_RUNNER_POISON;
  Comparison plain, poisoned, shared, alone;
  choose_expected(run, one, &plain);
  if (plain.n_wrong > 0) {
    if (!tell_not_written(run, one, poison))
      tell_wrong(run, one, &plain, "");
    return;
  }
  compare_poisoned(run, one, poison, &poisoned);
  if (poisoned.n_wrong > 0) {
    if (!is_written || !tell_not_written(run, one, poison))
      tell_wrong(run, one, &poisoned,
                 is_written ? N_(" where the array isn't 0 before: write each value, and add to none")
                            : N_(" where the array isn't 0 before: add to it, and write nothing else"));
    return;
  }
  compare(run, one, 2, 0.0, &shared);
  /* Of what is written each thread may have written all: then the first alone has, and left nothing of the poison. A GPU's
   * threads are not asked one by one. */
  compare(run, one, 3, 0.0, &alone);
  run->verdict->uses_threads =
      shared.n_wrong == 0 && (!is_written || run->source->is_cuda || alone.n_wrong > 0);
  if (shared.n_wrong > 0 && run->source->is_cuda)
    tell_wrong(run, one, &shared, N_(" when it ran again: do two threads write to the same place?"));
}

/* --- Time --- */

/* Units that take long enough. */
static gsize
foresee(const DebyeBenchSourceCase *small, double seconds, guint n_threads)
{
  const double evaluations =
      small->family->count_evaluations(small, NAN) / MAX(seconds, 1e-7) * LONG_ENOUGH * (double)n_threads;
  return small->family->foresee(small, evaluations);
}

static int
compare_times(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The report comes from the process that ran the class's code, so it may contain anything. */
static double
find_median(const DebyeRunnerReport *report)
{
  double times[DEBYE_RUNNER_MAX_TIMES];
  const gsize n = (gsize)CLAMP(report->n_times, 0, DEBYE_RUNNER_MAX_TIMES);
  memcpy(times, report->times, sizeof times);
  qsort(times, n, sizeof times[0], compare_times);
  return n > 0 ? 0.5 * (times[(n - 1) / 2] + times[n / 2]) : 0.0;
}

static void
note_time(SourceRun *run, const DebyeBenchSourceCase *one, const Comparison *found)
{
  const double best = MAX(run->report.seconds, 1e-9);
  const DebyeRunnerResources *of_gpu = &run->report.resources;
  run->verdict->is_right = TRUE;
  run->verdict->result = (DebyeBenchResult){
      .variant = g_strdup(DEBYE_BENCH_SOURCE_NAME),
      .device = run->source->is_cuda ? g_strdup_printf("cuda:%u", run->gpu) : g_strdup(DEBYE_BACKEND_CPU),
      .seconds = best * one->family->find_whole(one),
      .median = find_median(&run->report) * one->family->find_whole(one),
      .rate = one->family->count_evaluations(one, run->within) / best,
      .error = one->family->is_count ? 0.0 : found->error,
      .resources = {.block = of_gpu->block,
                    .registers = of_gpu->registers,
                    .blocks = of_gpu->blocks,
                    .shared_bytes = of_gpu->shared_bytes,
                    .local_bytes = of_gpu->local_bytes,
                    .occupancy = of_gpu->occupancy}};
}

static gboolean
time_case(SourceRun *run, DebyeBenchSourceCase *one, guint repeat, guint n_threads, GError **error)
{
  Comparison found;
  one->about.n_repeats = (int)repeat;
  one->about.n_threads = (int)n_threads;
  if (!run_case(run, one, TIMED_SECONDS, error))
    return FALSE;
  if (run->verdict->problem != NULL)
    return TRUE;
  if (one->n_alternatives > run->n_alternatives) {
    choose_expected(run, one, &found);
  } else {
    expect(run, one, MIN(run->alternative, one->n_alternatives - 1));
    compare(run, one, 0, 0.0, &found);
  }
  if (found.n_wrong > 0)
    tell_wrong(run, one, &found,
               n_threads > 1 ? N_(" with all threads: do two of them write to the same place?") : "");
  else
    note_time(run, one, &found);
  return TRUE;
}

/* A larger piece, as this one foretells it. */
static gboolean
time_larger(SourceRun *run, const DebyeBenchSourceCase *from, const DebyeBenchProblem *problem, guint repeat,
            guint n_threads, DebyeBenchSourceCase *timed, GError **error)
{
  const guint n = run->verdict->uses_threads && !run->source->is_cuda ? n_threads : 1;
  debye_bench_result_clear(&run->verdict->result);
  return debye_bench_source_case_init(timed, problem, run->source, foresee(from, run->report.seconds, n),
                                      error) &&
         time_case(run, timed, repeat, n, error);
}

/* On a GPU twice: the small piece tells nothing but what a launch takes. */
static gboolean
run_compiled(SourceRun *run, const DebyeBenchProblem *problem, guint repeat, guint n_threads, GError **error)
{
  DebyeBenchSourceCase small = {0}, timed = {0}, last = {0};
  gboolean ok = debye_bench_source_case_init(&small, problem, run->source, 0, error) &&
                run_case(run, &small, FIRST_SECONDS, error);
  if (ok && run->verdict->problem == NULL)
    judge(run, &small);
  if (ok && run->verdict->problem == NULL)
    ok = time_larger(run, &small, problem, repeat, n_threads, &timed, error);
  if (ok && run->verdict->problem == NULL && run->source->is_cuda) {
    run->verdict->is_right = FALSE;
    ok = time_larger(run, &timed, problem, repeat, n_threads, &last, error);
  }
  debye_bench_source_case_clear(&small);
  debye_bench_source_case_clear(&timed);
  debye_bench_source_case_clear(&last);
  return ok;
}

static gboolean
compile(SourceRun *run, GError **error)
{
  if (!run->source->is_cuda)
    return debye_bench_source_compile(run->source, run->folder, run->verdict, error);
  return debye_bench_source_check_mps(error) &&
         debye_bench_source_compile_cuda(run->source, run->folder, run->gpu, run->verdict, error);
}

gboolean
debye_bench_source_run(const DebyeBenchSource *source, const DebyeBenchProblem *problem, const char *runner,
                       guint repeat, guint n_threads, guint gpu, DebyeBenchVerdict *verdict, GError **error)
{
  g_auto(DebyeBenchFolder) folder = {0};
  g_autoptr(GArray) expected = g_array_new(FALSE, FALSE, sizeof(DebyeBenchExpected));
  SourceRun run = {.source = source, .folder = &folder, .verdict = verdict, .gpu = gpu, .expected = expected};
  *verdict = (DebyeBenchVerdict){0};
  gboolean ok = debye_bench_folder_init(&folder, runner, problem->cancel, error) && compile(&run, error);
  const gboolean can_run = ok && verdict->is_compiled && verdict->problem == NULL;
  if (can_run && source->is_only_compiled)
    debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_MISSING, source->name,
                            "it compiles, but it was not run: Debye found no CUDA device. Check the list "
                            "that “debye-cli devices” prints");
  else if (can_run)
    ok = run_compiled(&run, problem, repeat, n_threads, error);
  g_clear_pointer(&run.outputs, g_bytes_unref);
  return ok;
}
