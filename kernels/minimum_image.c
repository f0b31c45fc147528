/* SPDX-License-Identifier: MIT */
/* Reduces a cell for minimum_image.h by the greedy algorithm, which in three dimensions ends with Minkowski's
 * cell. */
#include "minimum_image.h"

#include <string.h>

static DebyeVec3
without(DebyeVec3 v, DebyeVec3 u, double times)
{
  return debye_vec3_subtract(v, debye_vec3_scale(u, times));
}

static double
square(DebyeVec3 v)
{
  return debye_vec3_dot(v, v);
}

static void
sort_by_length(DebyeVec3 v[3])
{
  for (int i = 0; i < 2; i++)
    for (int j = 2; j > i; j--)
      if (square(v[j]) < square(v[j - 1])) {
        DebyeVec3 longer = v[j - 1];
        v[j - 1] = v[j];
        v[j] = longer;
      }
}

/* Gauss: the plane's two shortest. */
static void
reduce_two(DebyeVec3 *u, DebyeVec3 *v)
{
  for (;;) {
    double times = rint(debye_vec3_dot(*u, *v) / square(*u));
    DebyeVec3 shorter = without(*v, *u, times);
    if (!(square(shorter) < square(*v) * (1.0 - 1e-13)))
      return;
    *v = shorter;
    if (square(*v) < square(*u)) {
      *v = *u;
      *u = shorter;
    }
  }
}

/* v without the vector of the plane's lattice (u, w) that leaves least. */
static DebyeVec3
reduce_by_plane(DebyeVec3 v, DebyeVec3 u, DebyeVec3 w)
{
  double uu = square(u), ww = square(w), uw = debye_vec3_dot(u, w);
  double vu = debye_vec3_dot(v, u), vw = debye_vec3_dot(v, w), determinant = uu * ww - uw * uw;
  double s = rint((vu * ww - vw * uw) / determinant), t = rint((vw * uu - vu * uw) / determinant);
  DebyeVec3 best = v;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      DebyeVec3 candidate = without(without(v, u, s + i), w, t + j);
      if (square(candidate) < square(best) * (1.0 - 1e-13))
        best = candidate;
    }
  return best;
}

/* Leaves a cell that is reduced as it is, so that an orthogonal one stays exact. */
static void
reduce(DebyeVec3 v[3])
{
  for (;;) {
    sort_by_length(v);
    reduce_two(&v[0], &v[1]);
    DebyeVec3 shorter = reduce_by_plane(v[2], v[0], v[1]);
    if (!(square(shorter) < square(v[2])))
      return;
    v[2] = shorter;
  }
}

/* The frame by Gram and Schmidt. Of an upright cell the quotients are exactly 1 and 0. */
static void
set_frame(DebyeLattice *lattice, const DebyeVec3 v[3])
{
  DebyeVec3 axis[3];
  for (int i = 0; i < 3; i++) {
    DebyeVec3 rest = v[i];
    for (int k = 0; k < i; k++) {
      lattice->vector[i][k] = debye_vec3_dot(v[i], axis[k]);
      rest = without(rest, axis[k], debye_vec3_dot(rest, axis[k]));
    }
    double length = debye_vec3_length(rest);
    axis[i] = debye_vec3(rest.x / length, rest.y / length, rest.z / length);
    lattice->vector[i][i] = length;
    lattice->inverse[i] = 1.0 / length;
    memcpy(lattice->axis[i], (double[3]){axis[i].x, axis[i].y, axis[i].z}, sizeof lattice->axis[i]);
  }
}

static void
set_neighbours(DebyeLattice *lattice)
{
  lattice->shortest = INFINITY;
  for (int v = 0; v < DEBYE_LATTICE_N_NEIGHBOURS; v++) {
    /* 14 to 26 in base 3: from (1, −1, −1) less 13, one of each pair v, −v. */
    int code = 14 + v, n[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
    for (int axis = 0; axis < 3; axis++)
      lattice->step[v][axis] = (int8_t)n[axis];
    debye_lattice_shift(lattice, n, lattice->neighbour[v]);
    double length2 = debye_dot3(lattice->neighbour[v], lattice->neighbour[v]);
    lattice->half_square[v] = 0.5 * length2;
    lattice->shortest = fmin(lattice->shortest, sqrt(length2));
  }
}

bool
debye_lattice_init(DebyeLattice *lattice, const DebyeCell *cell)
{
  *lattice = (DebyeLattice){.axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  if (cell == NULL)
    return true;
  if (!debye_cell_is_valid(cell))
    return false;
  DebyeVec3 v[3] = {cell->a, cell->b, cell->c};
  reduce(v);
  lattice->periodic = true;
  set_frame(lattice, v);
  set_neighbours(lattice);
  return true;
}
