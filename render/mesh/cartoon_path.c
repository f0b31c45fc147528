/* SPDX-License-Identifier: MIT */
/* Finds where a ribbon runs and how it is turned for cartoon_mesh.c, after Carson and Bugg, J. Mol. Graph. 4,
 * 121 (1986): wide along the peptide's C=O, which points along the axis of a helix and lies in the plane of a
 * sheet. The spline is C2, since a helix has only 3.6 residues a turn: tangents from neighbours alone would
 * draw it square. */
#include "cartoon_path.h"

#include "data/molecule/periodic.h"

#define SMOOTHINGS 2      /* of a strand's places */
#define SIDE_SMOOTHINGS 4 /* of the sides of strands and helices: a ribbon shows each turn of them */
#define AXIS_REACH 2      /* units before and behind, whose turns make the axis of a helix */
#define LONGEST_SIDE 12.0 /* Å: beyond, a cell's wall has cut the residue */

static DebyeVec3
normalised(DebyeVec3 v, DebyeVec3 otherwise)
{
  double length = debye_vec3_length(v);
  return length > 1e-9 ? debye_vec3_scale(v, 1.0 / length) : otherwise;
}

static DebyeVec3
without(DebyeVec3 v, DebyeVec3 unit)
{
  return debye_vec3_subtract(v, debye_vec3_scale(unit, debye_vec3_dot(v, unit)));
}

/* Some direction across a unit vector. */
static DebyeVec3
any_across(DebyeVec3 unit)
{
  DebyeVec3 other = fabs(unit.x) < 0.7 ? debye_vec3(1.0, 0.0, 0.0) : debye_vec3(0.0, 1.0, 0.0);
  return normalised(debye_vec3_cross(unit, other), other);
}

/* (before + 2 here + after) / 4, of the members of `shape` that have both neighbours. */
static void
smooth(DebyeVec3 *values, const guint8 *shapes, gsize n, DebyeCartoonShape shape)
{
  DebyeVec3 before = values[0];
  for (gsize i = 1; i + 1 < n; i++) {
    DebyeVec3 here = values[i];
    if (shapes[i] == shape) {
      DebyeVec3 sum = debye_vec3_add(debye_vec3_add(before, values[i + 1]), debye_vec3_scale(here, 2.0));
      values[i] = debye_vec3_scale(sum, 0.25);
    }
    before = here;
  }
}

/* --- Along --- */

/* Natural spline: second derivatives are continuous within and zero at the ends. Thomas' algorithm for
 * speeds[i−1] + 4 speeds[i] + speeds[i+1] = 3 (points[i+1] − points[i−1]). */
static void
find_speeds(DebyeCartoonPath *path)
{
  gsize n = path->n;
  g_autofree double *ratio = g_new(double, n);
  for (gsize i = 0; i < n; i++) {
    gsize low = i > 0 ? i - 1 : 0, high = i + 1 < n ? i + 1 : n - 1;
    double diagonal = i == 0 || i + 1 == n ? 2.0 : 4.0;
    DebyeVec3 right = debye_vec3_scale(debye_vec3_subtract(path->points[high], path->points[low]), 3.0);
    if (i > 0) {
      diagonal -= ratio[i - 1];
      right = debye_vec3_subtract(right, path->speeds[i - 1]);
    }
    ratio[i] = 1.0 / diagonal;
    path->speeds[i] = debye_vec3_scale(right, 1.0 / diagonal);
  }
  for (gsize i = n - 1; i-- > 0;)
    path->speeds[i] = debye_vec3_subtract(path->speeds[i], debye_vec3_scale(path->speeds[i + 1], ratio[i]));
}

/* --- Aside --- */

/* Where the file has nothing that tells, zero. */
static DebyeVec3
chemical_side(const DebyeBackboneUnit *unit, const DebyeFrame *frame)
{
  gboolean is_protein = unit->polymer == DEBYE_POLYMER_PROTEIN;
  guint32 from = is_protein ? unit->c : unit->trace, to = is_protein ? unit->o : unit->sugar;
  if (from == DEBYE_NO_ATOM || to == DEBYE_NO_ATOM)
    return debye_vec3(0.0, 0.0, 0.0);
  DebyeVec3 way =
      debye_vec3_subtract(debye_frame_get_position(frame, to), debye_frame_get_position(frame, from));
  return debye_vec3_length(way) < LONGEST_SIDE ? way : debye_vec3(0.0, 0.0, 0.0);
}

/* Outwards from a turn of the path. */
static DebyeVec3
bend(const DebyeCartoonPath *path, gsize i)
{
  DebyeVec3 sum = debye_vec3_add(path->points[i - 1], path->points[i + 1]);
  return debye_vec3_subtract(debye_vec3_scale(path->points[i], 2.0), sum);
}

/* The last unit of the shape that begins at `first`. */
static gsize
end_of_shape(const guint8 *shapes, gsize n, gsize first)
{
  gsize last = first;
  while (last + 1 < n && shapes[last + 1] == shapes[first])
    last++;
  return last;
}

/* The axis of a helix is normal to the turns of two units in a row (Kahn, Comput. Chem. 13, 185 (1989)). Its ends are
 * left to the units within: their C=O point anywhere, which would bend the ribbon's end up like a dog's ear. */
static void
find_helix_sides(DebyeCartoonPath *path, gsize first, gsize last)
{
  const gsize inset = last - first >= 3 ? 1 : 0;
  const gsize low = MAX(first + inset, 1), high = MIN(last - inset, path->n - 2);
  for (gsize i = first; i <= last; i++) {
    DebyeVec3 axis = debye_vec3(0.0, 0.0, 0.0);
    for (gsize k = MAX(low + AXIS_REACH, i) - AXIS_REACH; k + 1 <= MIN(high, i + AXIS_REACH); k++) {
      DebyeVec3 turn = debye_vec3_cross(bend(path, k), bend(path, k + 1));
      axis = debye_vec3_add(axis, normalised(turn, debye_vec3(0.0, 0.0, 0.0)));
    }
    if (debye_vec3_length(axis) > 0.5)
      path->sides[i] = axis;
  }
}

/* A tube may turn as it likes; beside a ribbon it turns with it, so that the ribbon's end doesn't twist. */
static void
lend_sides(DebyeCartoonPath *path, gsize first, gsize last, const guint8 *shapes)
{
  if (first > 0 && shapes[first - 1] == DEBYE_CARTOON_COIL)
    path->sides[first - 1] = path->sides[first];
  if (last + 1 < path->n && shapes[last + 1] == DEBYE_CARTOON_COIL)
    path->sides[last + 1] = path->sides[last];
}

/* Turned so that the ribbon doesn't twist by more than a right angle from one residue to the next. */
static void
turn_sides(DebyeCartoonPath *path)
{
  for (gsize i = 0; i < path->n; i++) {
    DebyeVec3 along = normalised(path->speeds[i], debye_vec3(0.0, 0.0, 1.0));
    DebyeVec3 before = i > 0 ? without(path->sides[i - 1], along) : debye_vec3(0.0, 0.0, 0.0);
    before = normalised(before, any_across(along));
    DebyeVec3 side = normalised(without(path->sides[i], along), before);
    path->sides[i] = i > 0 && debye_vec3_dot(side, before) < 0.0 ? debye_vec3_scale(side, -1.0) : side;
  }
}

static void
find_sides(DebyeCartoonPath *path, const DebyeBackboneUnit *units, const guint8 *shapes,
           const DebyeFrame *frame)
{
  for (gsize i = 0; i < path->n; i++)
    path->sides[i] = chemical_side(&units[i], frame);
  for (gsize first = 0, last; first < path->n; first = last + 1) {
    last = end_of_shape(shapes, path->n, first);
    if (shapes[first] == DEBYE_CARTOON_HELIX)
      find_helix_sides(path, first, last);
    if (shapes[first] != DEBYE_CARTOON_COIL)
      lend_sides(path, first, last, shapes);
  }
  turn_sides(path);
  for (int k = 0; k < SIDE_SMOOTHINGS; k++) {
    smooth(path->sides, shapes, path->n, DEBYE_CARTOON_STRAND);
    smooth(path->sides, shapes, path->n, DEBYE_CARTOON_HELIX);
  }
}

void
debye_cartoon_path_init(DebyeCartoonPath *path, const DebyeBackboneUnit *units, const guint8 *shapes, gsize n,
                        const DebyeFrame *frame)
{
  *path = (DebyeCartoonPath){
      .n = n, .points = g_new(DebyeVec3, n), .speeds = g_new(DebyeVec3, n), .sides = g_new(DebyeVec3, n)};
  for (gsize i = 0; i < n; i++)
    path->points[i] = debye_frame_get_position(frame, units[i].trace);
  for (int k = 0; k < SMOOTHINGS; k++)
    smooth(path->points, shapes, n, DEBYE_CARTOON_STRAND);
  find_speeds(path);
  find_sides(path, units, shapes, frame);
}

void
debye_cartoon_path_clear(DebyeCartoonPath *path)
{
  g_clear_pointer(&path->points, g_free);
  g_clear_pointer(&path->speeds, g_free);
  g_clear_pointer(&path->sides, g_free);
}

/* Hermite's form. */
void
debye_cartoon_path_get(const DebyeCartoonPath *path, double place, DebyeCartoonPlace *at)
{
  gsize i = MIN((gsize)fmax(place, 0.0), path->n - 2);
  double t = fmin(fmax(place - (double)i, 0.0), 1.0), u = 1.0 - t;
  const DebyeVec3 *p = path->points + i, *v = path->speeds + i;
  const double at_points[2] = {u * u * (1.0 + 2.0 * t), t * t * (1.0 + 2.0 * u)};
  const double at_speeds[2] = {t * u * u, -t * t * u};
  const double slopes[2] = {u * (1.0 - 3.0 * t), t * (1.0 - 3.0 * u)};
  DebyeVec3 way = debye_vec3_scale(debye_vec3_subtract(p[1], p[0]), 6.0 * t * u);
  at->position = debye_vec3(0.0, 0.0, 0.0);
  for (int end = 0; end < 2; end++) {
    at->position = debye_vec3_add(at->position, debye_vec3_scale(p[end], at_points[end]));
    at->position = debye_vec3_add(at->position, debye_vec3_scale(v[end], at_speeds[end]));
    way = debye_vec3_add(way, debye_vec3_scale(v[end], slopes[end]));
  }
  at->along = normalised(way, debye_vec3(0.0, 0.0, 1.0));
  DebyeVec3 side =
      debye_vec3_add(debye_vec3_scale(path->sides[i], u), debye_vec3_scale(path->sides[i + 1], t));
  at->side = normalised(without(side, at->along), any_across(at->along));
  at->up = debye_vec3_cross(at->along, at->side);
}
