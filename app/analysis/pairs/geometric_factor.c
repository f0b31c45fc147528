/* SPDX-License-Identifier: MIT */
/* Implementation of geometric_factor.h; called by rdf_plan.c and rdf_result.c. */
#include "geometric_factor.h"

#include <math.h>

#define DIRECTIONS 262144
#define GOLDEN_ANGLE 2.39996322972865332 /* π(3 − √5) */

static gboolean
is_upright(const DebyeLattice *lattice)
{
  /* An angle of 90° in a file has a cosine of 6e-17. */
  const double least = 1e-9 * lattice->shortest;
  return fabs(lattice->vector[1][0]) < least && fabs(lattice->vector[2][0]) < least &&
         fabs(lattice->vector[2][1]) < least;
}

/* --- Upright cells --- */

/* Solid angle of the points of the unit sphere with x > a and y > b, both positive: 2π less the turns of its two arcs and its
 * two corners. */
static double
overlap(double a, double b)
{
  const double across_a = sqrt(1.0 - a * a), across_b = sqrt(1.0 - b * b);
  if (a * a + b * b >= 1.0)
    return 0.0;
  return 2.0 * acos(fmin(1.0, a * b / (across_a * across_b))) - 2.0 * a * acos(fmin(1.0, b / across_a)) -
         2.0 * b * acos(fmin(1.0, a / across_b));
}

/* Of a sphere of radius r around the middle of a cuboid with these half edges, what is inside. */
static double
share_of_sphere(const double half[3], double r)
{
  double share = 1.0;
  if (r * r >= half[0] * half[0] + half[1] * half[1] + half[2] * half[2])
    return 0.0;
  for (int i = 0; i < 3; i++) {
    if (half[i] < r)
      share -= 1.0 - half[i] / r;
    for (int j = 0; j < i; j++)
      if (half[i] < r && half[j] < r)
        share += overlap(half[i] / r, half[j] / r) / G_PI;
  }
  return MAX(share, 0.0);
}

/* ∫3r² share dr by Gauss and Legendre's rule of five points. */
static double
integrate_smooth(const double half[3], double from, double to)
{
  static const double places[] = {0.0, 0.5384693101056831, 0.9061798459386640};
  static const double weights[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double middle = 0.5 * (from + to), reach = 0.5 * (to - from);
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    for (int sign = i == 0 ? 1 : -1; sign <= 1; sign += 2) {
      const double r = middle + sign * reach * places[i];
      sum += weights[i] * 3.0 * r * r * share_of_sphere(half, r);
    }
  return reach * sum;
}

/* In pieces between the radii at which faces, edges and corners are reached. */
static double
integrate(const double half[3], double from, double to)
{
  double sum = 0.0, begin = from;
  while (begin < to) {
    double end = to;
    for (int corner = 1; corner < 8; corner++) {
      double square = 0.0;
      for (int i = 0; i < 3; i++)
        square += (corner >> i & 1) != 0 ? half[i] * half[i] : 0.0;
      const double kink = sqrt(square);
      end = kink > begin && kink < end ? kink : end;
    }
    sum += integrate_smooth(half, begin, end);
    begin = end;
  }
  return sum;
}

static void
fill_upright(const DebyeLattice *lattice, double width, gsize n_bins, double *factor)
{
  const double half[3] = {0.5 * lattice->vector[0][0], 0.5 * lattice->vector[1][1],
                          0.5 * lattice->vector[2][2]};
  for (gsize k = 0; k < n_bins; k++) {
    const double low = width * (double)k, high = width * (double)(k + 1);
    factor[k] = high <= half[0] && high <= half[1] && high <= half[2]
                    ? 1.0
                    : integrate(half, low, high) / (high * high * high - low * low * low);
  }
}

/* --- Others --- */

/* How far the cell reaches in a direction. */
static double
distance_of_face(const DebyeLattice *lattice, const double direction[3])
{
  double distance = INFINITY;
  for (int i = 0; i < DEBYE_LATTICE_N_NEIGHBOURS; i++) {
    const double along = fabs(debye_dot3(lattice->neighbour[i], direction));
    distance = fmin(distance, lattice->half_square[i] / along);
  }
  return distance;
}

/* Directions on a golden spiral over half a sphere: the other half is the same. */
static void
fill_skew(const DebyeLattice *lattice, double width, gsize n_bins, gsize n_directions, double *factor)
{
  g_autofree gsize *n_ends = g_new0(gsize, n_bins);
  gsize n_inside = n_directions;
  for (gsize k = 0; k < n_bins; k++)
    factor[k] = 0.0;
  for (gsize i = 0; i < n_directions; i++) {
    const double z = ((double)i + 0.5) / (double)n_directions, across = sqrt(1.0 - z * z);
    const double direction[3] = {across * cos(GOLDEN_ANGLE * (double)i),
                                 across * sin(GOLDEN_ANGLE * (double)i), z};
    const double end = distance_of_face(lattice, direction) / width;
    const double bin = floor(end), next = bin + 1.0;
    if (!(bin < (double)n_bins))
      continue;
    n_ends[(gsize)bin]++;
    factor[(gsize)bin] += (end * end * end - bin * bin * bin) / (next * next * next - bin * bin * bin);
  }
  for (gsize k = 0; k < n_bins; k++) {
    n_inside -= n_ends[k];
    factor[k] = (factor[k] + (double)n_inside) / (double)n_directions;
  }
}

/* --- Both --- */

double
debye_geometric_factor_fill(const DebyeCell *cell, double width, gsize n_bins, double *factor)
{
  DebyeLattice lattice;
  double error = 0.0;
  if (!debye_lattice_init(&lattice, cell) || !lattice.periodic || is_upright(&lattice)) {
    fill_upright(&lattice, width, n_bins, factor);
    return 0.0;
  }
  g_autofree double *coarser = g_new(double, n_bins);
  fill_skew(&lattice, width, n_bins, DIRECTIONS, factor);
  fill_skew(&lattice, width, n_bins, DIRECTIONS / 2, coarser);
  for (gsize k = 0; k < n_bins; k++)
    error = fmax(error, fabs(factor[k] - coarser[k]));
  return error;
}

/* Where three of the planes meet that halve the ways to images; FALSE: nowhere. */
static gboolean
find_corner(const DebyeLattice *lattice, const int planes[3], const int signs[3], double corner[3])
{
  const double *a = lattice->neighbour[planes[0]], *b = lattice->neighbour[planes[1]],
               *c = lattice->neighbour[planes[2]];
  const DebyeVec3 u = debye_vec3(a[0], a[1], a[2]), v = debye_vec3(b[0], b[1], b[2]),
                  w = debye_vec3(c[0], c[1], c[2]);
  const double volume = debye_vec3_dot(u, debye_vec3_cross(v, w));
  if (fabs(volume) < 1e-9 * pow(lattice->shortest, 3.0))
    return FALSE;
  const DebyeVec3 sum = debye_vec3_add(
      debye_vec3_scale(debye_vec3_cross(v, w), signs[0] * lattice->half_square[planes[0]]),
      debye_vec3_add(debye_vec3_scale(debye_vec3_cross(w, u), signs[1] * lattice->half_square[planes[1]]),
                     debye_vec3_scale(debye_vec3_cross(u, v), signs[2] * lattice->half_square[planes[2]])));
  corner[0] = sum.x / volume;
  corner[1] = sum.y / volume;
  corner[2] = sum.z / volume;
  return TRUE;
}

/* Whether no image is nearer to that point than the origin. */
static gboolean
is_in_cell(const DebyeLattice *lattice, const double point[3])
{
  for (int i = 0; i < DEBYE_LATTICE_N_NEIGHBOURS; i++)
    if (fabs(debye_dot3(lattice->neighbour[i], point)) > lattice->half_square[i] * (1.0 + 1e-9))
      return FALSE;
  return TRUE;
}

/* The farthest corner of the cell around the origin that these three planes make. Of a corner and its opposite one is
 * enough: the first sign is positive. */
static double
reach_of_planes(const DebyeLattice *lattice, const int planes[3])
{
  double reach = 0.0, corner[3];
  for (int turn = 0; turn < 4; turn++) {
    const int signs[3] = {1, (turn & 1) != 0 ? -1 : 1, (turn & 2) != 0 ? -1 : 1};
    if (find_corner(lattice, planes, signs, corner) && is_in_cell(lattice, corner))
      reach = fmax(reach, sqrt(debye_dot3(corner, corner)));
  }
  return reach;
}

double
debye_geometric_factor_reach(const DebyeCell *cell)
{
  DebyeLattice lattice;
  double reach = 0.0;
  if (!debye_lattice_init(&lattice, cell) || !lattice.periodic)
    return 0.0;
  for (int i = 0; i < DEBYE_LATTICE_N_NEIGHBOURS; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++)
        reach = fmax(reach, reach_of_planes(&lattice, (const int[]){i, j, k}));
  return reach;
}
