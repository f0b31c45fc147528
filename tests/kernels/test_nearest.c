/* SPDX-License-Identifier: MIT */
/* The direct sum with the nearest image of each atom, on every device and each instruction set of the
 * processor, against a search among all images.
 *
 * Tolerances. Double: a few ulp of the terms, and points of the oracle are doubles. Float: that of the direct
 * sum, 5e-6 of the map's root mean square. */
#include <stdlib.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/registry.h"
#include "kernels/potential/potential_kernel.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_cutoff.h"

#define CORE 1e-3
#define MAP_FLOAT 5e-6
#define MAP_DOUBLE 1e-12

static const DebyeCell cells[] = {
    {{20.0, 0.0, 0.0}, {0.0, 21.0, 0.0}, {0.0, 0.0, 22.0}},
    {{20.0, 0.0, 0.0}, {5.0, 21.0, 0.0}, {-7.0, 3.0, 19.0}},
    /* A truncated octahedron, as flat as they come, turned, left-handed and smaller than the map. */
    {{20.0, 0.0, 0.0}, {6.6666667, 18.8561808, 0.0}, {-6.6666667, 9.4280904, 16.3299316}},
    {{20.0, 0.0, 0.0}, {27.0, 9.0, 0.0}, {-13.0, 8.5, 8.0}},
    {{5.0, 1.0, 0.0}, {-1.0, 0.0, 6.0}, {2.0, 6.0, 1.0}},
};

static double
compute_error(const DebyeDeviceEntry *entry, const DebyePotentialSettings *settings, const DebyeCell *cell,
              const DebyeCharges *charges)
{
  const DebyePotentialKernel *kernel = entry->backend->potential[DEBYE_POTENTIAL_DIRECT];
  const size_t n = debye_grid_n_points(&settings->grid), nx = settings->grid.shape[0],
               ny = settings->grid.shape[1];
  float *out = calloc(n, sizeof *out);
  double *out_double = calloc(n, sizeof *out_double), error = 0.0, square = 0.0;
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  kernel->head.create(entry->device, settings, &plan, &status);
  CHECK_THAT(plan != NULL, "%s", status.text);
  if (plan != NULL) {
    CHECK(kernel->set_charges(plan, charges, cell, &status) == DEBYE_STATUS_OK);
    CHECK(kernel->execute(plan, (DebyeSlab){0, settings->grid.shape[2]}, out, out_double, NULL, NULL,
                          &status) == DEBYE_STATUS_OK);
  }
  kernel->head.destroy(plan);
  const DebyeCutoffProblem problem = {NULL, CORE, settings->periodic, cell};
  for (size_t i = 0; i < n; i += 101) {
    DebyeVec3 point =
        debye_grid_point(&settings->grid, (double)(i % nx), (double)(i / nx % ny), (double)(i / nx / ny));
    double exact = debye_oracle_nearest(&problem, charges, point);
    double difference = (settings->double_precision ? out_double[i] : (double)out[i]) - exact;
    error += difference * difference;
    square += exact * exact;
  }
  free(out);
  free(out_double);
  return sqrt(error / square);
}

/* Every cell, larger by `scale`, with the same grid, finer by as much. */
static void
test_cells(const DebyeDeviceEntry *entry, double scale, double step)
{
  DebyeRandomSystem system =
      debye_random_system_new(25, debye_vec3(-30.0, -5.0, 1.0), debye_vec3(50.0, 22.0, 20.0), 5);
  DebyePotentialSettings settings = {.method = DEBYE_POTENTIAL_DIRECT,
                                     .grid = {.origin = {-9.0, -7.0, -3.0},
                                              .step = {{1.7, 0.02, 0.0}, {-0.15, 1.8, 0.1}, {0.15, 0.1, 1.6}},
                                              .shape = {19, 13, 5}},
                                     .core_radius = CORE,
                                     .max_charges = 25,
                                     .max_planes = 5};
  for (int axis = 0; axis < 3; axis++)
    settings.grid.step[axis] = debye_vec3_scale(settings.grid.step[axis], step);
  for (size_t cell = 0; cell < sizeof cells / sizeof cells[0]; cell++) {
    const DebyeCell scaled = {debye_vec3_scale(cells[cell].a, scale), debye_vec3_scale(cells[cell].b, scale),
                              debye_vec3_scale(cells[cell].c, scale)};
    for (unsigned periodic = 1; periodic < 8; periodic++)
      for (int exact = 0; exact < 2; exact++) {
        settings.periodic = periodic;
        settings.double_precision = exact == 1;
        double error = compute_error(entry, &settings, &scaled, &system.charges);
        CHECK_THAT(error <= (exact ? MAP_DOUBLE : MAP_FLOAT), "cell %zu times %g, axes %u, %s: error %.3g",
                   cell, scale, periodic, exact ? "double" : "float", error);
      }
  }
  debye_random_system_clear(&system);
}

/* Cells that are small beside a block of points, as large, and large: those are summed in float. */
static void
test_small_to_large(const DebyeDeviceEntry *entry)
{
  test_cells(entry, 1.0, 1.0);
  test_cells(entry, 1.0, 0.3);
  test_cells(entry, 1.5, 0.15);
  test_cells(entry, 4.0, 0.5);
  test_cells(entry, 40.0, 1.0);
}

/* A layer needs no third edge; a missing edge that is needed is refused. */
static void
test_missing_edges(const DebyeDeviceEntry *entry)
{
  const DebyePotentialKernel *kernel = entry->backend->potential[DEBYE_POTENTIAL_DIRECT];
  DebyePotentialSettings settings = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.0, 9, 8, 7),
                                     .core_radius = CORE,
                                     .max_charges = 2,
                                     .max_planes = 7,
                                     .double_precision = true,
                                     .periodic = DEBYE_PERIODIC_A | DEBYE_PERIODIC_B};
  float x[2] = {0.3f, 31.0f}, y[2] = {-7.5f, 2.5f}, z[2] = {1.5f, 2.25f}, charge[2] = {1.0f, -0.5f};
  const DebyeCharges charges = {x, y, z, charge, 2};
  const DebyeCell layer = {{10.0, 1.0, 0.0}, {-2.0, 9.0, 0.5}, {0.0, 0.0, 0.0}};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK_AT_MOST(compute_error(entry, &settings, &layer, &charges), MAP_DOUBLE);
  settings.periodic = DEBYE_PERIODIC_ALL;
  CHECK(kernel->head.create(entry->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  CHECK(kernel->set_charges(plan, &charges, &layer, &status) == DEBYE_STATUS_INVALID &&
        status.text[0] != '\0');
  CHECK(kernel->set_charges(plan, &charges, NULL, &status) == DEBYE_STATUS_INVALID);
  kernel->head.destroy(plan);
}

/* With an argument only on devices whose id begins so: "cuda". */
static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  (void)arguments;
  debye_check_subject("%s%s", entry->info.id, how);
  test_small_to_large(entry);
  test_missing_edges(entry);
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
