/* SPDX-License-Identifier: MIT */
/* Computes distances, angles and dihedrals of atoms; called by the analysis of measurements and their
 * layer. */
#include "measure.h"

#define DEGREE (180.0 / G_PI)

void
debye_measure_places(const DebyePeriodic *periodic, const DebyeFrame *frame, const guint32 *atoms,
                     gsize n_atoms, DebyeVec3 *places)
{
  places[0] = debye_frame_get_position(frame, atoms[0]);
  for (gsize i = 1; i < n_atoms; i++) {
    DebyeVec3 way = debye_vec3_subtract(debye_frame_get_position(frame, atoms[i]), places[i - 1]);
    places[i] = debye_vec3_add(places[i - 1], debye_periodic_minimum_image(periodic, way));
  }
}

/* atan2 keeps its digits near 0° and 180°, where an arc cosine loses half of them. */
static double
angle_between(DebyeVec3 u, DebyeVec3 v)
{
  double across = debye_vec3_length(debye_vec3_cross(u, v)), along = debye_vec3_dot(u, v);
  return across > 0.0 || along != 0.0 ? DEGREE * atan2(across, along) : (double)NAN;
}

static double
dihedral_of(const DebyeVec3 *p)
{
  DebyeVec3 first = debye_vec3_subtract(p[1], p[0]), middle = debye_vec3_subtract(p[2], p[1]),
            last = debye_vec3_subtract(p[3], p[2]);
  DebyeVec3 u = debye_vec3_cross(first, middle), v = debye_vec3_cross(middle, last);
  double along = debye_vec3_dot(u, v);
  double across = debye_vec3_length(middle) * debye_vec3_dot(first, v);
  return across != 0.0 || along != 0.0 ? DEGREE * atan2(across, along) : (double)NAN;
}

double
debye_measure(const DebyePeriodic *periodic, const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  DebyeVec3 p[DEBYE_MAX_MEASURED];
  g_return_val_if_fail(n_atoms >= 2 && n_atoms <= DEBYE_MAX_MEASURED, (double)NAN);
  debye_measure_places(periodic, frame, atoms, n_atoms, p);
  if (n_atoms == 2)
    return debye_vec3_length(debye_vec3_subtract(p[1], p[0]));
  if (n_atoms == 3)
    return angle_between(debye_vec3_subtract(p[0], p[1]), debye_vec3_subtract(p[2], p[1]));
  return dihedral_of(p);
}
