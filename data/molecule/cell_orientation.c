/* SPDX-License-Identifier: MIT */
/* Turns frames into the orientation that files imply; called by debye-cli export and netcdf_writer.c. A
 * cell's frame is made orthonormal by its edges: its axes are what the file's axes stand for. */
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

static void
turn_all(const DebyeCellOrientation *orientation, gsize n, float *x, float *y, float *z)
{
  for (gsize i = 0; i < n; i++) {
    DebyeVec3 turned =
        debye_cell_orientation_turn(orientation, debye_vec3((double)x[i], (double)y[i], (double)z[i]));
    x[i] = (float)turned.x;
    y[i] = (float)turned.y;
    z[i] = (float)turned.z;
  }
}

DebyeFrame *
debye_cell_orientation_align(DebyeFrame *frame)
{
  const DebyeCellOrientation orientation = frame->has_cell ? debye_cell_orientation_find(&frame->cell)
                                                           : (DebyeCellOrientation){.is_needed = FALSE};
  if (!orientation.is_needed)
    return debye_frame_ref(frame);
  DebyeFrame *turned = debye_frame_copy(frame);
  if (turned == NULL)
    return NULL;
  turn_all(&orientation, turned->n_atoms, turned->x, turned->y, turned->z);
  if (turned->vx != NULL)
    turn_all(&orientation, turned->n_atoms, turned->vx, turned->vy, turned->vz);
  debye_cell_from_lengths_angles(&turned->cell, orientation.lengths, orientation.angles);
  turned->cell_origin = debye_cell_orientation_turn(&orientation, frame->cell_origin);
  return turned;
}
