/* SPDX-License-Identifier: MIT */
#include "oracle_surface.h"

/* What touches an atom by rounding is not in its way. */
#define TOUCH 1e-9

typedef struct {
  const DebyeSpheres *spheres;
  double probe;
  DebyeVec3 at;
  double nearest;
} Search;

static double
radius_of(const Search *search, size_t atom)
{
  return (double)search->spheres->radius[atom] + search->probe;
}

static void
consider(Search *search, DebyeVec3 place)
{
  const double distance = debye_vec3_length(debye_vec3_subtract(place, search->at));
  if (!(distance < search->nearest))
    return;
  for (size_t i = 0; i < search->spheres->n; i++)
    if (debye_vec3_length(debye_vec3_subtract(place, debye_sphere_center(search->spheres, i))) <
        radius_of(search, i) - TOUCH)
      return;
  search->nearest = distance;
}

static void
consider_sphere(Search *search, size_t i)
{
  const DebyeVec3 center = debye_sphere_center(search->spheres, i);
  const DebyeVec3 offset = debye_vec3_subtract(search->at, center);
  consider(search, debye_vec3_add(
                       center, debye_vec3_scale(offset, radius_of(search, i) / debye_vec3_length(offset))));
}

static void
consider_circle(Search *search, size_t i, size_t j)
{
  const DebyeVec3 center = debye_sphere_center(search->spheres, i);
  const DebyeVec3 axis = debye_vec3_subtract(debye_sphere_center(search->spheres, j), center);
  const double d = debye_vec3_length(axis), a = radius_of(search, i), b = radius_of(search, j);
  const double along = (d * d + a * a - b * b) / (2.0 * d), radius2 = a * a - along * along;
  if (!(radius2 > 0.0))
    return;
  const DebyeVec3 unit = debye_vec3_scale(axis, 1.0 / d),
                  middle = debye_vec3_add(center, debye_vec3_scale(unit, along));
  const DebyeVec3 offset = debye_vec3_subtract(search->at, middle);
  const DebyeVec3 across = debye_vec3_subtract(offset, debye_vec3_scale(unit, debye_vec3_dot(offset, unit)));
  consider(search,
           debye_vec3_add(middle, debye_vec3_scale(across, sqrt(radius2) / debye_vec3_length(across))));
}

/* Both points where three spheres meet: p = center_i + x·e_x + y·e_y ± z·e_z (trilateration). */
static void
consider_triple(Search *search, size_t i, size_t j, size_t k)
{
  const DebyeVec3 origin = debye_sphere_center(search->spheres, i);
  const DebyeVec3 to_j = debye_vec3_subtract(debye_sphere_center(search->spheres, j), origin);
  const DebyeVec3 to_k = debye_vec3_subtract(debye_sphere_center(search->spheres, k), origin);
  const double d = debye_vec3_length(to_j), a = radius_of(search, i), b = radius_of(search, j),
               c = radius_of(search, k);
  const DebyeVec3 ex = debye_vec3_scale(to_j, 1.0 / d);
  const double p = debye_vec3_dot(ex, to_k);
  const DebyeVec3 rest = debye_vec3_subtract(to_k, debye_vec3_scale(ex, p));
  const double q = debye_vec3_length(rest);
  const DebyeVec3 ey = debye_vec3_scale(rest, 1.0 / q), ez = debye_vec3_cross(ex, ey);
  const double x = (a * a - b * b + d * d) / (2.0 * d);
  const double y = (a * a - c * c + p * p + q * q - 2.0 * p * x) / (2.0 * q), z2 = a * a - x * x - y * y;
  if (!(z2 > 0.0))
    return;
  const DebyeVec3 base =
      debye_vec3_add(origin, debye_vec3_add(debye_vec3_scale(ex, x), debye_vec3_scale(ey, y)));
  consider(search, debye_vec3_add(base, debye_vec3_scale(ez, sqrt(z2))));
  consider(search, debye_vec3_add(base, debye_vec3_scale(ez, -sqrt(z2))));
}

double
debye_oracle_probe_distance(const DebyeSpheres *spheres, double probe, DebyeVec3 at)
{
  Search search = {spheres, probe, at, INFINITY};
  const size_t n = spheres->n;
  consider(&search, at);
  for (size_t i = 0; i < n; i++) {
    consider_sphere(&search, i);
    for (size_t j = i + 1; j < n; j++) {
      consider_circle(&search, i, j);
      for (size_t k = j + 1; k < n; k++)
        consider_triple(&search, i, j, k);
    }
  }
  return search.nearest;
}
