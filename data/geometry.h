/* SPDX-License-Identifier: MIT */
/* Plain geometry shared by the data layer and the kernels: no GLib, no allocation, double precision.
 * Lengths are in Å, angles in degrees. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  double x, y, z;
} DebyeVec3;

/* A periodic cell by its three edge vectors, in the frame of the coordinates (any orientation: CHARMM's shape
 * matrix and LAMMPS' general boxes keep theirs). All zero: there is no cell. */
typedef struct {
  DebyeVec3 a, b, c;
} DebyeCell;

/* A regular grid: point (i, j, k) stands at origin + i·step[0] + j·step[1] + k·step[2], and its value at
 * index i + shape[0]·(j + shape[1]·k): x fastest. The steps may be skew. */
typedef struct {
  DebyeVec3 origin;
  DebyeVec3 step[3];
  size_t shape[3];
} DebyeGrid;

static inline DebyeVec3
debye_vec3(double x, double y, double z)
{
  return (DebyeVec3){x, y, z};
}

static inline DebyeVec3
debye_vec3_add(DebyeVec3 u, DebyeVec3 v)
{
  return (DebyeVec3){u.x + v.x, u.y + v.y, u.z + v.z};
}

static inline DebyeVec3
debye_vec3_subtract(DebyeVec3 u, DebyeVec3 v)
{
  return (DebyeVec3){u.x - v.x, u.y - v.y, u.z - v.z};
}

static inline DebyeVec3
debye_vec3_scale(DebyeVec3 u, double s)
{
  return (DebyeVec3){u.x * s, u.y * s, u.z * s};
}

static inline double
debye_vec3_dot(DebyeVec3 u, DebyeVec3 v)
{
  return u.x * v.x + u.y * v.y + u.z * v.z;
}

static inline DebyeVec3
debye_vec3_cross(DebyeVec3 u, DebyeVec3 v)
{
  return (DebyeVec3){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

static inline double
debye_vec3_length(DebyeVec3 u)
{
  return sqrt(debye_vec3_dot(u, u));
}

/* Signed volume in Å³: negative for a left-handed cell. */
static inline double
debye_cell_volume(const DebyeCell *cell)
{
  return debye_vec3_dot(cell->a, debye_vec3_cross(cell->b, cell->c));
}

/* A cell that periodic methods can use: finite, and its volume not degenerate against its edges. */
static inline bool
debye_cell_is_valid(const DebyeCell *cell)
{
  double edges = debye_vec3_length(cell->a) * debye_vec3_length(cell->b) * debye_vec3_length(cell->c);
  double volume = fabs(debye_cell_volume(cell));
  return isfinite(edges) && edges > 0.0 && volume > 1e-6 * edges;
}

/* Lengths (Å) and angles (degrees) to vectors: a along x, b in the xy plane. False, and no cell, where the
 * numbers describe none. */
static inline bool
debye_cell_from_lengths_angles(DebyeCell *cell, const double lengths[3], const double angles[3])
{
  const double radian = 3.14159265358979323846 / 180.0;
  /* cos 90° is exactly zero here, so that an orthogonal box stays orthogonal to the last bit. */
  double ca = angles[0] == 90.0 ? 0.0 : cos(angles[0] * radian);
  double cb = angles[1] == 90.0 ? 0.0 : cos(angles[1] * radian);
  double cg = angles[2] == 90.0 ? 0.0 : cos(angles[2] * radian);
  double sg = angles[2] == 90.0 ? 1.0 : sin(angles[2] * radian);
  double cy = (ca - cb * cg) / sg;
  double cz2 = 1.0 - cb * cb - cy * cy;
  *cell = (DebyeCell){0};
  if (!(lengths[0] > 0.0 && lengths[1] > 0.0 && lengths[2] > 0.0 && sg > 0.0 && cz2 > 0.0))
    return false;
  cell->a = debye_vec3(lengths[0], 0.0, 0.0);
  cell->b = debye_vec3(lengths[1] * cg, lengths[1] * sg, 0.0);
  cell->c = debye_vec3(lengths[2] * cb, lengths[2] * cy, lengths[2] * sqrt(cz2));
  if (!debye_cell_is_valid(cell)) {
    *cell = (DebyeCell){0};
    return false;
  }
  return true;
}

static inline double
debye_vec3_angle(DebyeVec3 u, DebyeVec3 v)
{
  double cosine = debye_vec3_dot(u, v) / (debye_vec3_length(u) * debye_vec3_length(v));
  if (cosine == 0.0)
    return 90.0;
  return acos(fmax(-1.0, fmin(1.0, cosine))) * (180.0 / 3.14159265358979323846);
}

static inline void
debye_cell_to_lengths_angles(const DebyeCell *cell, double lengths[3], double angles[3])
{
  lengths[0] = debye_vec3_length(cell->a);
  lengths[1] = debye_vec3_length(cell->b);
  lengths[2] = debye_vec3_length(cell->c);
  angles[0] = debye_vec3_angle(cell->b, cell->c);
  angles[1] = debye_vec3_angle(cell->a, cell->c);
  angles[2] = debye_vec3_angle(cell->a, cell->b);
}

static inline size_t
debye_grid_n_points(const DebyeGrid *grid)
{
  return grid->shape[0] * grid->shape[1] * grid->shape[2];
}

static inline DebyeVec3
debye_grid_point(const DebyeGrid *grid, double i, double j, double k)
{
  DebyeVec3 p = grid->origin;
  p = debye_vec3_add(p, debye_vec3_scale(grid->step[0], i));
  p = debye_vec3_add(p, debye_vec3_scale(grid->step[1], j));
  return debye_vec3_add(p, debye_vec3_scale(grid->step[2], k));
}
