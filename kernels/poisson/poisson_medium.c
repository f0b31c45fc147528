/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_medium.h: conductances and screening, some planes at a time. The boundary is in
 * poisson_boundary.c, charges are in poisson_charges.c. */
#include "poisson_medium.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Planes of a chunk: each finds one more, the next chunk's first. */
#define CHUNK_PLANES ((size_t)8)

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyeSurface *surface;
  const DebyePoissonEquation *equation;
  bool failed; /* a chunk had no memory */
} Setting;

static DebyeVec3
point_at(const DebyeSurfaceGrid *grid, size_t x, size_t y, size_t z)
{
  return debye_vec3(grid->origin.x + (double)x * grid->step[0], grid->origin.y + (double)y * grid->step[1],
                    grid->origin.z + (double)z * grid->step[2]);
}

/* ε of the edge from one point to the next along an axis. */
static double
edge_permittivity(const Setting *setting, DebyeVec3 at, int axis, DebyeSurfacePoint one,
                  DebyeSurfacePoint next)
{
  const DebyePoissonMedium *medium = setting->medium;
  const bool one_is_inner = one.depth > 0.0f, next_is_inner = next.depth > 0.0f;
  if (one_is_inner == next_is_inner)
    return one_is_inner ? medium->solute : medium->solvent;
  DebyeVec3 end = at;
  *(axis == 0 ? &end.x : axis == 1 ? &end.y : &end.z) += medium->grid.step[axis];
  const double within = one_is_inner ? debye_surface_cross(setting->surface, at, one, end, next)
                                     : debye_surface_cross(setting->surface, end, next, at, one);
  return 1.0 / (within / medium->solute + (1.0 - within) / medium->solvent);
}

static void
set_conductances(const Setting *setting, size_t z, const DebyeSurfacePoint *points)
{
  const DebyeSurfaceGrid *grid = &setting->medium->grid;
  const size_t row = grid->shape[0], plane = row * grid->shape[1], step[3] = {1, row, plane};
  const double volume = grid->step[0] * grid->step[1] * grid->step[2];
  for (size_t y = 0; y < grid->shape[1]; y++)
    for (size_t x = 0; x < row; x++) {
      const size_t here = x + row * y;
      const DebyeVec3 at = point_at(grid, x, y, z);
      setting->equation->is_inner[here + plane * z] = points[here].depth > 0.0f;
      const bool has_next[3] = {x + 1 < row, y + 1 < grid->shape[1], z + 1 < grid->shape[2]};
      for (int axis = 0; axis < 3; axis++)
        if (has_next[axis])
          setting->equation->along[axis][here + plane * z] =
              (float)(edge_permittivity(setting, at, axis, points[here], points[here + step[axis]]) * volume /
                      (grid->step[axis] * grid->step[axis]));
    }
}

/* Where an ion's center can't be, there is none. */
static void
clear_sphere(const Setting *setting, size_t atom, size_t first, size_t end)
{
  const DebyePoissonMedium *medium = setting->medium;
  const DebyeSurfaceGrid *grid = &medium->grid;
  const DebyeVec3 center = debye_sphere_center(&setting->surface->spheres, atom);
  const double radius = (double)setting->surface->spheres.radius[atom] + medium->ion_radius;
  const double middle_y = (center.y - grid->origin.y) / grid->step[1], half_y = radius / grid->step[1];
  const double low = fmax(0.0, ceil(middle_y - half_y));
  const double high = fmin(middle_y + half_y, (double)grid->shape[1] - 1.0);
  for (size_t z = first; z < end; z++)
    for (double row = low; row <= high; row++) {
      const size_t y = (size_t)row;
      const DebyeVec3 start = debye_vec3_subtract(point_at(grid, 0, y, z), center);
      const double half2 = radius * radius - start.y * start.y - start.z * start.z;
      if (half2 < 0.0)
        continue;
      const double half = sqrt(half2) / grid->step[0], middle = -start.x / grid->step[0];
      float *screening = setting->equation->screening + grid->shape[0] * (y + grid->shape[1] * z);
      for (double x = fmax(0.0, ceil(middle - half)); x <= fmin(middle + half, (double)grid->shape[0] - 1.0);
           x++)
        screening[(size_t)x] = 0.0f;
    }
}

static void
set_screening(const Setting *setting, size_t first, size_t end)
{
  const DebyeSurfaceGrid *grid = &setting->medium->grid;
  const size_t plane = grid->shape[0] * grid->shape[1];
  const double volume = grid->step[0] * grid->step[1] * grid->step[2];
  const float value = (float)(setting->medium->screening * volume);
  for (size_t i = plane * first; i < plane * end; i++)
    setting->equation->screening[i] = value;
  for (size_t atom = 0; atom < setting->surface->spheres.n && value > 0.0f; atom++)
    clear_sphere(setting, atom, first, end);
}

static void
set_chunk(void *context, size_t chunk)
{
  Setting *setting = context;
  const DebyeSurfaceGrid *grid = &setting->medium->grid;
  const size_t plane = grid->shape[0] * grid->shape[1], first = chunk * CHUNK_PLANES;
  const size_t end = first + CHUNK_PLANES < grid->shape[2] ? first + CHUNK_PLANES : grid->shape[2];
  const size_t found = end < grid->shape[2] ? end + 1 - first : end - first;
  DebyeSurfacePoint *points = malloc(found * plane * sizeof *points);
  if (points == NULL) {
    __atomic_store_n(&setting->failed, true, __ATOMIC_RELAXED);
    return;
  }
  debye_surface_find(setting->surface, grid, first, found, points);
  for (size_t z = first; z < end; z++)
    set_conductances(setting, z, points + plane * (z - first));
  free(points);
  set_screening(setting, first, end);
}

DebyeStatusCode
debye_poisson_medium_set(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                         const DebyeChunkRunner *runner, const DebyePoissonEquation *equation,
                         DebyeStatus *status)
{
  DebyeSurface surface;
  Setting setting = {.medium = medium, .surface = &surface, .equation = equation};
  const DebyeStatusCode code =
      debye_surface_init(&surface, medium->surface, spheres, medium->probe, runner, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_chunks_run(runner, (medium->grid.shape[2] + CHUNK_PLANES - 1) / CHUNK_PLANES, set_chunk, &setting);
  debye_surface_clear(&surface);
  if (setting.failed)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the surface on the grid.");
  return debye_status_ok(status);
}
