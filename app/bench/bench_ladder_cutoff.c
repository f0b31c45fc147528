/* SPDX-License-Identifier: MIT */
/* Times the teaching variants of the cutoff, in a cube of points in the middle of the map, where bins are as full as they
 * get; called by bench_ladder.c. */
#include "bench_ladder_private.h"

#include <math.h>

#include "app/analysis/driver/device_choice.h"

#define FIRST_EDGE ((gsize)8) /* points, of the first cube that is tried; the next is twice as long */
#define MAX_EDGE ((gsize)256)
#define LONG_ENOUGH 0.1 /* s: a cube that takes this long is measured */
#define SAMPLE_POINTS ((gsize)200)

typedef struct {
  const DebyeBenchProblem *problem;
  const DebyeBenchLimits *limits;
  gsize variant;
  DebyeGrid grid;
  float *map;
  DebyeLadderOverflow overflow;
} CutoffRun;

static DebyeGrid
take_middle(const DebyeGrid *grid, gsize edge)
{
  DebyeGrid part = *grid;
  double first[3];
  for (int axis = 0; axis < 3; axis++) {
    part.shape[axis] = MIN(grid->shape[axis], edge);
    first[axis] = (double)((grid->shape[axis] - part.shape[axis]) / 2);
  }
  part.origin = debye_grid_point(grid, first[0], first[1], first[2]);
  return part;
}

static gboolean
run_once(CutoffRun *run, double *seconds, GError **error)
{
  const DebyeDeviceEntry *device = run->limits->device;
  const DebyeLadderProblem problem = {.grid = run->grid,
                                      .charges = run->problem->charges,
                                      .core_radius = DEBYE_BENCH_CORE_RADIUS,
                                      .cutoff = run->problem->cutoff,
                                      .overflow = &run->overflow};
  DebyeStatus status = {0};
  return debye_device_check(device->backend->ladder->run(device->device, run->variant, &problem, run->map,
                                                         seconds, run->problem->cancel, &status),
                            &status, error);
}

/* The first cube that takes long enough, or the whole map; the tries warm up. */
static gboolean
choose_part(CutoffRun *run, GError **error)
{
  const gsize *shape = run->problem->grid.shape;
  const gsize most = MIN(MAX(MAX(shape[0], shape[1]), shape[2]), MAX_EDGE);
  double seconds = 0.0;
  for (gsize edge = FIRST_EDGE;; edge *= 2) {
    run->grid = take_middle(&run->problem->grid, MIN(edge, most));
    g_free(run->map);
    run->map = g_new(float, debye_grid_n_points(&run->grid));
    if (!run_once(run, &seconds, error))
      return FALSE;
    if (seconds >= LONG_ENOUGH || edge >= most)
      return TRUE;
  }
}

/* The sum in double; *within becomes how many atoms it has. */
static double
sum_exactly(const DebyeBenchProblem *problem, DebyeVec3 point, double *within)
{
  const double cutoff2 = problem->cutoff * problem->cutoff;
  double sum = 0.0;
  for (gsize i = 0; i < problem->n_atoms; i++) {
    const DebyeVec3 atom = debye_vec3((double)problem->x[i], (double)problem->y[i], (double)problem->z[i]);
    const DebyeVec3 to = debye_vec3_subtract(point, atom);
    const double d2 = debye_vec3_dot(to, to), s = 1.0 - d2 / cutoff2;
    if (d2 >= cutoff2)
      continue;
    sum += (double)problem->charge[i] * s * s / fmax(sqrt(d2), DEBYE_BENCH_CORE_RADIUS);
    *within += 1.0;
  }
  return sum;
}

/* Against points all over the cube; returns the mean number of atoms within the cutoff of one. */
static double
check_map(const CutoffRun *run, double *error)
{
  const gsize *shape = run->grid.shape, n_points = debye_grid_n_points(&run->grid);
  const gsize stride = MAX(n_points / SAMPLE_POINTS, 1) | 1; /* odd: not of one face of the cube */
  double within = 0.0, wrong = 0.0, all = 0.0, n = 0.0;
  for (gsize i = 0; i < n_points; i += stride, n++) {
    const DebyeVec3 point =
        debye_grid_point(&run->grid, (double)(i % shape[0]), (double)(i / shape[0] % shape[1]),
                         (double)(i / shape[0] / shape[1]));
    const double exact = sum_exactly(run->problem, point, &within);
    wrong += ((double)run->map[i] - exact) * ((double)run->map[i] - exact);
    all += exact * exact;
  }
  *error = all > 0.0 ? sqrt(wrong / all) : NAN;
  return within / n;
}

/* Seconds of a map that is everywhere as full. */
static void
note(CutoffRun *run, DebyeBenchRuns *runs, const DebyeLadderOverflow *overflow, DebyeBenchResult *result)
{
  const double n_points = (double)debye_grid_n_points(&run->grid);
  const double maps = (double)debye_grid_n_points(&run->problem->grid) / n_points;
  debye_bench_runs_end(runs, maps, result);
  result->rate = n_points * check_map(run, &result->error) / runs->best;
  if (overflow->n_atoms > 0) {
    result->overflow = (double)overflow->n_overflowing / (double)overflow->n_atoms;
    result->kernel_seconds = overflow->device_seconds * maps;
    result->overflow_seconds = overflow->host_seconds * maps;
  }
  debye_bench_fill_result(run->limits, run->variant, n_points, (double)run->problem->n_atoms, result);
}

gboolean
debye_bench_cutoff(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                   guint repeat, DebyeBenchResult *result, GError **error)
{
  CutoffRun run = {.problem = problem, .limits = limits, .variant = number};
  DebyeLadderOverflow overflow = {0};
  double seconds = 0.0;
  gboolean ok = choose_part(&run, error);
  if (ok) {
    DebyeBenchRuns runs = debye_bench_runs_begin(repeat, FALSE, limits->device->info.id);
    while (ok && debye_bench_runs_want_more(&runs)) {
      ok = run_once(&run, &seconds, error);
      if (ok && debye_bench_runs_note(&runs, seconds))
        overflow = run.overflow;
    }
    if (ok)
      note(&run, &runs, &overflow, result);
    else
      debye_bench_runs_end(&runs, 1.0, NULL);
  }
  g_free(run.map);
  return ok;
}
