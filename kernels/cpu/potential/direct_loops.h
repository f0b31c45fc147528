/* SPDX-License-Identifier: MIT */
/* The direct sum's loops in plain C that every instruction set has, vectorised for that of the file that
 * includes them: direct_block_*.c. */
#pragma once

#include "direct_block.h"

/* Blocked over points, so that the lanes are independent and no reduction over the vectorised index is
 * needed. */
static inline void
sum_double(const DebyeDoubleRow *row, size_t first, size_t count, double *out)
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

static inline void
sum_nearest(const DebyeDoubleRow *row, size_t first, size_t count, double *out)
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

/* A strip of LANES points of a row and one atom: 1/d of its nearest image. */
static inline __attribute__((always_inline)) void
add_nearest_strip(const DebyeNearestTile *tile, size_t atom, size_t row, size_t first, float *sum)
{
  const DebyeNearestImage *image = tile->image;
  const float dy = tile->y[atom] - tile->row_y[row], dz = tile->z[atom], charge = tile->charge[atom];
  const float x = tile->x[atom] - tile->row_x[row];
  float dx[DEBYE_BLOCK_STEP], least[DEBYE_BLOCK_STEP] = {0.0f};
  for (int i = 0; i < DEBYE_BLOCK_STEP; i++)
    dx[i] = x - tile->point_x[first + (size_t)i];
  for (uint32_t left = tile->doubts[atom]; left != 0; left &= left - 1) {
    const double *neighbour = image->neighbour[__builtin_ctz(left)];
    const float square = (float)image->neighbour_square[__builtin_ctz(left)], along_x = (float)neighbour[0];
    const float across = (float)neighbour[1] * dy + (float)neighbour[2] * dz;
    for (int i = 0; i < DEBYE_BLOCK_STEP; i++) {
      const float gain = square - 2.0f * fabsf(along_x * dx[i] + across);
      least[i] = gain < least[i] ? gain : least[i];
    }
  }
  for (int i = 0; i < DEBYE_BLOCK_STEP; i++) {
    float r2 = dx[i] * dx[i] + (dy * dy + dz * dz) + least[i];
    r2 = r2 > tile->core2 ? r2 : tile->core2;
    const float guess = debye_rsqrt_guess(r2);
    sum[first + (size_t)i] += charge * guess * debye_rsqrt_correction(r2 * guess * guess);
  }
}

static inline void
add_nearest(const DebyeNearestTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH])
{
  for (size_t atom = 0; atom < tile->n_atoms; atom++)
    for (size_t row = 0; row < DEBYE_BLOCK_ROWS; row++)
      for (size_t first = 0; first < tile->width; first += DEBYE_BLOCK_STEP)
        add_nearest_strip(tile, atom, row, first, sum[row]);
}
