/* SPDX-License-Identifier: MIT */
/* A vertex and a cell of an isosurface, as every back end computes them. In this order, and unfused, each gives the same to
 * the last bit. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "cell_table.h"
#include "data/geometry.h"
#include "kernels/shared_math.h"

/* Stands for values that are not finite: far beyond any level, and its square is still a double. */
#define DEBYE_ISOSURFACE_OUTSIDE 1e100

typedef struct {
  const float *values; /* x fastest */
  size_t shape[3];
  double origin[3], step[3][3];
  double gradient[3][3]; /* differences along the steps → gradient in Å⁻¹ */
  double level;
  bool negative;    /* the body is where values lie under a negative level */
  bool left_handed; /* the steps: triangles are turned round */
} DebyeIsosurfaceMap;

typedef struct {
  float position[3], normal[3];
} DebyeIsosurfaceVertex;

/* On the host. */
static inline void
debye_isosurface_map_init(DebyeIsosurfaceMap *map, const DebyeGrid *grid, const float *values, double level)
{
  const DebyeVec3 *s = grid->step;
  const double volume = debye_vec3_dot(s[0], debye_vec3_cross(s[1], s[2]));
  map->values = values;
  map->level = level;
  map->negative = level < 0.0;
  map->left_handed = volume < 0.0;
  map->origin[0] = grid->origin.x;
  map->origin[1] = grid->origin.y;
  map->origin[2] = grid->origin.z;
  for (int axis = 0; axis < 3; axis++) {
    /* Rows of the gradient's matrix: the reciprocal vectors of the steps. */
    const DebyeVec3 r =
        debye_vec3_scale(debye_vec3_cross(s[(axis + 1) % 3], s[(axis + 2) % 3]), 1.0 / volume);
    map->shape[axis] = grid->shape[axis];
    map->step[axis][0] = s[axis].x;
    map->step[axis][1] = s[axis].y;
    map->step[axis][2] = s[axis].z;
    map->gradient[0][axis] = r.x;
    map->gradient[1][axis] = r.y;
    map->gradient[2][axis] = r.z;
  }
}

DEBYE_SHARED_MATH bool
debye_isosurface_is_finite(double value)
{
  return fabs(value) <= 1.7976931348623157e308;
}

/* Difference along one step at a point: central, one-sided at the rim or beside a value that is not finite. */
DEBYE_SHARED_MATH float
debye_isosurface_difference(const float *value, size_t place, size_t n, size_t stride)
{
  const bool before = place > 0 && debye_isosurface_is_finite((double)value[-(ptrdiff_t)stride]);
  const bool after = place + 1 < n && debye_isosurface_is_finite((double)value[stride]);
  if (before && after)
    return 0.5f * (value[stride] - value[-(ptrdiff_t)stride]);
  if (after && debye_isosurface_is_finite((double)*value))
    return value[stride] - *value;
  if (before && debye_isosurface_is_finite((double)*value))
    return *value - value[-(ptrdiff_t)stride];
  return 0.0f;
}

DEBYE_SHARED_MATH void
debye_isosurface_add_differences(const DebyeIsosurfaceMap *map, size_t i, size_t j, size_t k, double weight,
                                 double sum[3])
{
  const size_t nx = map->shape[0], ny = map->shape[1];
  const float *value = map->values + i + nx * (j + ny * k);
  sum[0] += weight * (double)debye_isosurface_difference(value, i, nx, 1);
  sum[1] += weight * (double)debye_isosurface_difference(value, j, ny, nx);
  sum[2] += weight * (double)debye_isosurface_difference(value, k, map->shape[2], nx * ny);
}

/* `rise`: 1 where the value rises along the edge's axis, else −1. */
DEBYE_SHARED_MATH void
debye_isosurface_set_normal(const DebyeIsosurfaceMap *map, const double slope[3], int axis, double rise,
                            float normal[3])
{
  double g[3];
  for (int c = 0; c < 3; c++)
    g[c] = map->gradient[c][0] * slope[0] + map->gradient[c][1] * slope[1] + map->gradient[c][2] * slope[2];
  double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (!(length > 0.0)) {
    /* A flat place or an extremum: the crossed edge itself tells the side. */
    for (int c = 0; c < 3; c++)
      g[c] = map->gradient[c][axis] * rise;
    length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  }
  for (int c = 0; c < 3; c++)
    normal[c] = (float)(-g[c] / length);
}

DEBYE_SHARED_MATH double
debye_isosurface_crossing(double from, double to, double level)
{
  if (!debye_isosurface_is_finite(from))
    return 1.0;
  if (!debye_isosurface_is_finite(to))
    return 0.0;
  const double t = (level - from) / (to - from);
  return t > 1.0 ? 1.0 : t < 0.0 ? 0.0 : t;
}

/* The vertex on the edge from point (i, j, k) along `axis`. */
DEBYE_SHARED_MATH DebyeIsosurfaceVertex
debye_isosurface_vertex(const DebyeIsosurfaceMap *map, size_t i, size_t j, size_t k, int axis)
{
  const size_t nx = map->shape[0], ny = map->shape[1];
  const size_t stride = axis == 0 ? 1 : axis == 1 ? nx : nx * ny;
  const float *value = map->values + i + nx * (j + ny * k);
  const double from = (double)value[0], to = (double)value[stride];
  const double t = debye_isosurface_crossing(from, to, map->level);
  double slope[3] = {0.0, 0.0, 0.0};
  debye_isosurface_add_differences(map, i, j, k, 1.0 - t, slope);
  debye_isosurface_add_differences(map, i + (axis == 0), j + (axis == 1), k + (axis == 2), t, slope);
  const double x = (double)i + t * (double)(axis == 0), y = (double)j + t * (double)(axis == 1);
  const double z = (double)k + t * (double)(axis == 2);
  DebyeIsosurfaceVertex vertex;
  for (int c = 0; c < 3; c++)
    vertex.position[c] =
        (float)(((map->origin[c] + map->step[0][c] * x) + map->step[1][c] * y) + map->step[2][c] * z);
  const bool is_from = debye_isosurface_is_finite(from), is_to = debye_isosurface_is_finite(to);
  const bool rises = is_from && is_to ? to > from : is_to != map->negative;
  debye_isosurface_set_normal(map, slope, axis, rises ? 1.0 : -1.0, vertex.normal);
  return vertex;
}

/* The middle of a loop of edges, of whose vertices there are positions and normals. */
DEBYE_SHARED_MATH DebyeIsosurfaceVertex
debye_isosurface_center(const DebyeCellSurface *surface, int center, const uint32_t *edges,
                        const float *positions, const float *normals)
{
  double position[3] = {0.0, 0.0, 0.0}, normal[3] = {0.0, 0.0, 0.0};
  const int size = surface->centre_size[center];
  for (int n = 0; n < size; n++) {
    const size_t other = edges[surface->centre_edges[center][n]];
    for (int c = 0; c < 3; c++) {
      position[c] += (double)positions[3 * other + (size_t)c] / size;
      normal[c] += (double)normals[3 * other + (size_t)c];
    }
  }
  const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  const size_t first = edges[surface->centre_edges[center][0]];
  DebyeIsosurfaceVertex vertex;
  for (int c = 0; c < 3; c++) {
    vertex.position[c] = (float)position[c];
    vertex.normal[c] = length > 0.0 ? (float)(normal[c] / length) : normals[3 * first + (size_t)c];
  }
  return vertex;
}

/* Whether a point lies above the level. A comparison with NaN is false either way, and infinities are outside by the same
 * rule. */
DEBYE_SHARED_MATH bool
debye_isosurface_is_above(float value, float level, bool negative)
{
  return negative ? !((value < level) & (value >= -3.402823466e+38f))
                  : (value >= level) & (value <= 3.402823466e+38f);
}

/* The asymptotic decider: the bilinear saddle of the face lies above the level when the product of the
 * corners above is larger than that of the corners below (values relative to the level). Symmetric in its
 * arguments, so that the cell beyond the face decides alike to the last bit. `cell`: the value of its first corner. */
DEBYE_SHARED_MATH int
debye_isosurface_decide(const DebyeIsosurfaceMap *map, const DebyeCellTable *table, int pattern,
                        const float *cell)
{
  const size_t nx = map->shape[0], ny = map->shape[1];
  int decision = 0;
  for (int n = 0; n < table->n_ambiguous[pattern]; n++) {
    const DebyeCellFace *face = &table->faces[table->ambiguous[pattern][n]];
    double product[2] = {1.0, 1.0};
    for (int i = 0; i < 4; i++) {
      const int corner = face->corners[i];
      const double value = (double)
          cell[(size_t)(corner & 1) + nx * (size_t)(corner >> 1 & 1) + nx * ny * (size_t)(corner >> 2)];
      const double outside = map->negative ? DEBYE_ISOSURFACE_OUTSIDE : -DEBYE_ISOSURFACE_OUTSIDE;
      product[pattern >> corner & 1] *= debye_isosurface_is_finite(value) ? value - map->level : outside;
    }
    if (product[1] > product[0])
      decision |= 1 << n;
  }
  return decision;
}
