/* SPDX-License-Identifier: MIT */
/* Cells of any shape: a lattice is first described by its shortest vectors, because only with those is the
 * nearest image among the 27 around the rounded one (for a skewed cell as given it can be many cells away). */
#include "periodic.h"

/* Each step of the reduction shortens a vector; a hundred are far more than any cell of finite shape needs. */
#define MAXIMUM_REDUCTIONS 100
/* A vector counts as shorter only beyond rounding, or the reduction could go round in circles. */
#define LENGTH_TOLERANCE (1.0 - 1e-12)

static DebyeVec3
combine(const DebyeVec3 vectors[3], double i, double j, double k)
{
  DebyeVec3 sum = debye_vec3_scale(vectors[0], i);
  sum = debye_vec3_add(sum, debye_vec3_scale(vectors[1], j));
  return debye_vec3_add(sum, debye_vec3_scale(vectors[2], k));
}

static DebyeVec3
project(const DebyeVec3 rows[3], DebyeVec3 position)
{
  return debye_vec3(debye_vec3_dot(rows[0], position), debye_vec3_dot(rows[1], position),
                    debye_vec3_dot(rows[2], position));
}

static void
invert(const DebyeVec3 vectors[3], DebyeVec3 inverse[3])
{
  double volume = debye_vec3_dot(vectors[0], debye_vec3_cross(vectors[1], vectors[2]));
  for (int k = 0; k < 3; k++)
    inverse[k] = debye_vec3_scale(debye_vec3_cross(vectors[(k + 1) % 3], vectors[(k + 2) % 3]), 1.0 / volume);
}

static double
squared_length(DebyeVec3 v)
{
  return debye_vec3_dot(v, v);
}

static void
swap_if_longer(DebyeVec3 *u, DebyeVec3 *v)
{
  if (squared_length(*v) < squared_length(*u)) {
    DebyeVec3 w = *u;
    *u = *v;
    *v = w;
  }
}

static void
sort_by_length(DebyeVec3 vectors[3])
{
  swap_if_longer(&vectors[0], &vectors[1]);
  swap_if_longer(&vectors[1], &vectors[2]);
  swap_if_longer(&vectors[0], &vectors[1]);
}

/* Gauss: takes the shorter vector from the longer one as often as it shortens it. */
static void
reduce_pair(DebyeVec3 *u, DebyeVec3 *v)
{
  for (int step = 0; step < MAXIMUM_REDUCTIONS; step++) {
    swap_if_longer(u, v);
    double n = rint(debye_vec3_dot(*u, *v) / squared_length(*u));
    DebyeVec3 shorter = debye_vec3_subtract(*v, debye_vec3_scale(*u, n));
    if (!(squared_length(shorter) < LENGTH_TOLERANCE * squared_length(*v)))
      return;
    *v = shorter;
  }
}

/* The third vector less the point of the plane lattice (u, v) nearest to it; u and v are reduced. */
static DebyeVec3
reduce_third(DebyeVec3 u, DebyeVec3 v, DebyeVec3 w)
{
  double uu = squared_length(u), vv = squared_length(v), uv = debye_vec3_dot(u, v);
  double uw = debye_vec3_dot(u, w), vw = debye_vec3_dot(v, w);
  double determinant = uu * vv - uv * uv;
  double i = rint((uw * vv - vw * uv) / determinant);
  double j = rint((vw * uu - uw * uv) / determinant);
  DebyeVec3 shortest = w;
  for (int di = -1; di <= 1; di++)
    for (int dj = -1; dj <= 1; dj++) {
      DebyeVec3 plane = debye_vec3_add(debye_vec3_scale(u, i + di), debye_vec3_scale(v, j + dj));
      DebyeVec3 candidate = debye_vec3_subtract(w, plane);
      if (squared_length(candidate) < LENGTH_TOLERANCE * squared_length(shortest))
        shortest = candidate;
    }
  return shortest;
}

/* Minkowski reduction in three dimensions (Nguyen and Stehlé, ACM Trans. Algorithms 5, 46 (2009)). */
static void
reduce(DebyeVec3 vectors[3])
{
  for (int step = 0; step < MAXIMUM_REDUCTIONS; step++) {
    sort_by_length(vectors);
    reduce_pair(&vectors[0], &vectors[1]);
    DebyeVec3 third = reduce_third(vectors[0], vectors[1], vectors[2]);
    gboolean shortened = squared_length(third) < LENGTH_TOLERANCE * squared_length(vectors[2]);
    vectors[2] = third;
    if (!shortened)
      break;
  }
  sort_by_length(vectors);
}

static gboolean
is_right_angle(DebyeVec3 u, DebyeVec3 v)
{
  return fabs(debye_vec3_dot(u, v)) <= 1e-12 * debye_vec3_length(u) * debye_vec3_length(v);
}

void
debye_periodic_init(DebyePeriodic *periodic, const DebyeCell *cell)
{
  *periodic = (DebyePeriodic){.is_periodic = cell && debye_cell_is_valid(cell)};
  if (!periodic->is_periodic)
    return;
  DebyeVec3 *reduced = periodic->reduced;
  periodic->vector[0] = reduced[0] = cell->a;
  periodic->vector[1] = reduced[1] = cell->b;
  periodic->vector[2] = reduced[2] = cell->c;
  reduce(reduced);
  invert(periodic->vector, periodic->inverse);
  invert(reduced, periodic->reduced_inverse);
  for (int k = 0; k < 3; k++)
    periodic->width[k] = 1.0 / debye_vec3_length(periodic->reduced_inverse[k]);
  periodic->is_orthogonal = is_right_angle(reduced[0], reduced[1]) &&
                            is_right_angle(reduced[1], reduced[2]) && is_right_angle(reduced[0], reduced[2]);
  periodic->safe_squared = squared_length(reduced[0]) / 4.0;
}

void
debye_periodic_init_for_frame(DebyePeriodic *periodic, const DebyeFrame *frame)
{
  debye_periodic_init(periodic, frame->has_cell ? &frame->cell : NULL);
}

static DebyeVec3
shortest_around(const DebyePeriodic *periodic, DebyeVec3 displacement)
{
  DebyeVec3 shortest = displacement;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      for (int k = -1; k <= 1; k++) {
        DebyeVec3 image = debye_vec3_add(displacement, combine(periodic->reduced, i, j, k));
        if (squared_length(image) < squared_length(shortest))
          shortest = image;
      }
  return shortest;
}

DebyeVec3
debye_periodic_minimum_image(const DebyePeriodic *periodic, DebyeVec3 displacement)
{
  if (!periodic->is_periodic)
    return displacement;
  DebyeVec3 f = project(periodic->reduced_inverse, displacement);
  DebyeVec3 lattice = combine(periodic->reduced, rint(f.x), rint(f.y), rint(f.z));
  displacement = debye_vec3_subtract(displacement, lattice);
  if (periodic->is_orthogonal || squared_length(displacement) <= periodic->safe_squared)
    return displacement;
  return shortest_around(periodic, displacement);
}

double
debye_periodic_distance(const DebyePeriodic *periodic, DebyeVec3 p, DebyeVec3 q)
{
  return debye_vec3_length(debye_periodic_minimum_image(periodic, debye_vec3_subtract(p, q)));
}

double
debye_periodic_get_reach(const DebyePeriodic *periodic)
{
  double sum = 0.0;
  for (int k = 0; k < 3; k++)
    sum += debye_vec3_length(periodic->reduced[k]);
  return sum / 2.0;
}

DebyeVec3
debye_periodic_to_fraction(const DebyePeriodic *periodic, DebyeVec3 position)
{
  return periodic->is_periodic ? project(periodic->inverse, position) : position;
}

DebyeVec3
debye_periodic_from_fraction(const DebyePeriodic *periodic, DebyeVec3 fraction)
{
  return periodic->is_periodic ? combine(periodic->vector, fraction.x, fraction.y, fraction.z) : fraction;
}

DebyeVec3
debye_periodic_wrap_shift(const DebyePeriodic *periodic, DebyeVec3 position, DebyeVec3 center)
{
  if (!periodic->is_periodic || !debye_vec3_is_finite(position))
    return debye_vec3(0.0, 0.0, 0.0);
  DebyeVec3 f = project(periodic->inverse, debye_vec3_subtract(position, center));
  return combine(periodic->vector, -floor(f.x + 0.5), -floor(f.y + 0.5), -floor(f.z + 0.5));
}

DebyeVec3
debye_periodic_get_middle(const DebyePeriodic *periodic)
{
  return combine(periodic->vector, 0.5, 0.5, 0.5);
}

void
debye_frame_wrap_atoms(DebyeFrame *frame, DebyeVec3 center)
{
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  for (gsize i = 0; i < frame->n_atoms; i++) {
    DebyeVec3 position = debye_frame_get_position(frame, i);
    DebyeVec3 shift = debye_periodic_wrap_shift(&periodic, position, center);
    debye_frame_set_position(frame, i, debye_vec3_add(position, shift));
  }
}
