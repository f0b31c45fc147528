/* SPDX-License-Identifier: MIT */
/* The molecule that drawing orbitals is timed on, and its exact values; called by the benchmark and the class room. */
#include "bench_orbital.h"

#include <math.h>

#define BOHR 0.529177210903 /* Å */
#define SAMPLES 300
#define SEED 20090308

DebyeBenchOrbital *
debye_bench_orbital_new(double n_points)
{
  DebyeBenchOrbital *self = g_new0(DebyeBenchOrbital, 1);
  const gsize n = (gsize)MAX(lround(cbrt(MIN(n_points, DEBYE_BENCH_ORBITAL_MAX_POINTS))), 2);
  const double edge = DEBYE_FULLERENE_EDGE / BOHR, step = edge / (double)(n - 1);
  debye_ladder_fullerene_init(&self->molecule);
  debye_ladder_fullerene_fill(SEED, self->coefficients);
  self->grid = (DebyeGrid){.origin = {-0.5 * edge, -0.5 * edge, -0.5 * edge},
                           .step = {{step, 0.0, 0.0}, {0.0, step, 0.0}, {0.0, 0.0, step}},
                           .shape = {n, n, n}};
  return self;
}

double
debye_bench_orbital_count(const DebyeBenchOrbital *self, const DebyeGrid *grid)
{
  const DebyeLadderOrbital orbital = {*grid, &self->molecule.basis, self->coefficients};
  DebyeLadderBasis basis;
  const DebyeStatusCode code = debye_ladder_basis_init(&basis, &orbital, NULL);
  const double evaluations = code == DEBYE_STATUS_OK ? debye_ladder_basis_evaluations(&basis) : NAN;
  debye_ladder_basis_clear(&basis);
  return evaluations;
}

double
debye_bench_orbital_find_error(const DebyeBenchOrbital *self, const DebyeGrid *grid, const float *map)
{
  g_autofree double *values = g_new(double, DEBYE_FULLERENE_FUNCTIONS);
  g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
  double error = 0.0, most = 0.0;
  for (int i = 0; i < SAMPLES; i++) {
    gsize at[3];
    double exact = 0.0;
    for (int axis = 0; axis < 3; axis++)
      at[axis] = (gsize)g_rand_double_range(random, 0.0, (double)grid->shape[axis]);
    const DebyeVec3 point = debye_grid_point(grid, (double)at[0], (double)at[1], (double)at[2]);
    debye_orbital_basis_evaluate(&self->molecule.basis, (double[3]){point.x, point.y, point.z},
                                 DEBYE_ORBITAL_ITSELF, values);
    for (gsize k = 0; k < DEBYE_FULLERENE_FUNCTIONS; k++)
      exact += self->coefficients[k] * values[k];
    error = MAX(error, fabs((double)map[at[0] + grid->shape[0] * (at[1] + grid->shape[1] * at[2])] - exact));
    most = MAX(most, fabs(exact));
  }
  return most > 0.0 ? error / most : NAN;
}
