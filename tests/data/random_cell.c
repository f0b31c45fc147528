/* SPDX-License-Identifier: MIT */
#include "random_cell.h"

void
random_cell_fill(GRand *random, DebyeVec3 nice[3], DebyeVec3 skewed[3])
{
  for (int k = 0; k < 3; k++) {
    double v[3];
    for (int axis = 0; axis < 3; axis++)
      v[axis] = axis == k ? g_rand_double_range(random, 8, 14) : g_rand_double_range(random, -3, 3);
    skewed[k] = nice[k] = debye_vec3(v[0], v[1], v[2]);
  }
  for (int step = 0; step < 6; step++) {
    int target = g_rand_int_range(random, 0, 3), source = (target + g_rand_int_range(random, 1, 3)) % 3;
    double times = g_rand_int_range(random, -3, 4);
    skewed[target] = debye_vec3_add(skewed[target], debye_vec3_scale(skewed[source], times));
  }
}

DebyeVec3
random_position(GRand *random, double reach)
{
  double x = g_rand_double_range(random, -reach, reach);
  double y = g_rand_double_range(random, -reach, reach);
  return debye_vec3(x, y, g_rand_double_range(random, -reach, reach));
}

DebyeVec3
near_image(const DebyeVec3 nice[3], DebyeVec3 d)
{
  double volume = debye_vec3_dot(nice[0], debye_vec3_cross(nice[1], nice[2]));
  for (int k = 0; k < 3; k++) {
    DebyeVec3 normal = debye_vec3_cross(nice[(k + 1) % 3], nice[(k + 2) % 3]);
    d = debye_vec3_subtract(d, debye_vec3_scale(nice[k], rint(debye_vec3_dot(normal, d) / volume)));
  }
  return d;
}

double
nearest_image_distance(const DebyeVec3 nice[3], DebyeVec3 d)
{
  double nearest = INFINITY;
  d = near_image(nice, d);
  for (int i = -3; i <= 3; i++)
    for (int j = -3; j <= 3; j++)
      for (int k = -3; k <= 3; k++) {
        DebyeVec3 image = debye_vec3_add(d, debye_vec3_scale(nice[0], i));
        image = debye_vec3_add(image, debye_vec3_scale(nice[1], j));
        image = debye_vec3_add(image, debye_vec3_scale(nice[2], k));
        nearest = fmin(nearest, debye_vec3_length(image));
      }
  return nearest;
}
