/* SPDX-License-Identifier: MIT */
/* A surface of atoms on a GPU, stage by stage, each waited for, the least of several: neighbors; neighbors and arcs; depths;
 * triangles counted, then put; then the copy to the host. Beside it the whole without waiting. Arguments: atoms (3300),
 * the grid's step (0.45 Å). */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cuda/surface/surface_mesh.cu"
#include "kernels/cuda/surface/surface_neighbors.cuh"

extern "C" {
#include "tests/bench/bench_options.h"
#include "tests/support/ball_of_atoms.h"
}

enum { NEIGHBORS, ARCS, DEPTHS, COUNTED, PUT, FETCHED, WHOLE, N_STAGES };

static const char *const names[N_STAGES] = {"atoms there and neighbors",
                                            "atoms there, neighbors and arcs",
                                            "depths",
                                            "vertices and triangles counted",
                                            "vertices and triangles put",
                                            "mesh on the host",
                                            "whole"};

/* Waits, and keeps the time since the last call where it is the least. */
static void
note(Plan *plan, int stage, double *start, double *least)
{
  debye_stream_wait(&plan->stream);
  const double now = debye_bench_seconds();
  least[stage] = least[stage] == 0.0 || now - *start < least[stage] ? now - *start : least[stage];
  *start = debye_bench_seconds();
}

static void
find_neighbors(Plan *plan, const DebyeSurfaceMeshTask *task)
{
  DebyeCudaSurface surface = {};
  DebyeSphereBins bins;
  surface.n_atoms = (uint32_t)task->spheres.n;
  surface.probe = task->probe;
  for (size_t i = 0; i < task->spheres.n; i++)
    surface.largest_radius = fmax(surface.largest_radius, (double)task->spheres.radius[i]);
  if (!debye_sphere_bins_init(&bins, &task->spheres, surface.largest_radius + task->probe))
    return;
  debye_cuda_surface_upload(&plan->maker, &task->spheres, &bins, &plan->stream);
  surface.atoms = (const float4 *)plan->maker.atoms.memory;
  debye_cuda_surface_list_neighbors(&plan->maker, &bins, &surface, &plan->stream);
  debye_sphere_bins_clear(&bins);
}

static DebyeStatusCode
bench_round(Plan *plan, const DebyeSurfaceMeshTask *task, double *least, DebyeStatus *status)
{
  DebyeStream *stream = &plan->stream;
  DebyeCudaSurface surface;
  DebyeIsosurface mesh = DebyeIsosurface();
  double start = debye_bench_seconds();
  find_neighbors(plan, task);
  note(plan, NEIGHBORS, &start, least);
  DebyeStatusCode code = debye_cuda_surface_make(&plan->maker, task->kind, &task->spheres, task->probe,
                                                 stream, &surface, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  note(plan, ARCS, &start, least);
  find_depths(plan, task, &surface);
  note(plan, DEPTHS, &start, least);
  debye_cuda_mesher_count(&plan->mesher, &task->grid, (const float *)plan->depths.memory, 0.0, stream);
  note(plan, COUNTED, &start, least);
  debye_cuda_mesher_put(&plan->mesher, stream);
  note(plan, PUT, &start, least);
  code = debye_cuda_mesher_fetch(&plan->mesher, &mesh, stream, status);
  note(plan, FETCHED, &start, least);
  debye_isosurface_clear(&mesh);
  start = debye_bench_seconds();
  if (code == DEBYE_STATUS_OK)
    code = execute((DebyeKernelPlan *)plan, task, NULL, &mesh, status);
  note(plan, WHOLE, &start, least);
  debye_isosurface_clear(&mesh);
  return code;
}

int
main(int argc, char **argv)
{
  const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 3300;
  DebyeAtomBall ball = debye_atom_ball_new(n, 1);
  const DebyeSurfaceMeshTask task = debye_surface_task_about(&ball.spheres, DEBYE_SURFACE_EXCLUDED, 1.4,
                                                             argc > 2 ? strtod(argv[2], NULL) : 0.45);
  const DebyeSurfaceMeshSettings settings = {n, {task.grid.shape[0], task.grid.shape[1], task.grid.shape[2]}};
  DebyeKernelPlan *handle = NULL;
  DebyeStatus status;
  double warm[N_STAGES] = {}, least[N_STAGES] = {};
  DebyeStatusCode code = create(0, &settings, &handle, &status);
  if (code == DEBYE_STATUS_OK)
    code = bench_round((Plan *)handle, &task, warm, &status);
  for (int round = 0; round < 20 && code == DEBYE_STATUS_OK; round++)
    code = bench_round((Plan *)handle, &task, least, &status);
  if (code == DEBYE_STATUS_OK) {
    const Plan *plan = (const Plan *)handle;
    printf("%zu atoms, %zu x %zu x %zu points, %u vertices, %u triangles\n", n, settings.shape[0],
           settings.shape[1], settings.shape[2], plan->mesher.totals[0], plan->mesher.totals[1]);
    for (int i = 0; i < N_STAGES; i++)
      printf("  %-32s %.3f ms\n", names[i], 1e3 * least[i]);
  } else {
    printf("%s\n", status.text);
  }
  destroy(handle);
  debye_atom_ball_clear(&ball);
  return code == DEBYE_STATUS_OK ? 0 : 1;
}
