/* SPDX-License-Identifier: MIT */
/* The direct sum's inner loops for AVX-512, called by potential_direct.c: the CPU's own estimate of 1/√r² and one Newton
 * step, y ← y/2·(3 − r²y²), which leaves nothing of the estimate's 6e-5. The step's one half sits in the charge.
 * Plain C can't say "estimate", and is half as fast. */
#include "direct_block.h"

#include <immintrin.h>

#include "direct_loops.h"

#define INLINE inline __attribute__((always_inline))

/* 32 registers hold the sums of 4 rows of 4 vectors. */

static INLINE void
add_body(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH], const int n_vectors, const bool sheared,
         const bool clamped)
{
  __m512 part[DEBYE_BLOCK_ROWS][4], x[4];
  const __m512 three = _mm512_set1_ps(3.0f), half = _mm512_set1_ps(0.5f), core2 = _mm512_set1_ps(tile->core2);
  for (int v = 0; v < n_vectors; v++) {
    x[v] = _mm512_loadu_ps(tile->point_x + 16 * v);
    for (int row = 0; row < DEBYE_BLOCK_ROWS; row++)
      part[row][v] = _mm512_setzero_ps();
  }
  for (size_t atom = 0; atom < tile->n_atoms; atom++) {
    __m512 charge = _mm512_mul_ps(_mm512_set1_ps(tile->charge[atom]), half);
    __m512 atom_x = _mm512_set1_ps(tile->x[atom]), dx[4];
    for (int v = 0; v < n_vectors; v++)
      dx[v] = _mm512_sub_ps(atom_x, x[v]);
#pragma GCC unroll 4
    for (int row = 0; row < DEBYE_BLOCK_ROWS; row++) {
      __m512 s = _mm512_set1_ps(tile->s[row][atom]), row_x = _mm512_set1_ps(tile->row_x[row]);
#pragma GCC unroll 4
      for (int v = 0; v < n_vectors; v++) {
        __m512 d = sheared ? _mm512_sub_ps(dx[v], row_x) : dx[v];
        __m512 r2 = _mm512_fmadd_ps(d, d, s);
        if (clamped)
          r2 = _mm512_max_ps(r2, core2);
        __m512 y = _mm512_rsqrt14_ps(r2);
        __m512 step = _mm512_fnmadd_ps(_mm512_mul_ps(r2, y), y, three);
        part[row][v] = _mm512_fmadd_ps(_mm512_mul_ps(charge, y), step, part[row][v]);
      }
    }
  }
  for (int row = 0; row < DEBYE_BLOCK_ROWS; row++)
    for (int v = 0; v < n_vectors; v++) {
      float *at = sum[row] + 16 * v;
      _mm512_storeu_ps(at, _mm512_add_ps(_mm512_loadu_ps(at), part[row][v]));
    }
}

static INLINE void
add_width(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH], const int n_vectors)
{
  if (tile->clamped)
    add_body(tile, sum, n_vectors, true, true);
  else if (tile->sheared)
    add_body(tile, sum, n_vectors, true, false);
  else
    add_body(tile, sum, n_vectors, false, false);
}

static void
add_float(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH])
{
  switch (tile->width / 16) {
  case 1:
    add_width(tile, sum, 1);
    break;
  case 2:
    add_width(tile, sum, 2);
    break;
  case 3:
    add_width(tile, sum, 3);
    break;
  default:
    add_width(tile, sum, 4);
    break;
  }
}

const DebyeDirectBlock DEBYE_AT_LEVEL(debye_direct_block) = {
    .score = 13e9,
    .add_float = add_float,
    .sum_double = sum_double,
    .sum_nearest = sum_nearest,
    .add_nearest = add_nearest,
};
