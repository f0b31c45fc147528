/* SPDX-License-Identifier: MIT */
/* Times the potential's methods on growing volumes; called by classroom_volume.c. */
#include "bench_methods.h"

#include <math.h>

#include "app/analysis/driver/device_choice.h"

/* What each method is timed with: the cutoff, Å, with a smooth end, and the tolerance of multilevel
 * summation. */
#define CUTOFF 12.0
#define TOLERANCE 1e-3

#define SPACING 1.0 /* Å */
#define SHORT 0.2   /* s: what was done faster is done again, now that caches and clocks are warm */
#define MAX_RUNS 5  /* whose shortest counts: another program can only make it longer */

DebyeBenchProblem *
debye_bench_problem_new_for_volume(double volume)
{
  const double side = cbrt(volume) + 2.0 * DEBYE_BENCH_PADDING;
  return debye_bench_problem_new((gsize)lround(side / SPACING) + 1,
                                 MAX((gsize)lround(volume * DEBYE_BENCH_ATOM_DENSITY), 1));
}

static DebyePotentialMapLanesSettings
choose_settings(const DebyeBenchProblem *problem, DebyePotentialMethod method)
{
  DebyePotentialMapLanesSettings settings = {.potential = {.method = method,
                                                           .grid = problem->grid,
                                                           .core_radius = DEBYE_BENCH_CORE_RADIUS,
                                                           .max_charges = problem->n_atoms}};
  if (method == DEBYE_POTENTIAL_CUTOFF) {
    settings.potential.cutoff = CUTOFF;
    settings.potential.smoothing = DEBYE_SMOOTHING_SMOOTH;
  } else if (method == DEBYE_POTENTIAL_MULTILEVEL) {
    settings.potential.tolerance = TOLERANCE;
  }
  return settings;
}

static DebyeStatusCode
time_map(DebyeSharing *map, const DebyeBenchProblem *problem, float *values, double *seconds,
         DebyeStatus *status)
{
  *seconds = INFINITY;
  for (int i = 0; i == 0 || (i < MAX_RUNS && *seconds < SHORT); i++) {
    const gint64 start = g_get_monotonic_time();
    DebyeStatusCode code = debye_potential_map_lanes_execute(map, &problem->charges, NULL, values, NULL,
                                                             problem->cancel, NULL, NULL, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    *seconds = MIN(*seconds, (double)MAX(g_get_monotonic_time() - start, 1) / G_USEC_PER_SEC);
  }
  return DEBYE_STATUS_OK;
}

gboolean
debye_bench_method(const DebyeBenchProblem *problem, DebyePotentialMethod method,
                   const DebyeDeviceEntry *const *devices, gsize n_devices, double *seconds, GError **error)
{
  g_autofree float *values = g_new(float, debye_grid_n_points(&problem->grid));
  const DebyePotentialMapLanesSettings settings = choose_settings(problem, method);
  DebyeSharing *map = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = debye_potential_map_lanes_create(&settings, devices, n_devices, &map, &status);
  if (code == DEBYE_STATUS_OK)
    code = time_map(map, problem, values, seconds, &status);
  debye_sharing_free(map);
  return debye_device_check(code, &status, error);
}
