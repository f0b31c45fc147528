/* SPDX-License-Identifier: MIT */
/* Loops in plain C that the compiler vectorises for the instruction set of the function they are inlined
 * into. */
#pragma once

#include "direct_block.h"

/* Blocked over points, so that the lanes are independent and no reduction over the vectorised index is
 * needed. */
static inline __attribute__((always_inline)) void
debye_sum_double_body(const DebyeDoubleRow *row, size_t first, size_t count, double *out)
{
  double x[DEBYE_BLOCK_WIDTH], sum[DEBYE_BLOCK_WIDTH] = {0.0};
  for (int i = 0; i < DEBYE_BLOCK_WIDTH; i++)
    x[i] = row->row_x + (double)(first + (size_t)i) * row->step_x;
  for (size_t atom = 0; atom < row->n_atoms; atom++) {
    double dy = row->y_atom[atom] - row->y, dz = row->z_atom[atom] - row->z;
    double s = dy * dy + dz * dz, atom_x = row->x[atom], charge = row->charge[atom];
    for (int i = 0; i < DEBYE_BLOCK_WIDTH; i++) {
      double dx = atom_x - x[i];
      double r2 = dx * dx + s;
      r2 = r2 > row->core2 ? r2 : row->core2;
      sum[i] += charge / sqrt(r2);
    }
  }
  for (size_t i = 0; i < count; i++)
    out[i] = sum[i];
}

static inline __attribute__((always_inline)) void
debye_sum_nearest_body(const DebyeDoubleRow *row, size_t first, size_t count, double *out)
{
  const DebyeNearestImage image = *row->image;
  double x[DEBYE_BLOCK_WIDTH], sum[DEBYE_BLOCK_WIDTH] = {0.0};
  for (int i = 0; i < DEBYE_BLOCK_WIDTH; i++)
    x[i] = row->row_x + (double)(first + (size_t)i) * row->step_x;
  for (size_t atom = 0; atom < row->n_atoms; atom++) {
    double dy = row->y_atom[atom] - row->y, dz = row->z_atom[atom] - row->z;
    double atom_x = row->x[atom], charge = row->charge[atom];
    for (int i = 0; i < DEBYE_BLOCK_WIDTH; i++) {
      double r2 = debye_nearest_distance2(&image, atom_x - x[i], dy, dz);
      r2 = r2 > row->core2 ? r2 : row->core2;
      sum[i] += charge / sqrt(r2);
    }
  }
  for (size_t i = 0; i < count; i++)
    out[i] = sum[i];
}
