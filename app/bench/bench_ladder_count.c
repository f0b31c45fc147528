/* SPDX-License-Identifier: MIT */
/* Counts pair distances with the teaching variants, and of a race more and more of them; called by bench_ladder.c. */
#include "bench_ladder_private.h"

#include <math.h>
#include <string.h>

#include "app/analysis/driver/device_choice.h"

#define ROUNDED_AWAY 1e-5 /* of all pairs */
/* Of a race, which are copies: 38 MB while they are copied for the last time. */
#define MAX_ATOMS ((gsize)1 << 21)
/* Twice the atoms are four times the pairs. */
#define GROWTH 4

double
debye_bench_find_range(const DebyeBenchProblem *problem)
{
  return 0.4999 * MIN(MIN(problem->edge[0], problem->edge[1]), problem->edge[2]);
}

/* The problem's atoms, or copies. */
typedef struct {
  DebyeLadderPairs pairs;
  float *copies; /* x, then y, then z; NULL: the problem's own */
  gsize n_asked;
  const volatile bool *cancel;
} Atoms;

static void
atoms_clear(Atoms *self)
{
  g_clear_pointer(&self->copies, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Atoms, atoms_clear)

static Atoms
take_atoms(const DebyeBenchProblem *problem)
{
  return (Atoms){.pairs = {.x = problem->x,
                           .y = problem->y,
                           .z = problem->z,
                           .n = problem->n_atoms,
                           .r_max = debye_bench_find_range(problem),
                           .n_bins = DEBYE_BENCH_N_BINS,
                           .edge = {problem->edge[0], problem->edge[1], problem->edge[2]}},
                 .n_asked = problem->n_atoms,
                 .cancel = problem->cancel};
}

/* A second cell along the shortest edge, of which the range is half. FALSE: they would be too many. */
static gboolean
copy_cell(Atoms *self)
{
  DebyeLadderPairs *pairs = &self->pairs;
  const float *const from[3] = {pairs->x, pairs->y, pairs->z};
  const gsize n = pairs->n;
  float *copies = n <= MAX_ATOMS / 2 ? g_try_new(float, 6 * n) : NULL;
  int shortest = 0;
  if (copies == NULL)
    return FALSE;
  for (int axis = 1; axis < 3; axis++)
    if (pairs->edge[axis] < pairs->edge[shortest])
      shortest = axis;
  for (int axis = 0; axis < 3; axis++) {
    const double shift = axis == shortest ? pairs->edge[axis] : 0.0;
    float *to = copies + 2 * n * (gsize)axis;
    memcpy(to, from[axis], n * sizeof(float));
    for (gsize i = 0; i < n; i++)
      to[n + i] = (float)((double)from[axis][i] + shift);
  }
  g_free(self->copies);
  self->copies = copies;
  pairs->x = copies;
  pairs->y = copies + 2 * n;
  pairs->z = copies + 4 * n;
  pairs->n = 2 * n;
  pairs->edge[shortest] *= 2.0;
  pairs->r_max = 0.4999 * MIN(MIN(pairs->edge[0], pairs->edge[1]), pairs->edge[2]);
  return TRUE;
}

static gboolean
count_once(const Atoms *atoms, const DebyeDeviceEntry *device, gsize number, guint64 counts[],
           double *seconds, GError **error)
{
  DebyeStatus status = {0};
  uint64_t found[DEBYE_BENCH_N_BINS] = {0};
  if (!debye_device_check(device->backend->ladder->count(device->device, number, &atoms->pairs, found,
                                                         seconds, atoms->cancel, &status),
                          &status, error))
    return FALSE;
  for (gsize bin = 0; bin < DEBYE_BENCH_N_BINS; bin++)
    counts[bin] = found[bin];
  return TRUE;
}

static double
sum_counts(const guint64 counts[DEBYE_BENCH_N_BINS])
{
  double sum = 0.0;
  for (gsize bin = 0; bin < DEBYE_BENCH_N_BINS; bin++)
    sum += (double)counts[bin];
  return sum;
}

/* Of all pairs in range. Some at its very end are on its other side in float, and not lost. */
static double
find_lost(double counted, double all)
{
  const double lost = all > 0.0 ? 1.0 - counted / all : 0.0;
  return fabs(lost) > ROUNDED_AWAY ? lost : 0.0;
}

static gboolean
count(const Atoms *atoms, const DebyeBenchLimits *limits, gsize number, guint repeat,
      DebyeBenchResult *result, GError **error)
{
  const DebyeLadderKernel *ladder = limits->device->backend->ladder;
  const DebyeLadderPairs *pairs = &atoms->pairs;
  g_autofree DebyeBenchCounts *counts = g_new0(DebyeBenchCounts, 1);
  double seconds = 0.0;
  gboolean ok = count_once(atoms, limits->device, debye_ladder_find(ladder, "histogram-ours"),
                           counts->expected, &seconds, error);
  if (!ok)
    return FALSE;
  DebyeBenchRuns runs = debye_bench_runs_begin(repeat, TRUE, limits->device->info.id);
  while (ok && debye_bench_runs_want_more(&runs)) {
    ok = count_once(atoms, limits->device, number, counts->bins, &seconds, error);
    debye_bench_runs_note(&runs, seconds);
  }
  debye_bench_runs_end(&runs, 1.0, ok ? result : NULL);
  if (!ok)
    return FALSE;
  counts->n_atoms = (double)pairs->n;
  counts->n_asked = (double)atoms->n_asked;
  counts->volume = pairs->edge[0] * pairs->edge[1] * pairs->edge[2];
  counts->range = pairs->r_max;
  result->rate = 0.5 * counts->n_atoms * (counts->n_atoms - 1.0) / runs.best;
  result->error = find_lost(sum_counts(counts->bins), sum_counts(counts->expected));
  result->counts = g_steal_pointer(&counts);
  debye_bench_fill_result(limits, number, 1.0, 1.0, result);
  return TRUE;
}

gboolean
debye_bench_count(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                  guint repeat, DebyeBenchResult *result, GError **error)
{
  g_auto(Atoms) atoms = take_atoms(problem);
  return count(&atoms, limits, number, repeat, result, error);
}

/* A race that loses nothing shows nothing. */
gboolean
debye_bench_count_race(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                       guint repeat, double seconds, DebyeBenchResult *result, GError **error)
{
  g_auto(Atoms) atoms = take_atoms(problem);
  const gint64 end = g_get_monotonic_time() + (gint64)(seconds * G_USEC_PER_SEC);
  for (;;) {
    const gint64 start = g_get_monotonic_time();
    if (!count(&atoms, limits, number, repeat, result, error))
      return FALSE;
    const gint64 now = g_get_monotonic_time(), took = now - start;
    result->counts->is_race = TRUE;
    if (result->error > 0.0 || took > end - now)
      return TRUE;
    if (GROWTH * took <= end - now)
      copy_cell(&atoms);
    debye_bench_result_clear(result);
  }
}
