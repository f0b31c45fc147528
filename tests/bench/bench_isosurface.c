/* SPDX-License-Identifier: MIT */
/* Isosurfaces of a map of so many points a side, each device of the registry: the time to hand the map over, and then from
 * its level to the triangles in the host's memory, the least of several. The map is a gyroid of so many periods a side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/isosurface/isosurface.h"
#include "kernels/registry.h"

static float *
make_map(const DebyeGrid *grid, double periods)
{
  const size_t n = grid->shape[0];
  float *values = malloc(n * n * n * sizeof *values);
  double *sines = malloc(2 * n * sizeof *sines);
  for (size_t i = 0; i < n; i++) {
    sines[i] = sin(2.0 * 3.14159265358979323846 * periods * (double)i / (double)n);
    sines[n + i] = cos(2.0 * 3.14159265358979323846 * periods * (double)i / (double)n);
  }
  for (size_t k = 0, at = 0; k < n; k++)
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n; i++)
        values[at++] = (float)(sines[i] * sines[n + j] + sines[j] * sines[n + k] + sines[k] * sines[n + i]);
  free(sines);
  return values;
}

static void
bench_device(const DebyeDeviceEntry *device, const DebyeGrid *grid, const float *values, size_t repeat)
{
  const DebyeIsosurfaceKernel *kernel = device->backend->isosurface;
  const DebyeIsosurfaceSettings settings = {{grid->shape[0], grid->shape[1], grid->shape[2]}};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  double handing = INFINITY, making = INFINITY;
  size_t n_triangles = 0;
  if (kernel->head.create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK) {
    printf("%s: %s\n", device->info.id, status.text);
    return;
  }
  for (size_t i = 0; i < repeat; i++) {
    DebyeIsosurface mesh;
    const double start = debye_bench_seconds();
    if (kernel->set_map(plan, grid, values, &status) != DEBYE_STATUS_OK)
      printf("%s\n", status.text);
    const double set = debye_bench_seconds();
    if (kernel->execute(plan, 0.1, NULL, &mesh, &status) != DEBYE_STATUS_OK)
      printf("%s\n", status.text);
    handing = fmin(handing, set - start);
    making = fmin(making, debye_bench_seconds() - set);
    n_triangles = mesh.n_triangles;
    debye_isosurface_clear(&mesh);
  }
  printf("%-8s %zu^3 points, %zu triangles: map handed over in %.3f ms, made in %.3f ms\n", device->info.id,
         grid->shape[0], n_triangles, 1e3 * handing, 1e3 * making);
  kernel->head.destroy(plan);
}

int
main(int argc, char **argv)
{
  size_t n_points = 256, repeat = 9;
  double periods = 1.0;
  const DebyeBenchOption options[] = {{.name = "--grid", .count = &n_points, .least = 2},
                                      {.name = "--repeat", .count = &repeat, .least = 1},
                                      {.name = "--periods", .number = &periods, .least = 0.01}};
  const int left = debye_bench_read_options(argc, argv, options, sizeof options / sizeof *options);
  if (left < 0)
    return 1;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  const DebyeDeviceEntry *devices[8];
  DebyeStatus status = {0};
  const size_t n = debye_registry_choose(registry, left > 1 ? argv[1] : "auto", devices, 8, &status);
  const DebyeGrid grid = {.step = {{0.5, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 0.5}},
                          .shape = {n_points, n_points, n_points}};
  float *values = make_map(&grid, periods);
  for (size_t i = 0; i < n; i++)
    bench_device(devices[i], &grid, values, repeat);
  if (n == 0)
    printf("%s\n", status.text);
  free(values);
  debye_registry_free(registry);
  return n > 0 ? 0 : 1;
}
