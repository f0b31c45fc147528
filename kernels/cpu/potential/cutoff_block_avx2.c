/* SPDX-License-Identifier: MIT */
/* The cutoff's inner loops for AVX2: the CPU's own estimate of 1/√r², good to 4e-4, and one Newton
 * step, which leaves 2e-7 of it. */
#include "cutoff_block.h"

#include <immintrin.h>

#define LANES 8
#define ROWS 4
#define UNROLL _Pragma("GCC unroll 4")

typedef __m256 Vector;
typedef __m256 VectorMask;

#define vector_load(at) _mm256_loadu_ps(at)
#define vector_set(value) _mm256_set1_ps(value)
#define vector_max(a, b) _mm256_max_ps(a, b)
#define vector_below(a, b) _mm256_cmp_ps(a, b, _CMP_LT_OQ)
#define vector_keep(mask, v) _mm256_and_ps(mask, v)
#define vector_bits(mask) ((uint32_t)_mm256_movemask_ps(mask))

static inline __attribute__((always_inline)) __m256
vector_term(__m256 r2, __m256 charge)
{
  const __m256 y = _mm256_rsqrt_ps(r2), half = _mm256_set1_ps(0.5f), three = _mm256_set1_ps(3.0f);
  return (half * charge * y) * (three - r2 * y * y);
}

#include "cutoff_loops.h"
#include "cutoff_select.h"

const DebyeCutoffBlock DEBYE_AT_LEVEL(debye_cutoff_block) = {
    .select = select_atoms,
    .fill_rows = fill_rows,
    .list = list_atoms,
    .add = add,
    .add_double = add_double,
};
