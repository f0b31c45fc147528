/* SPDX-License-Identifier: MIT */
/* The direct sum's inner loops for any CPU; called by potential_direct.c. */
#include "direct_block.h"

#include "direct_loops.h"

#define LANES DEBYE_BLOCK_STEP

static inline __attribute__((always_inline)) void
add_strip(const DebyeFloatTile *tile, size_t row, size_t first, bool clamped, float *sum)
{
  float x[LANES], part[LANES] = {0.0f};
  for (int i = 0; i < LANES; i++)
    x[i] = tile->point_x[first + (size_t)i] + tile->row_x[row];
  for (size_t atom = 0; atom < tile->n_atoms; atom++) {
    float atom_x = tile->x[atom], s = tile->s[row][atom], charge = tile->charge[atom];
    for (int i = 0; i < LANES; i++) {
      float dx = atom_x - x[i];
      float r2 = dx * dx + s;
      if (clamped)
        r2 = r2 > tile->core2 ? r2 : tile->core2;
      float guess = debye_rsqrt_guess(r2);
      part[i] += charge * guess * debye_rsqrt_correction(r2 * guess * guess);
    }
  }
  for (int i = 0; i < LANES; i++)
    sum[first + (size_t)i] += part[i];
}

static void
add_float(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH])
{
  for (size_t row = 0; row < DEBYE_BLOCK_ROWS; row++)
    for (size_t first = 0; first < tile->width; first += LANES) {
      if (tile->clamped)
        add_strip(tile, row, first, true, sum[row]);
      else
        add_strip(tile, row, first, false, sum[row]);
    }
}

const DebyeDirectBlock DEBYE_AT_LEVEL(debye_direct_block) = {
    .score = 1.5e9,
    .add_float = add_float,
    .sum_double = sum_double,
    .sum_nearest = sum_nearest,
    .add_nearest = add_nearest,
};
