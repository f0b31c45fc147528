/* SPDX-License-Identifier: MIT */
/* A cell's frame, made orthonormal by its edges: its axes are what the file's axes stand for. */
#include "cell_orientation.h"

/* Below the last digit of a single-precision coordinate at the far end of a cell of 1,000 Å. */
#define TOLERANCE 1e-8

static DebyeVec3
normalize(DebyeVec3 v)
{
  return debye_vec3_scale(v, 1.0 / debye_vec3_length(v));
}

static void
set_row(double row[3], DebyeVec3 v)
{
  row[0] = v.x;
  row[1] = v.y;
  row[2] = v.z;
}

DebyeCellOrientation
debye_cell_orientation_find(const DebyeCell *cell)
{
  DebyeCellOrientation orientation = {.is_needed = FALSE};
  DebyeCell right = *cell;
  /* The same lattice, right-handed: turning can't make one hand of the other. */
  if (debye_cell_volume(cell) < 0.0)
    right.c = debye_vec3_scale(cell->c, -1.0);
  debye_cell_to_lengths_angles(&right, orientation.lengths, orientation.angles);
  DebyeVec3 x = normalize(right.a), z = normalize(debye_vec3_cross(right.a, right.b));
  set_row(orientation.rotation[0], x);
  set_row(orientation.rotation[1], debye_vec3_cross(z, x));
  set_row(orientation.rotation[2], z);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      orientation.is_needed |= fabs(orientation.rotation[i][j] - (i == j ? 1.0 : 0.0)) > TOLERANCE;
  return orientation;
}

DebyeVec3
debye_cell_orientation_turn(const DebyeCellOrientation *orientation, DebyeVec3 v)
{
  const double(*r)[3] = orientation->rotation;
  if (!orientation->is_needed)
    return v;
  return debye_vec3(r[0][0] * v.x + r[0][1] * v.y + r[0][2] * v.z,
                    r[1][0] * v.x + r[1][1] * v.y + r[1][2] * v.z,
                    r[2][0] * v.x + r[2][1] * v.y + r[2][2] * v.z);
}
