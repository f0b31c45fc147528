/* SPDX-License-Identifier: MIT */
/* LAMMPS' simulation box in its three spellings: bounds with tilts, the bounds of the upright box around a
 * tilted one (in dumps), and three vectors with an origin. */
#pragma once

#include <glib.h>

#include "data/geometry.h"

typedef struct {
  DebyeVec3 origin;
  DebyeCell cell;
  gboolean is_valid; /* FALSE: the numbers describe no box, and scaled coordinates mean nothing */
} DebyeLammpsBox;

/* `tilt` is xy, xz, yz. An edge whose upper bound isn't above its lower one makes no box. */
DebyeLammpsBox debye_lammps_box_from_bounds(const double low[3], const double high[3], const double tilt[3]);
/* From the bounds that a dump gives: those of the upright box around the tilted one. */
DebyeLammpsBox debye_lammps_box_from_bounding_box(const double low[3], const double high[3],
                                                  const double tilt[3]);
DebyeLammpsBox debye_lammps_box_from_vectors(DebyeVec3 a, DebyeVec3 b, DebyeVec3 c, DebyeVec3 origin);
/* The same box in another unit of length. */
DebyeLammpsBox debye_lammps_box_scale(DebyeLammpsBox box, double factor);

/* Where the atom with scaled coordinates (fractions of the edges) stands. */
static inline DebyeVec3
debye_lammps_box_from_scaled(const DebyeLammpsBox *box, DebyeVec3 scaled)
{
  DebyeVec3 p = debye_vec3_add(box->origin, debye_vec3_scale(box->cell.a, scaled.x));
  p = debye_vec3_add(p, debye_vec3_scale(box->cell.b, scaled.y));
  return debye_vec3_add(p, debye_vec3_scale(box->cell.c, scaled.z));
}
