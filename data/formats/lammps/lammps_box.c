/* SPDX-License-Identifier: MIT */
/* Converts LAMMPS' box to an origin and three vectors; called by lammps_data.c and lammps_dump.c. The
 * formulas are those of its manual, page "Triclinic boxes". */
#include "lammps_box.h"

DebyeLammpsBox
debye_lammps_box_from_bounds(const double low[3], const double high[3], const double tilt[3])
{
  DebyeVec3 a = debye_vec3(high[0] - low[0], 0.0, 0.0);
  DebyeVec3 b = debye_vec3(tilt[0], high[1] - low[1], 0.0);
  DebyeVec3 c = debye_vec3(tilt[1], tilt[2], high[2] - low[2]);
  DebyeLammpsBox box = debye_lammps_box_from_vectors(a, b, c, debye_vec3(low[0], low[1], low[2]));
  box.is_valid = box.is_valid && a.x > 0.0 && b.y > 0.0 && c.z > 0.0;
  return box;
}

DebyeLammpsBox
debye_lammps_box_from_bounding_box(const double low[3], const double high[3], const double tilt[3])
{
  double xy = tilt[0], xz = tilt[1], yz = tilt[2];
  const double true_low[3] = {low[0] - fmin(fmin(0.0, xy), fmin(xz, xy + xz)), low[1] - fmin(0.0, yz),
                              low[2]};
  const double true_high[3] = {high[0] - fmax(fmax(0.0, xy), fmax(xz, xy + xz)), high[1] - fmax(0.0, yz),
                               high[2]};
  return debye_lammps_box_from_bounds(true_low, true_high, tilt);
}

DebyeLammpsBox
debye_lammps_box_from_vectors(DebyeVec3 a, DebyeVec3 b, DebyeVec3 c, DebyeVec3 origin)
{
  DebyeLammpsBox box = {.origin = origin, .cell = {a, b, c}};
  box.is_valid = debye_cell_is_valid(&box.cell);
  return box;
}

DebyeLammpsBox
debye_lammps_box_scale(DebyeLammpsBox box, double factor)
{
  box.origin = debye_vec3_scale(box.origin, factor);
  box.cell.a = debye_vec3_scale(box.cell.a, factor);
  box.cell.b = debye_vec3_scale(box.cell.b, factor);
  box.cell.c = debye_vec3_scale(box.cell.c, factor);
  return box;
}
