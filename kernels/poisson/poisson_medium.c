/* SPDX-License-Identifier: MIT */
/* Implementation of poisson_medium.h: conductances and screening, some planes at a time. The boundary is in
 * poisson_boundary.c, charges are in poisson_charges.c. */
#include "poisson_medium.h"

#include <math.h>
#include <stdlib.h>

/* Planes of a chunk: each finds one more, the next chunk's first. */
#define CHUNK_PLANES ((size_t)8)

typedef struct {
  const DebyePoissonMedium *medium;
  const DebyeSurface *surface;
  const DebyePoissonEquation *equation;
  bool failed; /* a chunk had no memory */
} Setting;

/* How much of the edge from one point to the next along an axis is within the surface, which cuts it. */
static double
cut_fraction(const Setting *setting, DebyeVec3 at, int axis, DebyeSurfacePoint one, DebyeSurfacePoint next)
{
  const DebyePoissonMedium *medium = setting->medium;
  DebyeVec3 end = at;
  *(axis == 0 ? &end.x : axis == 1 ? &end.y : &end.z) += medium->grid.step[axis];
  return one.depth > 0.0f ? debye_surface_cross(setting->surface, at, one, end, next)
                          : debye_surface_cross(setting->surface, end, next, at, one);
}

static double
cut_permittivity(const Setting *setting, DebyeVec3 at, int axis, DebyeSurfacePoint one,
                 DebyeSurfacePoint next)
{
  const DebyePoissonMedium *medium = setting->medium;
  const double within = cut_fraction(setting, at, axis, one, next);
  return 1.0 / (within / medium->solute + (1.0 - within) / medium->solvent);
}

/* Likewise of any edge, the membrane with it. */
static double
layered_permittivity(const Setting *setting, DebyeVec3 at, int axis, DebyeSurfacePoint one,
                     DebyeSurfacePoint next)
{
  const DebyePoissonMedium *medium = setting->medium;
  const bool begins = one.depth > 0.0f, ends = next.depth > 0.0f;
  const double within = begins != ends ? cut_fraction(setting, at, axis, one, next) : begins ? 1.0 : 0.0;
  const double step = medium->grid.step[axis];
  DebyeVec3 outside = at;
  *(axis == 0 ? &outside.x : axis == 1 ? &outside.y : &outside.z) += begins ? within * step : 0.0;
  const double left = debye_poisson_membrane_resistance(&medium->membrane, medium->solvent, outside, axis,
                                                        (1.0 - within) * step);
  return 1.0 / (within / medium->solute + left / step);
}

/* Edges along an axis from the points of a row of a plane that is at `points`. */
static void
set_row(const Setting *setting, size_t y, size_t z, int axis, size_t step, const DebyeSurfacePoint *points)
{
  const DebyePoissonMedium *medium = setting->medium;
  const DebyeSurfaceGrid *grid = &medium->grid;
  const size_t row = grid->shape[0], first = row * (y + grid->shape[1] * z), n = axis == 0 ? row - 1 : row;
  const double scale = grid->step[0] * grid->step[1] * grid->step[2] / (grid->step[axis] * grid->step[axis]);
  const float uniform[2] = {(float)(medium->solvent * scale), (float)(medium->solute * scale)};
  float *along = setting->equation->along[axis] + first;
  for (size_t x = 0; x < n && medium->membrane.is_there; x++)
    along[x] = (float)(scale * layered_permittivity(setting, debye_surface_grid_point(grid, x, y, z), axis,
                                                    points[x], points[x + step]));
  for (size_t x = 0; x < n && !medium->membrane.is_there; x++) {
    const bool is_inner = points[x].depth > 0.0f;
    along[x] = uniform[is_inner];
    if (is_inner != (points[x + step].depth > 0.0f))
      along[x] = (float)(scale * cut_permittivity(setting, debye_surface_grid_point(grid, x, y, z), axis,
                                                  points[x], points[x + step]));
  }
}

static void
set_conductances(const Setting *setting, size_t z, const DebyeSurfacePoint *points)
{
  const DebyeSurfaceGrid *grid = &setting->medium->grid;
  const size_t row = grid->shape[0], plane = row * grid->shape[1];
  for (size_t y = 0; y < grid->shape[1]; y++) {
    for (size_t x = 0; x < row && setting->equation->is_inner != NULL; x++)
      setting->equation->is_inner[x + row * y + plane * z] = points[row * y + x].depth > 0.0f;
    set_row(setting, y, z, 0, 1, points + row * y);
    if (y + 1 < grid->shape[1])
      set_row(setting, y, z, 1, row, points + row * y);
    if (z + 1 < grid->shape[2])
      set_row(setting, y, z, 2, plane, points + row * y);
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
  const double low_z = grid->origin.z + grid->step[2] * (double)first;
  if (center.z + radius < low_z || center.z - radius > low_z + grid->step[2] * (double)(end - 1 - first))
    return;
  const double low = fmax(0.0, ceil(middle_y - half_y));
  const double high = fmin(middle_y + half_y, (double)grid->shape[1] - 1.0);
  for (size_t z = first; z < end; z++)
    for (double row = low; row <= high; row++) {
      const size_t y = (size_t)row;
      const DebyeVec3 start = debye_vec3_subtract(debye_surface_grid_point(grid, 0, y, z), center);
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
admit_ions(const Setting *setting, size_t first, size_t end)
{
  const DebyeSurfaceGrid *grid = &setting->medium->grid;
  const size_t row = grid->shape[0], plane = row * grid->shape[1];
  for (size_t i = plane * first; i < plane * end; i++)
    setting->equation->screening[i] *= (float)debye_poisson_membrane_admits(
        &setting->medium->membrane, setting->medium->ion_radius,
        debye_surface_grid_point(grid, i % row, i / row % grid->shape[1], i / plane), grid->step[2]);
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
  if (setting->medium->membrane.is_there)
    admit_ions(setting, first, end);
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
                         const DebyePoissonEquation *equation, DebyeStatus *status)
{
  DebyeSurface surface;
  DebyeStatusCode code =
      debye_surface_init(&surface, medium->surface, spheres, medium->probe, &debye_chunk_threads, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  code = debye_poisson_medium_set_surface(medium, &surface, equation, status);
  debye_surface_clear(&surface);
  return code;
}

DebyeStatusCode
debye_poisson_medium_set_surface(const DebyePoissonMedium *medium, const DebyeSurface *surface,
                                 const DebyePoissonEquation *equation, DebyeStatus *status)
{
  Setting setting = {.medium = medium, .surface = surface, .equation = equation};
  debye_chunk_threads_run((medium->grid.shape[2] + CHUNK_PLANES - 1) / CHUNK_PLANES, set_chunk, &setting);
  if (setting.failed)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the surface on the grid.");
  return debye_status_ok(status);
}
