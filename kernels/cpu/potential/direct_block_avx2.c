/* SPDX-License-Identifier: MIT */
/* The direct sum's inner loops for AVX2, called by potential_direct.c: the CPU's own estimate of 1/√r² and one Newton
 * step, y ← y/2·(3 − r²y²), which leaves 2e-7 of the estimate's 4e-4. The step's one half sits in the charge. */
#include "direct_block.h"

#include <immintrin.h>

#include "direct_loops.h"

#define INLINE inline __attribute__((always_inline))

/* 16 registers hold the sums of 4 rows of 2 vectors. */

static INLINE void
add_body(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH], size_t first, const bool sheared,
         const bool clamped)
{
  __m256 part[DEBYE_BLOCK_ROWS][2], x[2];
  const __m256 three = _mm256_set1_ps(3.0f), half = _mm256_set1_ps(0.5f), core2 = _mm256_set1_ps(tile->core2);
  for (int v = 0; v < 2; v++) {
    x[v] = _mm256_loadu_ps(tile->point_x + first + 8 * v);
    for (int row = 0; row < DEBYE_BLOCK_ROWS; row++)
      part[row][v] = _mm256_setzero_ps();
  }
  for (size_t atom = 0; atom < tile->n_atoms; atom++) {
    __m256 charge = _mm256_mul_ps(_mm256_set1_ps(tile->charge[atom]), half);
    __m256 atom_x = _mm256_set1_ps(tile->x[atom]);
    __m256 dx[2] = {_mm256_sub_ps(atom_x, x[0]), _mm256_sub_ps(atom_x, x[1])};
#pragma GCC unroll 4
    for (int row = 0; row < DEBYE_BLOCK_ROWS; row++) {
      __m256 s = _mm256_set1_ps(tile->s[row][atom]);
#pragma GCC unroll 2
      for (int v = 0; v < 2; v++) {
        __m256 d = sheared ? _mm256_sub_ps(dx[v], _mm256_set1_ps(tile->row_x[row])) : dx[v];
        __m256 r2 = _mm256_fmadd_ps(d, d, s);
        if (clamped)
          r2 = _mm256_max_ps(r2, core2);
        __m256 y = _mm256_rsqrt_ps(r2);
        __m256 step = _mm256_fnmadd_ps(_mm256_mul_ps(r2, y), y, three);
        part[row][v] = _mm256_fmadd_ps(_mm256_mul_ps(charge, y), step, part[row][v]);
      }
    }
  }
  for (int row = 0; row < DEBYE_BLOCK_ROWS; row++)
    for (int v = 0; v < 2; v++) {
      float *at = sum[row] + first + 8 * v;
      _mm256_storeu_ps(at, _mm256_add_ps(_mm256_loadu_ps(at), part[row][v]));
    }
}

static void
add_float(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH])
{
  for (size_t first = 0; first < tile->width; first += 16) {
    if (tile->clamped)
      add_body(tile, sum, first, true, true);
    else if (tile->sheared)
      add_body(tile, sum, first, true, false);
    else
      add_body(tile, sum, first, false, false);
  }
}

const DebyeDirectBlock DEBYE_AT_LEVEL(debye_direct_block) = {
    .score = 7e9,
    .add_float = add_float,
    .sum_double = sum_double,
    .sum_nearest = sum_nearest,
    .add_nearest = add_nearest,
};
