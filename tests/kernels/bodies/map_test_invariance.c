/* SPDX-License-Identifier: MIT */
/* Maps of the same system, computed in other ways. */
#include "map_test_invariance.h"

#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/potential/potential_map_lanes.h"
#include "map_test_accuracy.h"
#include "tests/support/fake_backend.h"

void
debye_map_check_slabs(const DebyeMapPath *path, const DebyePotentialSettings *settings,
                      const DebyeCharges *charges)
{
  static const size_t planes[] = {1, 3, 5, 7, 13};
  DebyePotentialSettings thin = *settings;
  DebyeTestMap whole = debye_map_compute(path, settings, charges);
  for (size_t i = 0; i < DEBYE_LENGTH(planes); i++) {
    thin.max_planes = planes[i];
    DebyeTestMap slabs = debye_map_compute(path, &thin, charges);
    debye_test_map_check_same(&slabs, &whole);
    debye_test_map_clear(&slabs);
  }
  debye_test_map_clear(&whole);
}

void
debye_map_check_repeats(const DebyeMapPath *path, const DebyePotentialSettings *settings,
                        const DebyeCharges *charges)
{
  const unsigned threads = debye_cpu_get_threads();
  DebyeTestMap first = debye_map_compute(path, settings, charges);
  for (unsigned n = 1; n <= 5; n += 2) {
    debye_cpu_set_threads(n);
    DebyeTestMap again = debye_map_compute(path, settings, charges);
    debye_test_map_check_same(&again, &first);
    debye_test_map_clear(&again);
  }
  debye_cpu_set_threads(threads == debye_cpu_get_threads() ? threads : 0);
  debye_test_map_clear(&first);
}

/* Whole edges and the shift below are exact in float then, so nothing is lost by moving. */
static void
round_positions(DebyeRandomSystem *system)
{
  for (size_t i = 0; i < system->charges.n; i++) {
    system->x[i] = roundf(1024.0f * system->x[i]) / 1024.0f;
    system->y[i] = roundf(1024.0f * system->y[i]) / 1024.0f;
    system->z[i] = roundf(1024.0f * system->z[i]) / 1024.0f;
  }
}

void
debye_map_check_translation(const DebyeMapPath *path, DebyePotentialMethod method, double tolerance)
{
  const DebyeCell cell = {{16.0, 0.0, 0.0}, {4.0, 12.0, 0.0}, {-4.0, 2.0, 14.0}};
  DebyePotentialSettings settings = {.method = method,
                                     .grid = debye_cell_grid(&cell, 16, 0.43),
                                     .core_radius = DEBYE_MAP_CORE,
                                     .periodic = DEBYE_PERIODIC_ALL,
                                     .cell = cell,
                                     .tolerance = tolerance};
  DebyeRandomSystem system = debye_random_in_cell(&cell, 80, 91);
  round_positions(&system);
  DebyeTestMap first = debye_map_compute(path, &settings, &system.charges);
  for (size_t i = 0; i < system.charges.n; i++) {
    const int image[3] = {(int)(i % 5) - 2, (int)(i % 3) - 1, (int)(i % 7) - 3};
    system.x[i] += (float)(16 * image[0] + 4 * image[1] - 4 * image[2]);
    system.y[i] += (float)(12 * image[1] + 2 * image[2]);
    system.z[i] += (float)(14 * image[2]);
  }
  DebyeTestMap wrapped = debye_map_compute(path, &settings, &system.charges);
  CHECK_AT_MOST(debye_test_map_difference(&wrapped, &first), path->exact ? 1e-12 : 2e-6);
  for (size_t i = 0; i < system.charges.n; i++) {
    system.x[i] += 5.25f;
    system.y[i] += -7.75f;
    system.z[i] += 33.5f;
  }
  settings.grid.origin = debye_vec3_add(settings.grid.origin, debye_vec3(5.25, -7.75, 33.5));
  DebyeTestMap moved = debye_map_compute(path, &settings, &system.charges);
  CHECK_AT_MOST(debye_test_map_difference(&moved, &first), 2.0 * tolerance);
  debye_test_map_clear(&first);
  debye_test_map_clear(&wrapped);
  debye_test_map_clear(&moved);
  debye_random_system_clear(&system);
}

double
debye_map_check_periodicity(const DebyeMapPath *path, const DebyePotentialSettings *like,
                            const DebyeCell *cell)
{
  enum { POINTS = 12 };
  DebyePotentialSettings settings = *like;
  DebyeRandomSystem system = debye_random_in_cell(cell, 60, 95);
  settings.grid = debye_cell_grid(cell, POINTS, 0.2);
  settings.grid.shape[0] = settings.grid.shape[1] = settings.grid.shape[2] = 2 * POINTS;
  settings.periodic = DEBYE_PERIODIC_ALL;
  settings.cell = *cell;
  DebyeTestMap map = debye_map_compute(path, &settings, &system.charges);
  double square_error = 0.0, square = 0.0, sum = 0.0;
  for (size_t i = 0; i < map.n; i++) {
    const size_t n = 2 * POINTS, x = i % n % POINTS, y = i / n % n % POINTS, z = i / n / n % POINTS;
    const double found = debye_test_map_value(&map, i);
    const double error = found - debye_test_map_value(&map, x + n * (y + n * z));
    square_error += error * error;
    square += found * found;
    sum += found;
  }
  CHECK_AT_MOST(sqrt(square_error / square), path->exact ? 1e-12 : 2e-6);
  const double mean = fabs(sum / (double)map.n) / sqrt(square / (double)map.n);
  debye_test_map_clear(&map);
  debye_random_system_clear(&system);
  return mean;
}

void
debye_map_check_frames(const DebyeMapPath *path, const DebyePotentialSettings *like, size_t n_samples)
{
  static const double scales[] = {1.0, 1.01, 1.6, 0.9, 1.0};
  enum { ATOMS = 60 };
  const DebyePotentialSettings planned = debye_map_settings(path, like, ATOMS);
  DebyeKernelPlan *plan = debye_map_plan_new(path, &planned);
  for (size_t i = 0; i < DEBYE_LENGTH(scales); i++) {
    DebyePotentialSettings settings = planned;
    settings.cell =
        (DebyeCell){debye_vec3_scale(like->cell.a, scales[i]), debye_vec3_scale(like->cell.b, scales[i]),
                    debye_vec3_scale(like->cell.c, scales[i])};
    DebyeRandomSystem system = debye_random_in_cell(&settings.cell, ATOMS, 101 + (unsigned)i);
    DebyeTestMap map = debye_map_execute(path, plan, &planned, &system.charges, &settings.cell);
    const DebyeMapSamples *samples = debye_map_samples_get(&settings, &system.charges, n_samples);
    CHECK_AT_MOST(debye_map_samples_error(samples, &map), like->tolerance);
    debye_test_map_clear(&map);
    debye_random_system_clear(&system);
  }
  if (plan != NULL)
    path->kernel->head.destroy(plan);
}

static void
check_lanes_frame(DebyeSharing *lanes, const DebyeMapPath *alone, const DebyePotentialSettings *like,
                  unsigned seed)
{
  DebyeStatus status = {0};
  DebyeRandomSystem system = debye_random_in_cell(&like->cell, 90, seed);
  DebyeTestMap expected = debye_map_compute(alone, like, &system.charges),
               found = debye_test_map_new(alone, expected.n);
  CHECK_THAT(debye_potential_map_lanes_execute(lanes, &system.charges, &like->cell, found.floats, NULL, NULL,
                                               NULL, NULL, &status) == DEBYE_STATUS_OK,
             "%s", status.text);
  debye_test_map_check_same(&found, &expected);
  debye_test_map_clear(&expected);
  debye_test_map_clear(&found);
  debye_random_system_clear(&system);
}

void
debye_map_check_lanes(const DebyePotentialSettings *like)
{
  const DebyeMapPath alone = {.kernel = debye_backend_cpu.potential[like->method]};
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *devices[3];
  DebyeStatus status = {0};
  debye_check_subject("lanes");
  debye_fake_reset(2);
  debye_fake_device(0)->fail_at = 2;
  debye_registry_add(registry, &debye_fake_backend);
  CHECK(debye_registry_choose(registry, "cpu,fake", devices, 3, &status) == 3);
  const DebyePotentialMapLanesSettings settings = {.potential = debye_map_settings(&alone, like, 90)};
  DebyeSharing *lanes = NULL;
  CHECK_THAT(debye_potential_map_lanes_create(&settings, devices, 3, &lanes, &status) == DEBYE_STATUS_OK,
             "%s", status.text);
  for (unsigned frame = 0; lanes != NULL && frame < 3; frame++)
    check_lanes_frame(lanes, &alone, like, 111 + frame);
  debye_sharing_free(lanes);
  debye_registry_free(registry);
}
