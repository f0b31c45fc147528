/* SPDX-License-Identifier: MIT */
/* Implementation of surface.h. Each feature of the surface writes the points of the grid that it is nearest to, row by row
 * within its box; the nearest of all features stays. */
#include "surface.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
/* Of a crossing, against the edge. */
#define CROSSING_ERROR 1e-6
#define MAX_STEPS 60

/* Planes of a grid that are being found. */
typedef struct {
  const DebyeSurface *surface;
  const DebyeSurfaceGrid *grid;
  size_t first, count;
  double reach; /* Å from the surface in which depths are found */
  DebyeSurfacePoint *out;
} Planes;

/* Points [first, end) along each axis. */
typedef struct {
  size_t first[3], end[3];
} Box;

/* Initialisation. */

DebyeStatusCode
debye_surface_check(const DebyeSpheres *spheres, double probe, DebyeStatus *status)
{
  if (spheres->n >= DEBYE_SURFACE_CIRCLE || !(isfinite(probe) && probe >= 0.0))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A surface of %zu atoms and a probe of %g Å can't be made.", spheres->n, probe);
  for (size_t i = 0; i < spheres->n; i++) {
    const DebyeVec3 at = debye_sphere_center(spheres, i);
    const double radius = (double)spheres->radius[i];
    if (!isfinite(at.x + at.y + at.z) || !isfinite(radius) || radius < 0.0)
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu has no finite position or no radius: %g, %g, %g and %g Å.", i + 1,
                              at.x, at.y, at.z, radius);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_surface_init(DebyeSurface *surface, DebyeSurfaceKind kind, const DebyeSpheres *spheres, double probe,
                   const DebyeChunkRunner *runner, DebyeStatus *status)
{
  if (kind == DEBYE_SURFACE_EXCLUDED && probe == 0.0)
    kind = DEBYE_SURFACE_VAN_DER_WAALS;
  *surface = (DebyeSurface){.kind = kind, .spheres = *spheres, .probe = probe};
  const DebyeStatusCode code = debye_surface_check(spheres, probe, status);
  if (code != DEBYE_STATUS_OK || kind != DEBYE_SURFACE_EXCLUDED)
    return code;
  return debye_reduced_surface_init(&surface->reduced, spheres, probe, runner, status);
}

void
debye_surface_clear(DebyeSurface *surface)
{
  debye_reduced_surface_clear(&surface->reduced);
}

/* Boxes. */

static size_t
clamp(double value, size_t low, size_t high)
{
  return !(value > (double)low) ? low : value >= (double)high ? high : (size_t)value;
}

/* Whether planes are within reach of a height: most features are asked in vain. */
static inline bool
touches(const Planes *planes, double z, double reach)
{
  const DebyeSurfaceGrid *grid = planes->grid;
  const double low = grid->origin.z + grid->step[2] * (double)planes->first;
  return z + reach >= low && z - reach <= low + grid->step[2] * (double)(planes->count - 1);
}

/* What of the planes lies within `reach` of a center; false where nothing does. */
static bool
find_box(const Planes *planes, DebyeVec3 center, const double reach[3], Box *box)
{
  const DebyeSurfaceGrid *grid = planes->grid;
  if (!touches(planes, center.z, reach[2]))
    return false;
  const double offset[3] = {center.x - grid->origin.x, center.y - grid->origin.y, center.z - grid->origin.z};
  for (int axis = 0; axis < 3; axis++) {
    const size_t low = axis == 2 ? planes->first : 0;
    const size_t high = axis == 2 ? planes->first + planes->count : grid->shape[axis];
    box->first[axis] = clamp(ceil((offset[axis] - reach[axis]) / grid->step[axis]), low, high);
    box->end[axis] = clamp(floor((offset[axis] + reach[axis]) / grid->step[axis]) + 1.0, low, high);
    if (box->first[axis] >= box->end[axis])
      return false;
  }
  return true;
}

static DebyeSurfacePoint *
row_of(const Planes *planes, size_t y, size_t z)
{
  return planes->out + planes->grid->shape[0] * (y + planes->grid->shape[1] * (z - planes->first));
}

/* Points of the row through y and z that lie within a radius of the center; false where none do. */
static bool
find_row(const Planes *planes, const Box *box, DebyeVec3 offset, double radius, size_t *first, size_t *end)
{
  const double half2 = radius * radius - offset.y * offset.y - offset.z * offset.z;
  if (half2 < 0.0)
    return false;
  const double step = planes->grid->step[0], middle = -offset.x / step, half = sqrt(half2) / step;
  *first = clamp(ceil(middle - half), box->first[0], box->end[0]);
  *end = clamp(floor(middle + half) + 1.0, box->first[0], box->end[0]);
  return *first < *end;
}

/* Features. */

/* All that an expanded sphere contains may be within. */
static void
cover_sphere(const Planes *planes, size_t atom)
{
  const DebyeVec3 center = debye_sphere_center(&planes->surface->spheres, atom);
  const double radius = (double)planes->surface->spheres.radius[atom] + planes->surface->probe;
  const double reach[3] = {radius, radius, radius};
  Box box;
  size_t first, end;
  if (!find_box(planes, center, reach, &box))
    return;
  for (size_t z = box.first[2]; z < box.end[2]; z++)
    for (size_t y = box.first[1]; y < box.end[1]; y++) {
      const DebyeVec3 offset = debye_vec3_subtract(debye_surface_grid_point(planes->grid, 0, y, z), center);
      DebyeSurfacePoint *row = row_of(planes, y, z);
      if (find_row(planes, &box, offset, radius, &first, &end))
        for (size_t x = first; x < end; x++)
          row[x].depth = INFINITY;
    }
}

/* Whether a cap covers what is in this direction; the one that did the last time is asked first. */
static bool
is_covered(const DebyeSurfaceCap *caps, size_t n, DebyeVec3 direction, double length, size_t *last)
{
  if (n > 0 && debye_vec3_dot(direction, caps[*last].axis) > caps[*last].limit * length)
    return true;
  for (size_t i = 0; i < n; i++)
    if (debye_vec3_dot(direction, caps[i].axis) > caps[i].limit * length) {
      *last = i;
      return true;
    }
  return false;
}

/* What a feature is behind others that are as near. */
static inline double
handicap(uint32_t feature)
{
  return feature == DEBYE_SURFACE_NOTHING ? 0.0 : DEBYE_SURFACE_TIE * (double)(feature >> 30);
}

static inline bool
is_nearer(double depth, uint32_t feature, const DebyeSurfacePoint *point)
{
  return depth + handicap(feature) < (double)point->depth + handicap(point->feature);
}

static void
put(DebyeSurfacePoint *point, double depth, uint32_t feature)
{
  *point = (DebyeSurfacePoint){(float)depth, feature};
}

static void
put_face(const Planes *planes, const DebyeSurfaceFace *face)
{
  const DebyeReducedSurface *reduced = &planes->surface->reduced;
  const DebyeVec3 center = debye_sphere_center(&reduced->spheres, face->atom);
  const double radius = (double)reduced->spheres.radius[face->atom], expanded = radius + reduced->probe;
  const double reach[3] = {expanded, expanded, expanded};
  const DebyeSurfaceCap *caps = reduced->caps + face->first_cap;
  Box box;
  size_t first, end, last = 0;
  if (!find_box(planes, center, reach, &box))
    return;
  for (size_t z = box.first[2]; z < box.end[2]; z++)
    for (size_t y = box.first[1]; y < box.end[1]; y++) {
      DebyeVec3 offset = debye_vec3_subtract(debye_surface_grid_point(planes->grid, 0, y, z), center);
      const double start = offset.x;
      DebyeSurfacePoint *row = row_of(planes, y, z);
      if (!find_row(planes, &box, offset, expanded, &first, &end))
        continue;
      for (size_t x = first; x < end; x++) {
        offset.x = start + (double)x * planes->grid->step[0];
        const double distance = debye_vec3_length(offset), depth = radius - distance;
        /* In all directions the sphere is as near to its center. */
        if (depth < planes->reach && is_nearer(depth, DEBYE_SURFACE_FACE | face->atom, &row[x]) &&
            (distance < 1e-9 || !is_covered(caps, face->n_caps, offset, distance, &last)))
          put(&row[x], depth, DEBYE_SURFACE_FACE | face->atom);
      }
    }
}

static double
distance_to_circle(const DebyeSurfaceCircle *circle, DebyeVec3 offset, double *along_u, double *along_v)
{
  *along_u = debye_vec3_dot(offset, circle->u);
  *along_v = debye_vec3_dot(offset, circle->v);
  const double across2 = *along_u * *along_u + *along_v * *along_v;
  const double above2 = fmax(0.0, debye_vec3_dot(offset, offset) - across2);
  const double across = sqrt(across2) - circle->radius;
  return sqrt(across * across + above2);
}

/* An arc with what finding its points needs. */
typedef struct {
  const DebyeSurfaceCircle *circle;
  DebyeVec3 center; /* of a ball that holds all of it */
  double radius;
  double u, v, cosine; /* the direction of its middle, and of the angle from there to its ends */
} Arc;

static Arc
arc_of(const DebyeReducedSurface *reduced, const DebyeSurfaceCircle *circle, uint32_t number)
{
  const DebyeSurfaceArc *arc = &reduced->arcs[circle->first_arc + number];
  const double half = 0.5 * arc->length, middle = arc->begin + half;
  Arc made = {.circle = circle, .center = circle->center, .radius = circle->radius};
  made.u = cos(middle);
  made.v = sin(middle);
  made.cosine = cos(half);
  if (half < 0.5 * PI) {
    const DebyeVec3 along =
        debye_vec3_add(debye_vec3_scale(circle->u, made.u), debye_vec3_scale(circle->v, made.v));
    /* The ball about the middle of the chord. */
    made.center = debye_vec3_add(circle->center, debye_vec3_scale(along, circle->radius * made.cosine));
    made.radius = circle->radius * sin(half);
  }
  return made;
}

static void
put_arc(const Planes *planes, const Arc *arc, uint32_t feature)
{
  const DebyeSurfaceCircle *circle = arc->circle;
  const double probe = planes->surface->reduced.probe, most = probe + planes->reach + arc->radius;
  const double reach[3] = {most, most, most};
  Box box;
  size_t first, end;
  if (!find_box(planes, arc->center, reach, &box))
    return;
  for (size_t z = box.first[2]; z < box.end[2]; z++)
    for (size_t y = box.first[1]; y < box.end[1]; y++) {
      const DebyeVec3 start = debye_surface_grid_point(planes->grid, 0, y, z);
      DebyeVec3 offset = debye_vec3_subtract(start, circle->center);
      const double start_x = offset.x;
      DebyeSurfacePoint *row = row_of(planes, y, z);
      if (!find_row(planes, &box, debye_vec3_subtract(start, arc->center), most, &first, &end))
        continue;
      for (size_t x = first; x < end; x++) {
        double along_u, along_v;
        offset.x = start_x + (double)x * planes->grid->step[0];
        const double depth = distance_to_circle(circle, offset, &along_u, &along_v) - probe;
        if (depth < planes->reach && is_nearer(depth, feature, &row[x]) &&
            along_u * arc->u + along_v * arc->v >= arc->cosine * sqrt(along_u * along_u + along_v * along_v))
          put(&row[x], depth, feature);
      }
    }
}

static void
put_circle(const Planes *planes, uint32_t number)
{
  const DebyeReducedSurface *reduced = &planes->surface->reduced;
  const DebyeSurfaceCircle *circle = &reduced->circles[number];
  if (!touches(planes, circle->center.z, circle->radius + reduced->probe + planes->reach))
    return;
  for (uint32_t i = 0; i < circle->n_arcs; i++) {
    const Arc arc = arc_of(reduced, circle, i);
    put_arc(planes, &arc, DEBYE_SURFACE_CIRCLE | number);
  }
}

static void
put_vertex(const Planes *planes, uint32_t number)
{
  const DebyeReducedSurface *reduced = &planes->surface->reduced;
  const DebyeVec3 vertex = reduced->vertices[number];
  const double most = reduced->probe + planes->reach, reach[3] = {most, most, most};
  Box box;
  size_t first, end;
  if (!find_box(planes, vertex, reach, &box))
    return;
  for (size_t z = box.first[2]; z < box.end[2]; z++)
    for (size_t y = box.first[1]; y < box.end[1]; y++) {
      DebyeVec3 offset = debye_vec3_subtract(debye_surface_grid_point(planes->grid, 0, y, z), vertex);
      const double start = offset.x;
      DebyeSurfacePoint *row = row_of(planes, y, z);
      if (!find_row(planes, &box, offset, most, &first, &end))
        continue;
      for (size_t x = first; x < end; x++) {
        offset.x = start + (double)x * planes->grid->step[0];
        const double depth = debye_vec3_length(offset) - reduced->probe;
        if (is_nearer(depth, DEBYE_SURFACE_VERTEX | number, &row[x]))
          put(&row[x], depth, DEBYE_SURFACE_VERTEX | number);
      }
    }
}

/* Of a union of spheres the one that a point is deepest within, or nearest to. */
static void
put_sphere(const Planes *planes, size_t atom, double probe)
{
  const DebyeSpheres *spheres = &planes->surface->spheres;
  const DebyeVec3 center = debye_sphere_center(spheres, atom);
  const double radius = (double)spheres->radius[atom] + probe, most = radius + planes->reach;
  const double reach[3] = {most, most, most};
  Box box;
  size_t first, end;
  if (!find_box(planes, center, reach, &box))
    return;
  for (size_t z = box.first[2]; z < box.end[2]; z++)
    for (size_t y = box.first[1]; y < box.end[1]; y++) {
      DebyeVec3 offset = debye_vec3_subtract(debye_surface_grid_point(planes->grid, 0, y, z), center);
      const double start = offset.x;
      DebyeSurfacePoint *row = row_of(planes, y, z);
      if (!find_row(planes, &box, offset, most, &first, &end))
        continue;
      for (size_t x = first; x < end; x++) {
        offset.x = start + (double)x * planes->grid->step[0];
        const double depth = radius - debye_vec3_length(offset);
        if (depth > (double)row[x].depth)
          put(&row[x], depth, DEBYE_SURFACE_FACE | (uint32_t)atom);
      }
    }
}

static void
find_excluded(const Planes *planes)
{
  const DebyeReducedSurface *reduced = &planes->surface->reduced;
  for (size_t i = 0; i < reduced->spheres.n; i++)
    cover_sphere(planes, i);
  for (size_t i = 0; i < reduced->n_vertices; i++)
    put_vertex(planes, (uint32_t)i);
  for (size_t i = 0; i < reduced->n_circles; i++)
    put_circle(planes, (uint32_t)i);
  for (size_t i = 0; i < reduced->n_faces; i++)
    put_face(planes, &reduced->faces[i]);
}

void
debye_surface_find(const DebyeSurface *surface, const DebyeSurfaceGrid *grid, size_t first, size_t count,
                   DebyeSurfacePoint *out)
{
  const double step = fmax(grid->step[0], fmax(grid->step[1], grid->step[2]));
  const double reach = surface->band > 0.0 ? surface->band : step;
  const Planes planes = {surface, grid, first, count, reach, out};
  const bool is_excluded = surface->kind == DEBYE_SURFACE_EXCLUDED;
  const float outside = is_excluded ? -(float)surface->probe : -INFINITY;
  for (size_t i = 0; i < grid->shape[0] * grid->shape[1] * count; i++)
    out[i] = (DebyeSurfacePoint){outside, DEBYE_SURFACE_NOTHING};
  if (is_excluded)
    find_excluded(&planes);
  else
    for (size_t i = 0; i < surface->spheres.n; i++)
      put_sphere(&planes, i, surface->kind == DEBYE_SURFACE_ACCESSIBLE ? surface->probe : 0.0);
}

/* Crossings. */

/* As DebyeSurfacePoint's depth, by one feature. */
static double
depth_by(const DebyeSurface *surface, uint32_t feature, DebyeVec3 at)
{
  const uint32_t number = feature & ~(DEBYE_SURFACE_CIRCLE | DEBYE_SURFACE_VERTEX);
  double along_u, along_v;
  if ((feature & DEBYE_SURFACE_CIRCLE) != 0) {
    const DebyeSurfaceCircle *circle = &surface->reduced.circles[number];
    return distance_to_circle(circle, debye_vec3_subtract(at, circle->center), &along_u, &along_v) -
           surface->probe;
  }
  if ((feature & DEBYE_SURFACE_VERTEX) != 0)
    return debye_vec3_length(debye_vec3_subtract(at, surface->reduced.vertices[number])) - surface->probe;
  const double radius = (double)surface->spheres.radius[number] +
                        (surface->kind == DEBYE_SURFACE_ACCESSIBLE ? surface->probe : 0.0);
  return radius - debye_vec3_length(debye_vec3_subtract(at, debye_sphere_center(&surface->spheres, number)));
}

/* By the nearer of both; of a union by the one that is deeper. */
static double
depth_at(const DebyeSurface *surface, uint32_t one, uint32_t other, DebyeVec3 at)
{
  if (one == DEBYE_SURFACE_NOTHING || other == DEBYE_SURFACE_NOTHING || one == other)
    return depth_by(surface, one == DEBYE_SURFACE_NOTHING ? other : one, at);
  const double a = depth_by(surface, one, at), b = depth_by(surface, other, at);
  return surface->kind == DEBYE_SURFACE_EXCLUDED ? fmin(a, b) : fmax(a, b);
}

double
debye_surface_cross(const DebyeSurface *surface, DebyeVec3 inner, DebyeSurfacePoint at_inner, DebyeVec3 outer,
                    DebyeSurfacePoint at_outer)
{
  const DebyeVec3 edge = debye_vec3_subtract(outer, inner);
  const uint32_t one = at_inner.feature, other = at_outer.feature;
  if (one == DEBYE_SURFACE_NOTHING && other == DEBYE_SURFACE_NOTHING)
    return 0.5;
  double low = 0.0, high = 1.0, at_low = depth_at(surface, one, other, inner);
  double at_high = depth_at(surface, one, other, outer);
  if (!(at_low > 0.0))
    return 0.0;
  if (!(at_high < 0.0))
    return 1.0;
  /* False position, halving the value of an end that stays (Illinois). */
  int stays = 0;
  for (int i = 0; i < MAX_STEPS && high - low > CROSSING_ERROR; i++) {
    const double middle = (low * at_high - high * at_low) / (at_high - at_low);
    const double value = depth_at(surface, one, other, debye_vec3_add(inner, debye_vec3_scale(edge, middle)));
    if (fabs(value) < CROSSING_ERROR)
      return middle;
    if (value > 0.0) {
      low = middle;
      at_low = value;
      at_high = stays > 0 ? 0.5 * at_high : at_high;
      stays = 1;
    } else {
      high = middle;
      at_high = value;
      at_low = stays < 0 ? 0.5 * at_low : at_low;
      stays = -1;
    }
  }
  return 0.5 * (low + high);
}
