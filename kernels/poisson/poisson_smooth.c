/* SPDX-License-Identifier: MIT */
/* The smoothed permittivities of poisson_medium.h; called by poisson_lanes.c. */
#include <math.h>
#include <stdlib.h>

#include "poisson_dots.h"
#include "poisson_medium.h"

#define CHUNK_PLANES ((size_t)8)
#define DOTS_DENSITY 10.0 /* per Å², APBS's sdens */

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyeSpheres *spheres;
  DebyePoissonDots dots; /* of the excluded surface; none of others */
  const DebyePoissonEquation *equation;
  bool *inner[3]; /* whether the middle of the edge from a point along each axis is within the surface */
} Smoothing;

static size_t
count_plane(const Smoothing *smoothing)
{
  return smoothing->medium->grid.shape[0] * smoothing->medium->grid.shape[1];
}

/* What a sphere holds of middles of edges along an axis, in planes [first, end). */
static void
mark_sphere(const Smoothing *smoothing, int axis, DebyeVec3 center, double radius, size_t first, size_t end,
            bool value)
{
  const DebyeSurfaceGrid *grid = &smoothing->medium->grid;
  const double shift[3] = {axis == 0 ? 0.5 : 0.0, axis == 1 ? 0.5 : 0.0, axis == 2 ? 0.5 : 0.0};
  const double middle[3] = {(center.x - grid->origin.x) / grid->step[0] - shift[0],
                            (center.y - grid->origin.y) / grid->step[1] - shift[1],
                            (center.z - grid->origin.z) / grid->step[2] - shift[2]};
  const double half_y = radius / grid->step[1], half_z = radius / grid->step[2];
  for (double z = fmax((double)first, ceil(middle[2] - half_z));
       z <= fmin((double)end - 1.0, middle[2] + half_z); z++)
    for (double y = fmax(0.0, ceil(middle[1] - half_y));
         y <= fmin((double)grid->shape[1] - 1.0, middle[1] + half_y); y++) {
      const double dz = (z - middle[2]) * grid->step[2], dy = (y - middle[1]) * grid->step[1];
      const double half2 = radius * radius - dz * dz - dy * dy;
      if (half2 < 0.0)
        continue;
      const double half = sqrt(half2) / grid->step[0];
      bool *row = smoothing->inner[axis] + grid->shape[0] * ((size_t)y + grid->shape[1] * (size_t)z);
      for (double x = fmax(0.0, ceil(middle[0] - half));
           x <= fmin((double)grid->shape[0] - 1.0, middle[0] + half); x++)
        row[(size_t)x] = value;
    }
}

/* What probes on the dots of an atom cover. */
static void
clear_dots(const Smoothing *smoothing, size_t atom, size_t first, size_t end)
{
  const DebyePoissonDots *dots = &smoothing->dots;
  const double reach = (double)dots->spheres->radius[atom] + dots->probe;
  for (size_t i = 0; i < dots->n_dots; i++) {
    if (!debye_poisson_dots_has(dots, atom, i))
      continue;
    const DebyeVec3 at =
        debye_vec3_add(debye_sphere_center(dots->spheres, atom), debye_vec3_scale(dots->dots[i], reach));
    for (int axis = 0; axis < 3; axis++)
      mark_sphere(smoothing, axis, at, dots->probe, first, end, false);
  }
}

static void
find_chunk(void *context, size_t chunk)
{
  const Smoothing *smoothing = context;
  const DebyePoissonMedium *medium = smoothing->medium;
  const DebyeSurfaceGrid *grid = &medium->grid;
  const DebyeSpheres *spheres = smoothing->spheres;
  const size_t first = chunk * CHUNK_PLANES;
  const size_t end = first + CHUNK_PLANES < grid->shape[2] ? first + CHUNK_PLANES : grid->shape[2];
  const double more = medium->surface == DEBYE_SURFACE_VAN_DER_WAALS ? 0.0 : medium->probe;
  for (size_t atom = 0; atom < spheres->n; atom++)
    for (int axis = 0; axis < 3 && spheres->radius[atom] > 0.0f; axis++)
      mark_sphere(smoothing, axis, debye_sphere_center(spheres, atom), (double)spheres->radius[atom] + more,
                  first, end, true);
  const double low = grid->origin.z + grid->step[2] * (double)first;
  const double high = grid->origin.z + grid->step[2] * (double)end;
  for (size_t atom = 0; atom < spheres->n && smoothing->dots.n_dots > 0; atom++) {
    const double z = (double)spheres->z[atom], reach = (double)spheres->radius[atom] + 2.0 * medium->probe;
    if (z + reach >= low && z - reach <= high)
      clear_dots(smoothing, atom, first, end);
  }
}

/* Of the nine middles, how many are within. `step` leads to the next point along each axis. Edges along another axis
 * begin at both ends of this one, and a step before each. */
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
average(Smoothing *smoothing)
{
  const size_t planes = smoothing->medium->grid.shape[2], n = count_plane(smoothing) * planes;
  bool *all = calloc(3 * n, sizeof *all);
  if (all == NULL)
    return false;
  for (int axis = 0; axis < 3; axis++)
    smoothing->inner[axis] = all + (size_t)axis * n;
  debye_chunk_threads_run((planes + CHUNK_PLANES - 1) / CHUNK_PLANES, find_chunk, smoothing);
  debye_chunk_threads_run(planes - 2, average_plane, smoothing);
  free(all);
  return true;
}

/* Of the largest sphere, with an ion or a probe around it. */
static double
largest_sphere(const DebyePoissonMedium *medium, const DebyeSpheres *spheres)
{
  double largest = 0.0;
  for (size_t i = 0; i < spheres->n; i++)
    largest = fmax(largest, (double)spheres->radius[i]);
  return largest + fmax(medium->probe, medium->screening > 0.0 ? medium->ion_radius : 0.0);
}

DebyeStatusCode
debye_poisson_medium_smooth(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                            const DebyePoissonEquation *equation, DebyeStatus *status)
{
  Smoothing smoothing = {.medium = medium, .spheres = spheres, .equation = equation};
  bool good = true;
  if (medium->surface == DEBYE_SURFACE_EXCLUDED && medium->probe > 0.0)
    good = debye_poisson_dots_init(&smoothing.dots, spheres, medium->probe, largest_sphere(medium, spheres),
                                   DOTS_DENSITY);
  good = good && average(&smoothing);
  debye_poisson_dots_clear(&smoothing.dots);
  return good ? debye_status_ok(status)
              : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                 "There is no memory for the surface on the grid.");
}
