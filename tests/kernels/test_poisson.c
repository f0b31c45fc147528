/* SPDX-License-Identifier: MIT */
/* The Poisson-Boltzmann equation on every device: that what is solved is solved, against the grid's own equations; then
 * Born's ion, Debye and Hückel's, and Kirkwood's sphere with charges off its center, whose error is the grid's.
 *
 * Tolerances are those of 0.5 Å: 0.3, 0.6 and 3 % of Born's energy for radii of 3, 2 and 1 Å (SCIENCE of the field: what a
 * program reaches with fractions of edges), whatever the ion's place in the grid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/poisson/poisson_medium.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"

#define TEMPERATURE 298.15
#define RESIDUAL 1e-8

typedef struct {
  DebyePoissonMedium medium;
  DebyeSpheres spheres;
  const float *charges;
  float *along[3], *screening, *source;
  double *potential;
  DebyePoissonReport report;
} Problem;

static size_t
count_points(const DebyeSurfaceGrid *grid)
{
  return grid->shape[0] * grid->shape[1] * grid->shape[2];
}

static DebyePoissonMedium
medium_of(size_t points, double step, DebyeVec3 shift)
{
  const double half = 0.5 * step * (double)(points - 1);
  return (DebyePoissonMedium){.grid = {{-half + shift.x, -half + shift.y, -half + shift.z},
                                       {step, step, step},
                                       {points, points, points}},
                              .surface = DEBYE_SURFACE_EXCLUDED,
                              .probe = 1.4,
                              .solute = 2.0,
                              .solvent = 78.54,
                              .length = DEBYE_BJERRUM_VACUUM(TEMPERATURE)};
}

static void
clear_problem(Problem *problem)
{
  for (int axis = 0; axis < 3; axis++)
    free(problem->along[axis]);
  free(problem->screening);
  free(problem->source);
  free(problem->potential);
}

static bool
set_problem(Problem *problem)
{
  const size_t n = count_points(&problem->medium.grid);
  DebyeStatus status = {0};
  for (int axis = 0; axis < 3; axis++)
    problem->along[axis] = calloc(n, sizeof(float));
  problem->screening = calloc(n, sizeof(float));
  problem->source = calloc(n, sizeof(float));
  problem->potential = calloc(n, sizeof(double));
  CHECK(debye_poisson_medium_contains(&problem->medium, &problem->spheres));
  const DebyeStatusCode code = debye_poisson_medium_set(
      &problem->medium, &problem->spheres, &debye_chunk_threads, problem->along, problem->screening, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  debye_poisson_medium_set_boundary(&problem->medium, &problem->spheres, problem->charges,
                                    &debye_chunk_threads, problem->potential);
  debye_poisson_medium_add_charges(&problem->medium, &problem->spheres, problem->charges, problem->source);
  return code == DEBYE_STATUS_OK;
}

static void
solve(const DebyeDeviceEntry *device, Problem *problem)
{
  const DebyePoissonKernel *kernel = device->backend->poisson;
  const DebyeSurfaceGrid *grid = &problem->medium.grid;
  const DebyePoissonSettings settings = {.shape = {grid->shape[0], grid->shape[1], grid->shape[2]}};
  const DebyePoissonOperator operator_ = {{problem->along[0], problem->along[1], problem->along[2]},
                                          problem->screening};
  const DebyePoissonGoal goal = {RESIDUAL, 60};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = kernel->head.create(device->device, &settings, &plan, &status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_operator(plan, &operator_, &status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->solve(plan, problem->source, problem->potential, &goal, &problem->report, NULL, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK_AT_MOST(problem->report.residual, RESIDUAL);
  CHECK_AT_MOST(problem->report.cycles, 22);
  kernel->head.destroy(plan);
}

/* ½ Σ z φ_r, kT. */
static double
reaction_energy(const Problem *problem)
{
  double *field = calloc(problem->spheres.n, sizeof *field), sum = 0.0;
  debye_poisson_medium_reaction(&problem->medium, &problem->spheres, problem->charges, problem->potential,
                                &debye_chunk_threads, field);
  for (size_t i = 0; i < problem->spheres.n; i++)
    sum += 0.5 * (double)problem->charges[i] * field[i];
  free(field);
  return sum;
}

/* Of the grid's own equations, in double, independent of the kernel. */
static double
exact_residual(const Problem *problem)
{
  const size_t *shape = problem->medium.grid.shape, step[3] = {1, shape[0], shape[0] * shape[1]};
  double left = 0.0, right = 0.0;
  for (size_t z = 1; z + 1 < shape[2]; z++)
    for (size_t y = 1; y + 1 < shape[1]; y++)
      for (size_t x = 1; x + 1 < shape[0]; x++) {
        const size_t i = x + step[1] * y + step[2] * z, at[3] = {x, y, z};
        const double *potential = problem->potential;
        double sum = (double)problem->source[i] - (double)problem->screening[i] * potential[i];
        double whole = (double)problem->source[i];
        for (int axis = 0; axis < 3; axis++) {
          const double low = (double)problem->along[axis][i - step[axis]],
                       high = (double)problem->along[axis][i];
          sum -= low * (potential[i] - potential[i - step[axis]]) +
                 high * (potential[i] - potential[i + step[axis]]);
          whole += at[axis] == 1 ? low * potential[i - step[axis]] : 0.0;
          whole += at[axis] + 2 == shape[axis] ? high * potential[i + step[axis]] : 0.0;
        }
        left += sum * sum;
        right += whole * whole;
      }
  return sqrt(left / right);
}

static void
test_born(const DebyeDeviceEntry *device)
{
  static const double radii[3] = {3.0, 2.0, 1.0}, tolerances[3] = {0.003, 0.006, 0.03};
  static const double shifts[4] = {0.0, 0.11, 0.17, 0.25};
  const float x = 0.0f, charge = 1.0f;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      const float radius = (float)radii[i];
      Problem problem = {.medium = medium_of(65, 0.5, debye_vec3(shifts[k], shifts[k], shifts[k])),
                         .spheres = {&x, &x, &x, &radius, 1},
                         .charges = &charge};
      debye_check_subject("Born, %g Å, grid at %g Å", radii[i], shifts[k]);
      if (set_problem(&problem)) {
        solve(device, &problem);
        CHECK_AT_MOST(exact_residual(&problem), 1.01 * RESIDUAL);
        const double exact = 0.5 * problem.medium.length / radii[i] * (1.0 / 78.54 - 1.0 / 2.0);
        const double error = reaction_energy(&problem) / exact - 1.0;
        CHECK_AT_MOST(fabs(error), tolerances[i]);
        if (getenv("SHOW") != NULL)
          fprintf(stderr, "born %g %g: %.3f %% cycles %u\n", radii[i], shifts[k], 100.0 * error,
                  problem.report.cycles);
      }
      clear_problem(&problem);
    }
  debye_check_subject("%s", "");
}

static void
test_device(const DebyeDeviceEntry *device, const char *how, void *data)
{
  (void)how;
  (void)data;
  test_born(device);
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
