/* SPDX-License-Identifier: MIT */
/* The pair histogram's inner loops for AVX2, which sends the bins of pairs out of range to the waste; called by
 * pair_meetings.c. */
#include "pair_block.h"

#include <immintrin.h>

#include "pair_bins.h"

#define INLINE inline __attribute__((always_inline))

static INLINE __m256
lanes_of_kind(const DebyePairBlockKind kind, uint32_t i, size_t first)
{
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256i j = _mm256_add_epi32(lane, _mm256_set1_epi32((int)first)), other = _mm256_set1_epi32((int)i);
  if (kind == DEBYE_PAIR_BLOCK_UPPER)
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(j, other));
  return _mm256_castsi256_ps(_mm256_xor_si256(_mm256_cmpeq_epi32(j, other), _mm256_set1_epi32(-1)));
}

static INLINE size_t
count_kind(const DebyePairBlock *block, DebyePairDoubt *doubts, const DebyePairBlockKind kind)
{
  const __m256 scale = _mm256_set1_ps(block->scale), limit2 = _mm256_set1_ps(block->limit2);
  const __m256 clear = _mm256_set1_ps(block->clear), half = _mm256_set1_ps(0.5f);
  const __m256 sign = _mm256_set1_ps(-0.0f);
  const __m256i waste =
      _mm256_add_epi32(_mm256_set1_epi32((int)block->n_bins), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  int32_t bins[DEBYE_PAIR_WAITING + DEBYE_PAIR_MAX_TILE];
  size_t n_doubts = 0, n = 0;
  for (size_t a = 0; a < block->n_i; a++) {
    const __m256 xi = _mm256_set1_ps(block->xi[a]), yi = _mm256_set1_ps(block->yi[a]);
    const __m256 zi = _mm256_set1_ps(block->zi[a]);
    for (size_t first = 0; first < block->n_j; first += 8) {
      __m256 dx = _mm256_sub_ps(xi, _mm256_loadu_ps(block->x + first));
      __m256 dy = _mm256_sub_ps(yi, _mm256_loadu_ps(block->y + first));
      __m256 dz = _mm256_sub_ps(zi, _mm256_loadu_ps(block->z + first));
      __m256 square = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
      __m256 counts = _mm256_cmp_ps(square, limit2, _CMP_LT_OQ);
      if (kind != DEBYE_PAIR_BLOCK_WHOLE)
        counts = _mm256_and_ps(counts, lanes_of_kind(kind, block->number[a], first));
      if (_mm256_movemask_ps(counts) == 0)
        continue;
      __m256 t = _mm256_fmsub_ps(_mm256_sqrt_ps(_mm256_and_ps(counts, square)), scale, half);
      __m256i bin = _mm256_cvtps_epi32(t);
      __m256 rest = _mm256_andnot_ps(sign, _mm256_sub_ps(t, _mm256_cvtepi32_ps(bin)));
      __m256 doubtful = _mm256_and_ps(counts, _mm256_cmp_ps(rest, clear, _CMP_GE_OQ));
      counts = _mm256_andnot_ps(doubtful, counts);
      _mm256_storeu_si256((__m256i *)(bins + n), _mm256_blendv_epi8(waste, bin, _mm256_castps_si256(counts)));
      n += 8;
      for (unsigned left = (unsigned)_mm256_movemask_ps(doubtful); left != 0; left &= left - 1)
        doubts[n_doubts++] =
            (DebyePairDoubt){(uint16_t)block->number[a], (uint16_t)(first + (unsigned)__builtin_ctz(left))};
    }
    if (n >= DEBYE_PAIR_WAITING) {
      debye_pair_add_bins(block, bins, n);
      n = 0;
    }
  }
  debye_pair_add_bins(block, bins, n);
  return n_doubts;
}

DEBYE_DEFINE_PAIR_BLOCK_LOOPS(count_kind)
