/* SPDX-License-Identifier: MIT */
/* Maps of the potential by any method, for bench_case.c. */
#include "bench_case.h"

#include <math.h>
#include <string.h>

#include "app/analysis/driver/device_choice.h"
#include "data/files/error.h"
#include "kernels/ladder/ladder.h"
#include "kernels/potential/ewald.h"

#define MAX_POINTS 1073741824.0 /* 1024 a side */

/* The processor, for the sums in double precision that errors are held against. */
static DebyeDeviceEntry
get_processor(const DebyeBenchCase *self)
{
  DebyeDeviceEntry processor = {.backend = self->devices[0]->cpu, .cpu = self->devices[0]->cpu};
  processor.backend->device_info(0, &processor.info, NULL);
  return processor;
}

/* Of the box that a grid is laid over, Å³. */
static double
find_volume(const DebyeCharges *charges)
{
  const float *const coordinates[3] = {charges->x, charges->y, charges->z};
  double volume = 1.0;
  for (int axis = 0; axis < 3; axis++) {
    float low = INFINITY, high = -INFINITY;
    for (gsize i = 0; i < charges->n; i++) {
      low = MIN(low, coordinates[axis][i]);
      high = MAX(high, coordinates[axis][i]);
    }
    volume *= (double)high - (double)low + 2.0 * DEBYE_BENCH_PADDING;
  }
  return volume;
}

DebyeBenchProblem *
debye_bench_case_new_problem(const DebyeBenchCase *self, GError **error)
{
  const gsize n_atoms = (gsize)self->sizes[DEBYE_BENCH_ATOMS];
  const double spacing = self->sizes[DEBYE_BENCH_SPACING];
  const DebyeBenchAtoms *atoms = self->atoms;
  const DebyeCharges charges = atoms != NULL
                                   ? (DebyeCharges){atoms->x, atoms->y, atoms->z, atoms->charge, n_atoms}
                                   : (DebyeCharges){0};
  const double edge = cbrt((double)n_atoms / DEBYE_BENCH_ATOM_DENSITY) + 2.0 * DEBYE_BENCH_PADDING;
  const double volume = atoms != NULL ? find_volume(&charges) : pow(edge, 3.0);
  const double n_points = spacing > 0.0 ? volume / pow(spacing, 3.0) : self->sizes[DEBYE_BENCH_POINTS];
  if (n_points > MAX_POINTS) {
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "bench: expected at most %.0f grid points, found %.4g; choose fewer or a larger spacing",
                    MAX_POINTS, n_points);
    return NULL;
  }
  DebyeBenchProblem *problem =
      atoms != NULL
          ? debye_bench_problem_new_for_charges(&charges, MAX((gsize)llround(n_points), 1))
          : debye_bench_problem_new((gsize)lround(cbrt(n_points)) + (spacing > 0.0 ? 1 : 0), n_atoms);
  problem->cancel = self->repeats.cancel;
  return problem;
}

/* Points along an axis where a cutoff's or Ewald's sum is compared with one in double precision. */
#define COMPARED 8
/* Of the tolerance that is measured: what the sum in double precision, which it is held against, keeps. */
#define FINER 1e-3
/* As (1 − d²/rc²)²/d reads: three differences, five for d², one root, two for 1 − d²/rc², one for its square,
 * one division, two to multiply and add. */
#define CUTOFF_OPERATIONS 15.0

typedef struct {
  const DebyeBenchCase *asked;
  DebyeBenchProblem *problem;
  DebyePotentialMapLanesSettings settings;
  const DebyeCell *cell; /* NULL: open */
  DebyeSharing *map;
  float *single;
  double *twice;
} Map;

static void
close_map(gpointer opened)
{
  Map *self = opened;
  debye_sharing_free(self->map);
  g_clear_pointer(&self->problem, debye_bench_problem_free);
  g_free(self->single);
  g_free(self->twice);
  g_free(self);
}

/* Of made-up atoms, which fill a cube. */
static DebyeCell
get_cell(const DebyeBenchCase *asked)
{
  const double side = cbrt(asked->sizes[DEBYE_BENCH_ATOMS] / DEBYE_BENCH_ATOM_DENSITY);
  return asked->atoms != NULL ? asked->atoms->cell
                              : (DebyeCell){{side, 0.0, 0.0}, {0.0, side, 0.0}, {0.0, 0.0, side}};
}

static void
choose_settings(Map *self)
{
  const DebyeBenchCase *asked = self->asked;
  DebyePotentialSettings *potential = &self->settings.potential;
  *potential = (DebyePotentialSettings){
      .method = asked->kernel->method,
      .grid = self->problem->grid,
      .core_radius = DEBYE_BENCH_CORE_RADIUS,
      .double_precision = asked->double_precision,
      .max_charges = self->problem->n_atoms,
      .cutoff = asked->sizes[DEBYE_BENCH_CUTOFF],
      .smoothing = DEBYE_SMOOTHING_SMOOTH,
      .tolerance = asked->sizes[DEBYE_BENCH_TOLERANCE],
  };
  self->settings.memory_limit = asked->memory_limit;
  if (potential->method != DEBYE_POTENTIAL_EWALD)
    return;
  potential->periodic = DEBYE_PERIODIC_ALL;
  potential->cell = get_cell(asked);
  self->cell = &potential->cell;
}

static gpointer
open_map(const DebyeBenchCase *asked, GError **error)
{
  DebyeBenchProblem *problem = debye_bench_case_new_problem(asked, error);
  DebyeStatus status = {0};
  if (problem == NULL)
    return NULL;
  const gsize n_points = debye_grid_n_points(&problem->grid);
  Map *self = g_new0(Map, 1);
  self->asked = asked;
  self->problem = problem;
  self->single = asked->double_precision ? NULL : g_try_new(float, n_points);
  self->twice = asked->double_precision ? g_try_new(double, n_points) : NULL;
  choose_settings(self);
  if (self->single == NULL && self->twice == NULL)
    debye_error_set(error, DEBYE_ERROR_MEMORY,
                    "bench: no memory for a map of %" G_GSIZE_FORMAT " points; choose fewer", n_points);
  else if (debye_device_check(debye_potential_map_lanes_create(&self->settings, asked->devices,
                                                               asked->n_devices, &self->map, &status),
                              &status, error))
    return self;
  close_map(self);
  return NULL;
}

static gboolean
run_map(gpointer opened, GError **error)
{
  Map *self = opened;
  DebyeStatus status = {0};
  return debye_device_check(
      debye_potential_map_lanes_execute(self->map, &self->problem->charges, self->cell, self->single,
                                        self->twice, self->asked->repeats.cancel, NULL, NULL, &status),
      &status, error);
}

/* --- Error --- */

/* Every so-many-th point along each axis. */
static DebyeGrid
thin_out(const DebyeGrid *grid, gsize stride[3])
{
  DebyeGrid thin = *grid;
  for (int axis = 0; axis < 3; axis++) {
    stride[axis] = (grid->shape[axis] + COMPARED - 1) / COMPARED;
    thin.shape[axis] = (grid->shape[axis] + stride[axis] - 1) / stride[axis];
    thin.step[axis] = debye_vec3_scale(grid->step[axis], (double)stride[axis]);
  }
  return thin;
}

static double
compare(const Map *self, const DebyeGrid *thin, const gsize stride[3], const double *exact)
{
  const gsize *shape = self->settings.potential.grid.shape;
  double squares = 0.0, sum = 0.0;
  for (gsize k = 0, at = 0; k < thin->shape[2]; k++)
    for (gsize j = 0; j < thin->shape[1]; j++)
      for (gsize i = 0; i < thin->shape[0]; i++, at++) {
        const gsize whole = ((k * stride[2] * shape[1]) + j * stride[1]) * shape[0] + i * stride[0];
        const double value = self->twice != NULL ? self->twice[whole] : (double)self->single[whole];
        squares += (value - exact[at]) * (value - exact[at]);
        sum += exact[at] * exact[at];
      }
  return sum > 0.0 ? sqrt(squares / sum) : NAN;
}

/* What the method itself gives in double precision, on the processor: a cutoff has another sum than 1/d, and
 * Ewald's has another zero. */
static gboolean
compare_with_double(const Map *self, double *found, GError **error)
{
  gsize stride[3];
  const DebyeDeviceEntry processor = get_processor(self->asked), *device = &processor;
  DebyePotentialMapLanesSettings settings = self->settings;
  DebyePotentialSettings *potential = &settings.potential;
  DebyeSharing *map = NULL;
  DebyeStatus status = {0};
  potential->grid = thin_out(&self->settings.potential.grid, stride);
  potential->double_precision = true;
  if (potential->method == DEBYE_POTENTIAL_EWALD) {
    potential->tolerance = MAX(FINER * potential->tolerance, DEBYE_EWALD_LEAST_TOLERANCE_DOUBLE);
    potential->cutoff = 0.0; /* its parameters are its own to choose */
  }
  g_autofree double *exact = g_new(double, debye_grid_n_points(&potential->grid));
  DebyeStatusCode code = debye_potential_map_lanes_create(&settings, &device, 1, &map, &status);
  if (code == DEBYE_STATUS_OK)
    code = debye_potential_map_lanes_execute(map, &self->problem->charges, self->cell, NULL, exact,
                                             self->asked->repeats.cancel, NULL, NULL, &status);
  debye_sharing_free(map);
  if (!debye_device_check(code, &status, error))
    return FALSE;
  *found = compare(self, &potential->grid, stride, exact);
  return TRUE;
}

/* --- Operations --- */

/* Of the first device's own direct sum, the last of its teaching variants of maps; 0: it has none. */
static double
count_direct_operations(const DebyeDeviceEntry *device)
{
  const DebyeLadderKernel *ladder = device->backend->ladder;
  for (gsize i = ladder != NULL ? ladder->n_variants : 0; i-- > 0;)
    if (strcmp(ladder->variants[i].id, "ours") == 0)
      return ladder->variants[i].cost.operations;
  return 0.0;
}

static gboolean
finish_map(gpointer opened, DebyeBenchResult *result, GError **error)
{
  const Map *self = opened;
  const DebyeBenchProblem *problem = self->problem;
  const double n_points = (double)debye_grid_n_points(&problem->grid);
  result->evaluations = n_points;
  switch (self->asked->kernel->method) {
  case DEBYE_POTENTIAL_DIRECT:
    result->evaluations *= (double)problem->n_atoms;
    result->operations = self->asked->double_precision
                             ? 0.0
                             : count_direct_operations(self->asked->devices[0]) * result->evaluations;
    break;
  case DEBYE_POTENTIAL_CUTOFF:
    result->evaluations *= debye_bench_count_within(problem, self->settings.potential.cutoff);
    result->operations = CUTOFF_OPERATIONS * result->evaluations;
    return compare_with_double(self, &result->error, error);
  case DEBYE_POTENTIAL_EWALD:
    return compare_with_double(self, &result->error, error);
  default:
    break;
  }
  result->error =
      debye_bench_measure_error(problem, self->single, self->twice, debye_grid_n_points(&problem->grid));
  return TRUE;
}

const DebyeBenchFamily debye_bench_maps = {open_map, run_map, finish_map, close_map};
