/* SPDX-License-Identifier: MIT */
/* Describes a cell as a lattice of images; called by the cutoff method, multilevel summation, the direct sum
 * and ions. */
#include "cell_images.h"

static DebyeVec3
turn(const DebyeTurnedGrid *frame, DebyeVec3 v)
{
  return debye_vec3(debye_vec3_dot(v, frame->axis[0]), debye_vec3_dot(v, frame->axis[1]),
                    debye_vec3_dot(v, frame->axis[2]));
}

/* Any vector across `u` and, where it is not NULL, `v`, about as long. */
static DebyeVec3
vector_across(DebyeVec3 u, const DebyeVec3 *v)
{
  DebyeVec3 least = fabs(u.x) <= fabs(u.y) && fabs(u.x) <= fabs(u.z) ? debye_vec3(1.0, 0.0, 0.0)
                    : fabs(u.y) <= fabs(u.z)                         ? debye_vec3(0.0, 1.0, 0.0)
                                                                     : debye_vec3(0.0, 0.0, 1.0);
  DebyeVec3 across = debye_vec3_cross(u, v != NULL ? *v : least);
  double length = debye_vec3_length(across);
  return length > 0.0 ? debye_vec3_scale(across, debye_vec3_length(u) / length) : least;
}

/* Replaces the edges of axes that are not periodic, so that a layer's cell needs no third edge. */
static void
complete_edges(DebyeCellImages *lattice)
{
  int first = -1, second = -1;
  for (int i = 0; i < 3; i++)
    if (lattice->periodic[i] && first < 0)
      first = i;
    else if (lattice->periodic[i] && second < 0)
      second = i;
  for (int i = 0; i < 3; i++) {
    if (lattice->periodic[i])
      continue;
    if (first < 0) {
      lattice->edge[i] = debye_vec3(i == 0, i == 1, i == 2);
    } else if (second < 0) {
      lattice->edge[i] = vector_across(lattice->edge[first], NULL);
      second = i;
    } else {
      lattice->edge[i] = vector_across(lattice->edge[first], &lattice->edge[second]);
    }
  }
}

DebyeStatusCode
debye_cell_images_set(DebyeCellImages *lattice, const DebyeTurnedGrid *frame, unsigned periodic,
                      const DebyeCell *cell, DebyeStatus *status)
{
  const DebyeCell none = {0};
  const DebyeCell *given = cell != NULL ? cell : &none;
  const DebyeVec3 edges[3] = {given->a, given->b, given->c};
  for (int i = 0; i < 3; i++) {
    lattice->periodic[i] = (periodic >> i & 1u) != 0;
    lattice->edge[i] = turn(frame, edges[i]);
  }
  complete_edges(lattice);
  const DebyeCell whole = {lattice->edge[0], lattice->edge[1], lattice->edge[2]};
  if (!debye_cell_is_valid(&whole))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Periodic images need a cell, but this frame has no usable one: its edges are "
                            "(%g, %g, %g), (%g, %g, %g), (%g, %g, %g) Å.",
                            edges[0].x, edges[0].y, edges[0].z, edges[1].x, edges[1].y, edges[1].z,
                            edges[2].x, edges[2].y, edges[2].z);
  double volume = debye_cell_volume(&whole);
  for (int i = 0; i < 3; i++)
    lattice->reciprocal[i] = debye_vec3_scale(
        debye_vec3_cross(lattice->edge[(i + 1) % 3], lattice->edge[(i + 2) % 3]), 1.0 / volume);
  return debye_status_ok(status);
}
