/* SPDX-License-Identifier: MIT */
/* The smoothed permittivities of poisson_medium.h; called by poisson_lanes.c. */
#include <stdlib.h>

#include "poisson_medium.h"

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyeSurface *surface;
  const DebyePoissonEquation *equation;
  bool *inner[3]; /* whether the middle of the edge from a point along each axis is within the surface */
  bool failed;    /* a plane had no memory */
} Smoothing;

static size_t
count_plane(const Smoothing *smoothing)
{
  return smoothing->medium->grid.shape[0] * smoothing->medium->grid.shape[1];
}

/* Middles of edges that begin in one plane, those that lead out of the grid with them. */
static void
find_plane(void *context, size_t z)
{
  Smoothing *smoothing = context;
  const size_t plane = count_plane(smoothing);
  DebyeSurfacePoint *points = malloc(plane * sizeof *points);
  if (points == NULL) {
    __atomic_store_n(&smoothing->failed, true, __ATOMIC_RELAXED);
    return;
  }
  for (int axis = 0; axis < 3; axis++) {
    DebyeSurfaceGrid middles = smoothing->medium->grid;
    *(axis == 0   ? &middles.origin.x
      : axis == 1 ? &middles.origin.y
                  : &middles.origin.z) += 0.5 * middles.step[axis];
    debye_surface_find(smoothing->surface, &middles, z, 1, points);
    for (size_t i = 0; i < plane; i++)
      smoothing->inner[axis][plane * z + i] = points[i].depth > 0.0f;
  }
  free(points);
}

/* Of the nine middles, how many are within. `step` leads to the next point along each axis. Edges along another axis begin at both
 * ends of this one, and a step before each. */
static unsigned
count_inner(const Smoothing *smoothing, size_t i, int axis, const size_t step[3])
{
  unsigned n = smoothing->inner[axis][i];
  for (int turn = 1; turn < 3; turn++) {
    const int other = (axis + turn) % 3;
    const bool *inner = smoothing->inner[other];
    const size_t next = i + step[axis];
    n += (unsigned)inner[i] + inner[next] + inner[i - step[other]] + inner[next - step[other]];
  }
  return n;
}

static void
average_plane(void *context, size_t chunk)
{
  const Smoothing *smoothing = context;
  const size_t z = chunk + 1;
  const DebyePoissonMedium *medium = smoothing->medium;
  const DebyeSurfaceGrid *grid = &medium->grid;
  const size_t step[3] = {1, grid->shape[0], count_plane(smoothing)};
  const double volume = grid->step[0] * grid->step[1] * grid->step[2];
  float mean[3][10];
  for (int axis = 0; axis < 3; axis++)
    for (unsigned n = 0; n <= 9; n++)
      mean[axis][n] = (float)(volume / (grid->step[axis] * grid->step[axis]) * 9.0 /
                              (n / medium->solute + (9 - n) / medium->solvent));
  /* Edges that begin at outer points lie in the solvent. */
  for (size_t y = 1; y + 1 < grid->shape[1]; y++)
    for (size_t x = 1; x + 1 < grid->shape[0]; x++) {
      const size_t i = x + step[1] * y + step[2] * z;
      for (int axis = 0; axis < 3; axis++)
        smoothing->equation->along[axis][i] = mean[axis][count_inner(smoothing, i, axis, step)];
    }
}

static bool
average(Smoothing *smoothing, const DebyeChunkRunner *runner)
{
  const size_t planes = smoothing->medium->grid.shape[2], n = count_plane(smoothing) * planes;
  bool *all = malloc(3 * n);
  if (all == NULL)
    return false;
  for (int axis = 0; axis < 3; axis++)
    smoothing->inner[axis] = all + (size_t)axis * n;
  debye_chunks_run(runner, planes, find_plane, smoothing);
  if (!smoothing->failed)
    debye_chunks_run(runner, planes - 2, average_plane, smoothing);
  free(all);
  return !smoothing->failed;
}

DebyeStatusCode
debye_poisson_medium_smooth(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                            const DebyeChunkRunner *runner, const DebyePoissonEquation *equation,
                            DebyeStatus *status)
{
  DebyeSurface surface;
  Smoothing smoothing = {.medium = medium, .surface = &surface, .equation = equation};
  const DebyeStatusCode code =
      debye_surface_init(&surface, medium->surface, spheres, medium->probe, runner, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const bool good = average(&smoothing, runner);
  debye_surface_clear(&surface);
  return good ? code
              : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                 "There is no memory for the surface on the grid.");
}
