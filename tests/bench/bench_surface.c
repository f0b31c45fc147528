/* SPDX-License-Identifier: MIT */
/* The excluded surface of a ball of so many atoms, from the atoms to triangles in the host's memory, each device of the registry:
 * the least and the median of several that are warm. Of the processor its parts, too: the reduced surface (neighbors, arcs),
 * depths on a grid, triangles. bench_surface_stages has those of a GPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_options.h"
#include "kernels/chunk_threads.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/registry.h"
#include "kernels/surface/surface_mesh_host.h"
#include "tests/support/ball_of_atoms.h"

static int
compare_times(const void *one, const void *other)
{
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static void
bench_device(const DebyeDeviceEntry *device, const DebyeSurfaceMeshTask *task, size_t repeat)
{
  const DebyeSurfaceMeshKernel *kernel = device->backend->surface_mesh;
  const size_t *shape = task->grid.shape;
  const DebyeSurfaceMeshSettings settings = {task->spheres.n, {shape[0], shape[1], shape[2]}};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  double *times = malloc(repeat * sizeof *times);
  size_t n_triangles = 0;
  if (kernel->head.create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK)
    printf("%s: %s\n", device->info.id, status.text);
  /* The first is not counted: rooms grow. */
  for (size_t i = 0; i <= repeat && plan != NULL; i++) {
    DebyeIsosurface mesh;
    const double start = debye_bench_seconds();
    if (kernel->execute(plan, task, NULL, &mesh, &status) != DEBYE_STATUS_OK)
      printf("%s\n", status.text);
    if (i > 0)
      times[i - 1] = debye_bench_seconds() - start;
    n_triangles = mesh.n_triangles;
    debye_isosurface_clear(&mesh);
  }
  if (plan != NULL) {
    qsort(times, repeat, sizeof *times, compare_times);
    printf("%-8s %zu atoms, %zu x %zu x %zu points, %zu triangles: %.3f ms, median %.3f, %.0f MB\n",
           device->info.id, task->spheres.n, shape[0], shape[1], shape[2], n_triangles, 1e3 * times[0],
           1e3 * times[repeat / 2], (double)kernel->head.bytes_needed(device->device, &settings) / 1e6);
  }
  kernel->head.destroy(plan);
  free(times);
}

/* On all threads of the host. */
static void
bench_parts(const DebyeSurfaceMeshTask *task, size_t repeat)
{
  const DebyeIsosurfaceWay way = {
      .n_slabs = debye_surface_mesh_count_slabs(&task->grid, debye_chunk_threads_count()),
      .runner = &debye_chunk_threads};
  const size_t *shape = task->grid.shape;
  float *depths = malloc(shape[0] * shape[1] * shape[2] * sizeof *depths);
  double least[3] = {INFINITY, INFINITY, INFINITY};
  DebyeStatus status;
  for (size_t i = 0; i < repeat && depths != NULL; i++) {
    DebyeSurface surface;
    DebyeIsosurface mesh;
    const double start = debye_bench_seconds();
    if (debye_surface_init(&surface, task->kind, &task->spheres, task->probe, way.runner, &status) !=
        DEBYE_STATUS_OK)
      printf("%s\n", status.text);
    const double reduced = debye_bench_seconds() - start;
    if (debye_surface_mesh_find_depths(task, &way, depths, &status) != DEBYE_STATUS_OK)
      printf("%s\n", status.text);
    const double found = debye_bench_seconds();
    debye_isosurface_make(&task->grid, depths, 0.0, &way, &mesh);
    least[2] = fmin(least[2], debye_bench_seconds() - found);
    least[1] = fmin(least[1], found - start - 2.0 * reduced);
    least[0] = fmin(least[0], reduced);
    debye_isosurface_clear(&mesh);
    debye_surface_clear(&surface);
  }
  printf("processor, %u threads: reduced surface %.3f ms, depths %.3f ms, triangles %.3f ms\n",
         debye_chunk_threads_count(), 1e3 * least[0], 1e3 * least[1], 1e3 * least[2]);
  free(depths);
}

int
main(int argc, char **argv)
{
  size_t n_atoms = 3300, repeat = 20;
  double step = 0.45;
  const DebyeBenchOption options[] = {{.name = "--atoms", .count = &n_atoms, .least = 1},
                                      {.name = "--repeat", .count = &repeat, .least = 1},
                                      {.name = "--step", .number = &step, .least = 0.01}};
  const int left = debye_bench_read_options(argc, argv, options, sizeof options / sizeof *options);
  if (left < 0)
    return 1;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  const DebyeDeviceEntry *devices[8];
  DebyeStatus status = {0};
  const size_t n = debye_registry_choose(registry, left > 1 ? argv[1] : "auto", devices, 8, &status);
  DebyeAtomBall ball = debye_atom_ball_new(n_atoms, 1);
  const DebyeSurfaceMeshTask task =
      debye_surface_task_about(&ball.spheres, DEBYE_SURFACE_EXCLUDED, 1.4, step);
  for (size_t i = 0; i < n; i++)
    bench_device(devices[i], &task, repeat);
  if (n == 0)
    printf("%s\n", status.text);
  bench_parts(&task, repeat);
  debye_atom_ball_clear(&ball);
  debye_registry_free(registry);
  return n > 0 ? 0 : 1;
}
