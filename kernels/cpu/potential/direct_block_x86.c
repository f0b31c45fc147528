/* SPDX-License-Identifier: MIT */
/* The direct sum's inner loops for AVX2 and AVX-512: the CPU's own estimate of 1/√r² and one Newton
 * step, y ← y/2·(3 − r²y²), which leaves 2e-7 of AVX2's 4e-4 and nothing of AVX-512's 6e-5. The step's one
 * half sits in the charge. Plain C can't say "estimate", and is half as fast. */
#include "direct_block.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "direct_block_body.h"

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define INLINE inline __attribute__((always_inline))

/* AVX-512: 32 registers hold the sums of 4 rows of 4 vectors. */

static INLINE AVX512 void
add_avx512_body(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH], const int n_vectors,
                const bool sheared, const bool clamped)
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

static INLINE AVX512 void
add_avx512_width(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH], const int n_vectors)
{
  if (tile->clamped)
    add_avx512_body(tile, sum, n_vectors, true, true);
  else if (tile->sheared)
    add_avx512_body(tile, sum, n_vectors, true, false);
  else
    add_avx512_body(tile, sum, n_vectors, false, false);
}

static AVX512 void
add_avx512(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH])
{
  switch (tile->width / 16) {
  case 1:
    add_avx512_width(tile, sum, 1);
    break;
  case 2:
    add_avx512_width(tile, sum, 2);
    break;
  case 3:
    add_avx512_width(tile, sum, 3);
    break;
  default:
    add_avx512_width(tile, sum, 4);
    break;
  }
}

static AVX512 void
sum_double_avx512(const DebyeDoubleRow *row, size_t first, size_t count, double *out)
{
  debye_sum_double_body(row, first, count, out);
}

static AVX512 void
add_nearest_avx512(const DebyeNearestTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH])
{
  debye_add_nearest_body(tile, sum);
}

static AVX512 void
sum_nearest_avx512(const DebyeDoubleRow *row, size_t first, size_t count, double *out)
{
  debye_sum_nearest_body(row, first, count, out);
}

const DebyeDirectBlock debye_direct_block_avx512 = {
    .name = "AVX-512",
    .score = 13e9,
    .add_float = add_avx512,
    .sum_double = sum_double_avx512,
    .sum_nearest = sum_nearest_avx512,
    .add_nearest = add_nearest_avx512,
};

/* AVX2: 16 registers hold the sums of 4 rows of 2 vectors. */

static INLINE AVX2 void
add_avx2_body(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH], size_t first, const bool sheared,
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

static AVX2 void
add_avx2(const DebyeFloatTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH])
{
  for (size_t first = 0; first < tile->width; first += 16) {
    if (tile->clamped)
      add_avx2_body(tile, sum, first, true, true);
    else if (tile->sheared)
      add_avx2_body(tile, sum, first, true, false);
    else
      add_avx2_body(tile, sum, first, false, false);
  }
}

static AVX2 void
sum_double_avx2(const DebyeDoubleRow *row, size_t first, size_t count, double *out)
{
  debye_sum_double_body(row, first, count, out);
}

static AVX2 void
add_nearest_avx2(const DebyeNearestTile *tile, float (*sum)[DEBYE_BLOCK_WIDTH])
{
  debye_add_nearest_body(tile, sum);
}

static AVX2 void
sum_nearest_avx2(const DebyeDoubleRow *row, size_t first, size_t count, double *out)
{
  debye_sum_nearest_body(row, first, count, out);
}

const DebyeDirectBlock debye_direct_block_avx2 = {
    .name = "AVX2",
    .score = 7e9,
    .add_float = add_avx2,
    .sum_double = sum_double_avx2,
    .sum_nearest = sum_nearest_avx2,
    .add_nearest = add_nearest_avx2,
};

#endif
