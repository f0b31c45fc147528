/* SPDX-License-Identifier: MIT */
/* Density maps: one body for every device that there is. Answers that are known first, then a plain loop in double.
 *
 * Counts have no tolerance: random points are nowhere so near to a voxel's face that two ways to round a double part. Sums of
 * weights are whole multiples of 2⁻³², one rounding for each that is added. A Gaussian ends at 4.5 widths, where it is 4e-5 of
 * its height. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/density/density_map_lanes.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_density.h"

#define N_FRAMES 14
#define N_POINTS 300
#define N_VIEWS 3
#define GAUSSIAN_TOLERANCE 5e-5

typedef struct {
  const DebyeDensityKernel *kernel;
  int device;
} Path;

typedef struct {
  float place[N_FRAMES][3][N_POINTS], weights[N_FRAMES][3 * N_POINTS];
  uint32_t owner[N_POINTS];
  DebyeCell cell[N_FRAMES];
  DebyeDensityView views[N_FRAMES][N_VIEWS];
  DebyeDensityFrame frames[N_FRAMES];
} System;

static uint64_t seed;

static double
random_number(void)
{
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(seed >> 11) / 9007199254740992.0;
}

/* Of a random unit quaternion. */
static void
set_rotation(double r[3][3])
{
  double q[4], n = 0.0;
  for (int i = 0; i < 4; i++) {
    q[i] = random_number() - 0.5;
    n += q[i] * q[i];
  }
  const double a = q[0], b = q[1], c = q[2], d = q[3];
  const double all[9] = {
      a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
      2 * (b * c + a * d),           a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
      2 * (b * d - a * c),           2 * (c * d + a * b),           a * a - b * b - c * c + d * d};
  for (int i = 0; i < 9; i++)
    r[i / 3][i % 3] = all[i] / n;
}

/* Points in and around a skew cell that breathes, looked at from three places. */
static System *
make_system(void)
{
  System *system = calloc(1, sizeof *system);
  seed = 7;
  for (size_t i = 0; i < N_POINTS; i++)
    system->owner[i] = (uint32_t)(i / 3);
  for (size_t f = 0; f < N_FRAMES; f++) {
    const double size = 10.0 + random_number();
    system->cell[f] =
        (DebyeCell){{size, 0.0, 0.0}, {0.3 * size, 0.9 * size, 0.0}, {-0.4 * size, 0.35 * size, 0.8 * size}};
    for (size_t i = 0; i < 3 * N_POINTS; i++) {
      system->place[f][i / N_POINTS][i % N_POINTS] = (float)(30.0 * random_number() - 10.0);
      system->weights[f][i] = (float)(random_number() - 0.3);
    }
    for (uint32_t v = 0; v < N_VIEWS; v++) {
      DebyeDensityView *view = &system->views[f][v];
      set_rotation(view->rotation);
      view->owner = 5 * v;
      for (int k = 0; k < 3; k++) {
        view->from[k] = 8.0 * random_number();
        view->to[k] = random_number();
      }
    }
    system->frames[f] = (DebyeDensityFrame){.x = system->place[f][0],
                                            .y = system->place[f][1],
                                            .z = system->place[f][2],
                                            .n = N_POINTS - f,
                                            .scale = 1.0 + 0.01 * (double)f,
                                            .owner = f % 2 == 0 ? system->owner : NULL,
                                            .cell = &system->cell[f],
                                            .views = system->views[f],
                                            .n_views = N_VIEWS - (f == 3),
                                            .origin = debye_vec3(-4.0, -3.5, -3.0),
                                            .step = {{0.9, 0.0, 0.0}, {0.2, 0.8, 0.0}, {0.0, 0.1, 0.7}}};
  }
  return system;
}

static DebyeDensitySettings
settings_for(DebyeDensityPlacing placing, DebyeDensitySum sum, unsigned n_components)
{
  return (DebyeDensitySettings){.shape = {9, 8, 10},
                                .placing = placing,
                                .sum = sum,
                                .n_components = n_components,
                                .max_points = N_POINTS,
                                .max_views = N_VIEWS,
                                .max_frames = N_FRAMES};
}

/* In two calls of set_frames. */
static int64_t *
compute(const Path *path, const DebyeDensitySettings *settings, const DebyeDensityFrame *frames,
        size_t n_frames)
{
  int64_t *sums = calloc(debye_density_n_sums(settings), sizeof *sums);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  path->kernel->head.create(path->device, settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  if (plan == NULL)
    return sums;
  const size_t first = n_frames / 2;
  CHECK(path->kernel->set_frames(plan, frames, first, &status) == DEBYE_STATUS_OK);
  CHECK(path->kernel->execute(plan, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(path->kernel->set_frames(plan, frames + first, n_frames - first, &status) == DEBYE_STATUS_OK);
  CHECK(path->kernel->execute(plan, NULL, &status) == DEBYE_STATUS_OK);
  CHECK_THAT(path->kernel->fetch(plan, sums, &status) == DEBYE_STATUS_OK, "%s", status.text);
  path->kernel->head.destroy(plan);
  return sums;
}

static void
compare(const DebyeDensitySettings *settings, const int64_t *found, const double *expected, double tolerance)
{
  const double unit = settings->sum == DEBYE_DENSITY_WEIGH ? DEBYE_DENSITY_UNIT : 1.0;
  double worst = 0.0, sum = 0.0;
  for (size_t i = 0; i < debye_density_n_sums(settings); i++) {
    worst = fmax(worst, fabs((double)found[i] / unit - expected[i]));
    sum += fabs(expected[i]);
  }
  CHECK(sum > 0.0);
  CHECK_AT_MOST(worst, tolerance);
}

static void
check_against_oracle(const Path *path, const DebyeDensitySettings *settings, const System *system,
                     size_t n_frames, double tolerance)
{
  double *expected = calloc(debye_density_n_sums(settings), sizeof *expected);
  int64_t *found = compute(path, settings, system->frames, n_frames);
  debye_oracle_density(settings, system->frames, n_frames, expected);
  compare(settings, found, expected, tolerance);
  free(expected);
  free(found);
}

/* So many points that a device copies some while it counts others; in one call, twice, the second time from its memory. */
static void
test_many_points(const Path *path)
{
  enum { N = 300000, FRAMES = 5 };
  static const DebyeDensitySum kinds[] = {DEBYE_DENSITY_COUNT, DEBYE_DENSITY_OCCUPANCY, DEBYE_DENSITY_WEIGH};
  const DebyeDensityView view = {.rotation = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                                 .owner = DEBYE_DENSITY_NOBODY};
  float *places = malloc(3 * FRAMES * (size_t)N * sizeof *places);
  DebyeDensityFrame frames[FRAMES];
  seed = 3;
  for (size_t i = 0; i < 3 * FRAMES * (size_t)N; i++)
    places[i] = (float)(80.0 * random_number() - 5.0);
  for (size_t f = 0; f < FRAMES; f++) {
    const float *x = places + 3 * f * N;
    frames[f] = (DebyeDensityFrame){.x = x,
                                    .y = x + N,
                                    .z = x + 2 * N,
                                    .n = N - f,
                                    .scale = 1.0,
                                    .weights = x,
                                    .views = &view,
                                    .n_views = 1,
                                    .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  }
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
    DebyeDensitySettings settings = settings_for(DEBYE_DENSITY_OPEN, kinds[kind], 1);
    DebyeKernelPlan *plan = NULL;
    settings.max_points = N;
    for (int k = 0; k < 3; k++)
      settings.shape[k] = 70;
    const size_t n = debye_density_n_sums(&settings);
    int64_t *found = calloc(n, sizeof *found);
    double *expected = calloc(n, sizeof *expected);
    for (size_t f = 0; f < FRAMES; f++)
      frames[f].weights = kinds[kind] == DEBYE_DENSITY_WEIGH ? places + 3 * f * N : NULL;
    CHECK(path->kernel->head.create(path->device, &settings, &plan, NULL) == DEBYE_STATUS_OK);
    CHECK(path->kernel->set_frames(plan, frames, FRAMES, NULL) == DEBYE_STATUS_OK);
    CHECK(path->kernel->execute(plan, NULL, NULL) == DEBYE_STATUS_OK);
    CHECK(path->kernel->execute(plan, NULL, NULL) == DEBYE_STATUS_OK);
    CHECK(path->kernel->fetch(plan, found, NULL) == DEBYE_STATUS_OK);
    debye_oracle_density(&settings, frames, FRAMES, expected);
    for (size_t i = 0; i < n; i++)
      expected[i] *= 2.0;
    compare(&settings, found, expected, kinds[kind] == DEBYE_DENSITY_WEIGH ? 1e-7 : 0.0);
    path->kernel->head.destroy(plan);
    free(found);
    free(expected);
  }
  free(places);
}

/* Voxels are half open, and points outside or nowhere in none. */
static void
test_faces(const Path *path)
{
  const float x[] = {0.0f, 0.999f, 1.0f, 2.999f, 3.0f, -0.001f, NAN, 1.5f},
              y[] = {0.0f, 0.0f, 0.0f, 1.5f, 0.0f, 0.0f, 0.0f, INFINITY}, z[8] = {0.0f};
  const DebyeDensityView view = {.rotation = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                                 .owner = DEBYE_DENSITY_NOBODY};
  const DebyeDensityFrame frame = {.x = x,
                                   .y = y,
                                   .z = z,
                                   .n = 8,
                                   .views = &view,
                                   .n_views = 1,
                                   .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  const DebyeDensityFrame frames[] = {frame, frame};
  static const int64_t counts[] = {4, 2, 0, 0, 0, 2}, occupied[] = {2, 2, 0, 0, 0, 2};
  DebyeDensitySettings settings = settings_for(DEBYE_DENSITY_OPEN, DEBYE_DENSITY_COUNT, 0);
  settings.shape[0] = 3;
  settings.shape[1] = 2;
  settings.shape[2] = 1;
  for (int i = 0; i < 2; i++) {
    settings.sum = i == 0 ? DEBYE_DENSITY_COUNT : DEBYE_DENSITY_OCCUPANCY;
    int64_t *found = compute(path, &settings, frames, 2);
    CHECK(memcmp(found, i == 0 ? counts : occupied, sizeof counts) == 0);
    free(found);
  }
}

static void
test_oracle(const Path *path)
{
  System *system = make_system();
  for (int placing = DEBYE_DENSITY_OPEN; placing <= DEBYE_DENSITY_FRACTIONS; placing++)
    for (int kind = 0; kind < 4; kind++) {
      static const DebyeDensitySum sums[] = {DEBYE_DENSITY_COUNT, DEBYE_DENSITY_OCCUPANCY,
                                             DEBYE_DENSITY_WEIGH, DEBYE_DENSITY_WEIGH};
      static const unsigned n_components[] = {0, 0, 1, 3};
      const DebyeDensitySettings settings =
          settings_for((DebyeDensityPlacing)placing, sums[kind], n_components[kind]);
      for (size_t f = 0; f < N_FRAMES; f++)
        system->frames[f].weights = kind >= 2 ? system->weights[f % 3 == 0 ? f : 1] : NULL;
      check_against_oracle(path, &settings, system, N_FRAMES, kind < 2 ? 0.0 : 2e-7);
    }
  free(system);
}

static void
test_gaussian(const Path *path)
{
  System *system = make_system();
  for (int placing = DEBYE_DENSITY_OPEN; placing <= DEBYE_DENSITY_FRACTIONS; placing++) {
    DebyeDensitySettings settings = settings_for((DebyeDensityPlacing)placing, DEBYE_DENSITY_WEIGH, 1);
    settings.gaussian = 1.3;
    /* Some hundred tails that are cut off meet in a voxel. */
    check_against_oracle(path, &settings, system, 2, 300.0 * GAUSSIAN_TOLERANCE);
  }
  free(system);
}

static void
test_refusals(const Path *path)
{
  System *system = make_system();
  const DebyeDensitySettings good = settings_for(DEBYE_DENSITY_NEAREST, DEBYE_DENSITY_COUNT, 0);
  DebyeDensitySettings wrong[4] = {good, good, good, good};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  wrong[0].shape[1] = 0;
  wrong[1].shape[2] = SIZE_MAX;
  wrong[2].gaussian = 1.0;
  wrong[3].max_frames = DEBYE_DENSITY_MAX_ADDED;
  for (int i = 0; i < 4; i++) {
    CHECK(path->kernel->head.create(path->device, &wrong[i], &plan, &status) == DEBYE_STATUS_INVALID);
    CHECK(plan == NULL && status.text[0] != '\0');
    CHECK(path->kernel->head.bytes_needed(path->device, &wrong[i]) == UINT64_MAX);
  }
  CHECK(path->kernel->head.create(path->device, &good, &plan, &status) == DEBYE_STATUS_OK);
  if (plan != NULL) {
    const bool cancel = true;
    system->frames[2].cell = NULL;
    CHECK(path->kernel->set_frames(plan, system->frames, 3, &status) == DEBYE_STATUS_INVALID);
    CHECK_THAT(strstr(status.text, "Frame 3 has no cell") != NULL, "%s", status.text);
    CHECK(path->kernel->set_frames(plan, system->frames, 2, &status) == DEBYE_STATUS_OK);
    CHECK(path->kernel->execute(plan, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  }
  path->kernel->head.destroy(plan);
  free(system);
}

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"many", test_many_points},  {"faces", test_faces},       {"oracle", test_oracle},
    {"gaussian", test_gaussian}, {"refusals", test_refusals},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  const Path path = {entry->backend->density, entry->device};
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && path.kernel != NULL; i++) {
    if (!debye_test_is_asked(bodies[i].name, arguments))
      continue;
    debye_check_subject("%s%s: %s", entry->info.id, how, bodies[i].name);
    bodies[i].body(&path);
  }
}

/* A device that fails doesn't show, nor how many share the frames. */
static void
test_lanes(void)
{
  System *system = make_system();
  DebyeDensityLanesSettings settings = {settings_for(DEBYE_DENSITY_NEAREST, DEBYE_DENSITY_OCCUPANCY, 0), 0};
  const size_t n = debye_density_n_sums(&settings.density);
  double *expected = calloc(n, sizeof *expected);
  int64_t *found = calloc(n, sizeof *found);
  settings.density.max_frames = 3;
  debye_oracle_density(&settings.density, system->frames, N_FRAMES, expected);
  for (unsigned fail_at = 0; fail_at < 4; fail_at++) {
    const DebyeDeviceEntry *devices[4];
    DebyeSharing *share = NULL;
    DebyeStatus status = {0};
    debye_check_subject("lanes: fails at %u", fail_at);
    debye_fake_reset(2);
    debye_fake_device(1)->fail_at = fail_at;
    debye_fake_device(1)->execute_code = DEBYE_STATUS_DEVICE_FAILED;
    DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
    debye_registry_add(registry, &debye_fake_backend);
    const size_t n_devices = debye_registry_get_count(registry);
    for (size_t i = 0; i < n_devices && i < 4; i++)
      devices[i] = debye_registry_get(registry, i);
    CHECK(debye_density_lanes_create(&settings, devices, n_devices, &share, &status) == DEBYE_STATUS_OK);
    for (int round = 0; round < 2 && share != NULL; round++) {
      CHECK(debye_density_lanes_execute(share, system->frames, N_FRAMES, found, NULL, NULL, NULL, &status) ==
            DEBYE_STATUS_OK);
      compare(&settings.density, found, expected, 0.0);
    }
    debye_sharing_free(share);
    debye_registry_free(registry);
  }
  free(expected);
  free(found);
  free(system);
}

int
main(int argc, char **argv)
{
  if (debye_test_has_processor(argc, argv))
    test_lanes();
  return debye_test_main(argc, argv, test_device);
}
