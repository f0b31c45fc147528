/* SPDX-License-Identifier: MIT */
/* Maps of one frame after the other, charges on the host to the map on the host, the plan made before: how
 * many a second when each must be there before the next is asked for (live mode, a map's planes shared), and
 * how many when they are averaged (by planes, and by whole frames).
 *
 *   bench_live [--grid N] [--atoms N] [--frames N] [--capacity N] [--method NAME] [--threads N] [DEVICES...]
 *
 * Atoms are spread at 0.1 per Å³ over a cubic cell that the grid fills, and move a little from frame to
 * frame. Cutoff 12 Å, smooth. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/potential/potential_map_lanes.h"
#include "kernels/potential/potential_series_lanes.h"
#include "tests/support/oracle_potential.h"

#define DENSITY 0.1
#define N_KEPT 16 /* different frames, in turn */
#define MOST_DEVICES 16
#define MOST_LANES 64
#define BATCH 64

typedef struct {
  size_t grid, atoms, frames, capacity;
  const char *method;
} Options;

typedef struct {
  DebyePotentialSettings settings;
  DebyeRandomSystem systems[N_KEPT];
  size_t n_points, n_frames;
  float *map;
  double *sums[MOST_LANES]; /* of each lane; the first serves where there is one only */
} Bench;

static bool
choose_method(const char *name, DebyePotentialMethod *method)
{
  for (int i = 0; i < DEBYE_POTENTIAL_N_METHODS; i++)
    if (strcmp(debye_potential_method_name((DebyePotentialMethod)i), name) == 0) {
      *method = (DebyePotentialMethod)i;
      return true;
    }
  return false;
}

static bool
prepare(const Options *options, Bench *bench)
{
  const double edge = cbrt((double)options->atoms / DENSITY), step = edge / (double)options->grid;
  const DebyeVec3 zero = {0.0, 0.0, 0.0}, box = {edge, edge, edge};
  unsigned state = 7;
  bench->settings = (DebyePotentialSettings){
      .grid = debye_plain_grid(zero, step, options->grid, options->grid, options->grid),
      .core_radius = 1e-3,
      .max_charges = options->atoms,
      .periodic = DEBYE_PERIODIC_ALL,
      .cell = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}},
      .cutoff = strcmp(options->method, "cutoff") == 0 ? 12.0 : 0.0,
      .smoothing = DEBYE_SMOOTHING_SMOOTH,
      .bin_capacity = (unsigned)options->capacity,
  };
  bench->n_points = debye_grid_n_points(&bench->settings.grid);
  bench->n_frames = options->frames;
  bench->map = calloc(bench->n_points, sizeof *bench->map);
  for (int i = 0; i < N_KEPT; i++) {
    DebyeRandomSystem *system = &bench->systems[i];
    *system = debye_random_system_new(options->atoms, zero, box, 1);
    for (size_t k = 0; k < options->atoms; k++) {
      system->x[k] += (float)(0.1 * i * (debye_random(&state) - 0.5));
      system->y[k] += (float)(0.1 * i * (debye_random(&state) - 0.5));
      system->z[k] += (float)(0.1 * i * (debye_random(&state) - 0.5));
    }
  }
  return bench->map != NULL && choose_method(options->method, &bench->settings.method);
}

static void
add_map(double *sum, const float *map, size_t n)
{
  for (size_t i = 0; i < n; i++)
    sum[i] += (double)map[i];
}

static int
compare_numbers(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* One after the other; `sum` NULL: only shown. */
static bool
by_planes(Bench *bench, const DebyeDeviceEntry *const *devices, size_t n_devices, double *sum,
          const char *what)
{
  const DebyePotentialMapLanesSettings settings = {.potential = bench->settings};
  DebyeSharing *map = NULL;
  DebyeStatus status = {0};
  double *times = calloc(bench->n_frames, sizeof *times);
  debye_potential_map_lanes_create(&settings, devices, n_devices, &map, &status);
  /* The first call has what is made once. */
  if (status.code == DEBYE_STATUS_OK)
    debye_potential_map_lanes_execute(map, &bench->systems[0].charges, &bench->settings.cell, bench->map,
                                      NULL, NULL, NULL, NULL, &status);
  double start = debye_bench_seconds();
  for (size_t i = 0; i < bench->n_frames && status.code == DEBYE_STATUS_OK; i++) {
    double begin = debye_bench_seconds();
    debye_potential_map_lanes_execute(map, &bench->systems[i % N_KEPT].charges, &bench->settings.cell,
                                      bench->map, NULL, NULL, NULL, NULL, &status);
    if (sum != NULL)
      add_map(sum, bench->map, bench->n_points);
    times[i] = debye_bench_seconds() - begin;
  }
  double seconds = debye_bench_seconds() - start;
  debye_sharing_free(map);
  qsort(times, bench->n_frames, sizeof *times, compare_numbers);
  if (status.code == DEBYE_STATUS_OK)
    printf("  %-22s %8.1f maps/s   median %.2f ms, slowest %.2f ms\n", what,
           (double)bench->n_frames / seconds, 1e3 * times[bench->n_frames / 2],
           1e3 * times[bench->n_frames - 1]);
  else
    printf("  %s: %s\n", what, status.text);
  free(times);
  return status.code == DEBYE_STATUS_OK;
}

static void
take_map(void *data, size_t lane, size_t frame, const float *single, const double *twice)
{
  Bench *bench = data;
  (void)frame, (void)twice;
  add_map(bench->sums[lane], single, bench->n_points);
}

static bool
by_frames(Bench *bench, const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  const DebyePotentialSeriesLanesSettings settings = {.potential = bench->settings};
  DebyePotentialFrame frames[BATCH];
  DebyeSharing *series = NULL;
  DebyeStatus status = {0};
  for (int i = 0; i < BATCH; i++)
    frames[i] =
        (DebyePotentialFrame){.charges = bench->systems[i % N_KEPT].charges, .cell = &bench->settings.cell};
  debye_potential_series_lanes_create(&settings, devices, n_devices, &series, &status);
  if (status.code == DEBYE_STATUS_OK)
    debye_potential_series_lanes_execute(series, frames, BATCH, take_map, NULL, bench, NULL, NULL, &status);
  double start = debye_bench_seconds();
  for (size_t done = 0; done < bench->n_frames && status.code == DEBYE_STATUS_OK; done += BATCH) {
    size_t left = bench->n_frames - done;
    debye_potential_series_lanes_execute(series, frames, left < BATCH ? left : BATCH, take_map, NULL, bench,
                                         NULL, NULL, &status);
  }
  double seconds = debye_bench_seconds() - start;
  debye_sharing_free(series);
  if (status.code == DEBYE_STATUS_OK)
    printf("  %-22s %8.1f maps/s\n", "averaged by frames", (double)bench->n_frames / seconds);
  else
    printf("  averaged by frames: %s\n", status.text);
  return status.code == DEBYE_STATUS_OK;
}

static bool
bench_devices(Bench *bench, const DebyeRegistry *registry, const char *choice)
{
  const DebyeDeviceEntry *devices[MOST_DEVICES];
  DebyeStatus status;
  size_t n = debye_registry_choose(registry, choice, devices, MOST_DEVICES, &status);
  size_t n_lanes = debye_potential_series_lanes_count_lanes(devices, n);
  printf("%s%s%s\n", choice, n > 0 ? "" : ": ", n > 0 ? "" : status.text);
  bool good = n > 0 && n_lanes <= MOST_LANES;
  for (size_t i = 0; good && i < n_lanes; i++)
    if (bench->sums[i] == NULL)
      good = (bench->sums[i] = calloc(bench->n_points, sizeof(double))) != NULL;
  return good && by_planes(bench, devices, n, NULL, "live") &&
         by_planes(bench, devices, n, bench->sums[0], "averaged by planes") && by_frames(bench, devices, n);
}

int
main(int argc, char **argv)
{
  Options options = {.grid = 96, .atoms = 100000, .frames = 192, .method = "cutoff"};
  Bench bench = {.n_points = 0};
  const DebyeBenchOption table[] = {
      {"--grid", .count = &options.grid, .least = 1},
      {"--atoms", .count = &options.atoms, .least = 1},
      {"--frames", .count = &options.frames, .least = 1},
      {"--capacity", .count = &options.capacity},
      {"--method", .text = &options.method},
  };
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof table[0]);
  if (n_choices < 0)
    return 2;
  bool good = prepare(&options, &bench);
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  printf("%s, %zu atoms, %zu^3 points, capacity %zu, %zu frames\n", options.method, options.atoms,
         options.grid, options.capacity, options.frames);
  for (int i = 0; good && i < n_choices; i++)
    good = bench_devices(&bench, registry, argv[i]);
  debye_registry_free(registry);
  for (int i = 0; i < N_KEPT; i++)
    debye_random_system_clear(&bench.systems[i]);
  for (int i = 0; i < MOST_LANES; i++)
    free(bench.sums[i]);
  free(bench.map);
  return !good;
}
