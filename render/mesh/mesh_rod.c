/* SPDX-License-Identifier: MIT */
/* Adds thin rods to a mesh: rungs of nucleic acids, dashes of hydrogen bonds and measurements; marks of atoms. */
#include "mesh.h"

#define DASH_BEGINS 0.22 /* of a period */
#define DASH_ENDS 0.78
#define RING_SEGMENTS 72

static DebyeVec3
any_across(DebyeVec3 unit)
{
  DebyeVec3 other = fabs(unit.x) < 0.7 ? debye_vec3(1.0, 0.0, 0.0) : debye_vec3(0.0, 1.0, 0.0);
  DebyeVec3 across = debye_vec3_cross(unit, other);
  return debye_vec3_scale(across, 1.0 / debye_vec3_length(across));
}

/* A flat end on the `n` vertices of a ring; `facing` 1: along the rod. */
static void
add_cap(DebyeMeshBuilder *builder, guint32 ring, guint32 n, DebyeVec3 along, double facing, guint32 atom)
{
  guint32 first = builder->atoms->len;
  DebyeVec3 normal = debye_vec3_scale(along, facing);
  for (guint32 k = 0; k < n; k++) {
    const float *p = &g_array_index(builder->positions, float, 3 * (ring + k));
    DebyeVec3 place = debye_vec3((double)p[0], (double)p[1], (double)p[2]);
    debye_mesh_builder_add_vertex(builder, place, normal, atom);
  }
  for (guint32 k = 1; k + 1 < n; k++)
    debye_mesh_builder_add_triangle(builder, first, first + k + (facing < 0.0), first + k + (facing > 0.0));
}

/* Two rings across `along`. */
static void
add_rings(DebyeMeshBuilder *builder, const DebyeVec3 ends[2], DebyeVec3 along, double radius, guint32 n,
          guint32 atom)
{
  DebyeVec3 side = any_across(along), up = debye_vec3_cross(along, side);
  for (int end = 0; end < 2; end++)
    for (guint32 k = 0; k < n; k++) {
      double angle = 2.0 * G_PI * k / n;
      DebyeVec3 normal = debye_vec3_add(debye_vec3_scale(side, cos(angle)), debye_vec3_scale(up, sin(angle)));
      debye_mesh_builder_add_vertex(builder, debye_vec3_add(ends[end], debye_vec3_scale(normal, radius)),
                                    normal, atom);
    }
}

void
debye_mesh_builder_add_rod(DebyeMeshBuilder *builder, DebyeVec3 from, DebyeVec3 to, double radius, int sides,
                           guint32 atom)
{
  DebyeVec3 way = debye_vec3_subtract(to, from);
  double length = debye_vec3_length(way);
  guint32 first = builder->atoms->len, n = (guint32)MAX(sides, 3);
  if (!(length > 0.0))
    return;
  DebyeVec3 along = debye_vec3_scale(way, 1.0 / length);
  add_rings(builder, (const DebyeVec3[2]){from, to}, along, radius, n, atom);
  for (guint32 k = 0; k < n; k++) {
    guint32 a = first + k, b = first + (k + 1) % n;
    debye_mesh_builder_add_triangle(builder, a, b, b + n);
    debye_mesh_builder_add_triangle(builder, a, b + n, a + n);
  }
  add_cap(builder, first, n, along, -1.0, atom);
  add_cap(builder, first + n, n, along, 1.0, atom);
}

void
debye_mesh_builder_add_dashes(DebyeMeshBuilder *builder, DebyeVec3 from, DebyeVec3 to, double radius,
                              double period, int sides, guint32 atom)
{
  DebyeVec3 way = debye_vec3_subtract(to, from);
  int n = MAX((int)(debye_vec3_length(way) / period + 0.5), 1);
  for (int i = 0; i < n; i++) {
    DebyeVec3 begin = debye_vec3_add(from, debye_vec3_scale(way, (i + DASH_BEGINS) / n));
    DebyeVec3 end = debye_vec3_add(from, debye_vec3_scale(way, (i + DASH_ENDS) / n));
    debye_mesh_builder_add_rod(builder, begin, end, radius, sides, atom);
  }
}

void
debye_mesh_builder_add_ring(DebyeMeshBuilder *builder, DebyeVec3 middle, double radius, double thickness,
                            int sides, guint32 atom)
{
  DebyeVec3 last = debye_vec3_add(middle, debye_vec3(radius, 0.0, 0.0));
  for (int i = 1; i <= RING_SEGMENTS; i++) {
    const double angle = 2.0 * G_PI * i / RING_SEGMENTS;
    const DebyeVec3 next = debye_vec3_add(middle, debye_vec3(radius * cos(angle), radius * sin(angle), 0.0));
    debye_mesh_builder_add_rod(builder, last, next, thickness, sides, atom);
    last = next;
  }
}

/* From each corner to those that one step of an axis leads to. */
void
debye_mesh_builder_add_cube(DebyeMeshBuilder *builder, DebyeVec3 low, double edge, double thickness,
                            int sides, guint32 atom)
{
  for (unsigned from = 0; from < 8; from++)
    for (unsigned axis = 0; axis < 3; axis++) {
      const unsigned ends[] = {from, from | 1u << axis};
      DebyeVec3 corners[2];
      if (ends[1] == from)
        continue;
      for (int end = 0; end < 2; end++) {
        const DebyeVec3 corner = debye_vec3(ends[end] & 1u, ends[end] >> 1 & 1u, ends[end] >> 2);
        corners[end] = debye_vec3_add(low, debye_vec3_scale(corner, edge));
      }
      debye_mesh_builder_add_rod(builder, corners[0], corners[1], thickness, sides, atom);
    }
}

void
debye_mesh_builder_add_octahedron(DebyeMeshBuilder *builder, DebyeVec3 middle, double radius, guint32 atom)
{
  for (unsigned octant = 0; octant < 8; octant++) {
    const double x = octant & 1u ? -1.0 : 1.0, y = octant & 2u ? -1.0 : 1.0, z = octant & 4u ? -1.0 : 1.0;
    const DebyeVec3 normal = debye_vec3_scale(debye_vec3(x, y, z), 1.0 / sqrt(3.0));
    const DebyeVec3 tips[] = {debye_vec3(x, 0.0, 0.0), debye_vec3(0.0, y, 0.0), debye_vec3(0.0, 0.0, z)};
    const guint32 turned = x * y * z < 0.0;
    guint32 vertex[3];
    for (guint k = 0; k < 3; k++)
      vertex[k] = debye_mesh_builder_add_vertex(
          builder, debye_vec3_add(middle, debye_vec3_scale(tips[k], radius)), normal, atom);
    debye_mesh_builder_add_triangle(builder, vertex[0], vertex[1 + turned], vertex[2 - turned]);
  }
}
