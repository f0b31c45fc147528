/* SPDX-License-Identifier: MIT */
/* The pair histogram's inner loops for AVX-512, which packs the bins of the pairs in range side by side; called by
 * pair_meetings.c. */
#include "pair_block.h"

#include <immintrin.h>

#include "pair_bins.h"

#define INLINE inline __attribute__((always_inline))

static INLINE __mmask16
lanes_of_kind(const DebyePairBlockKind kind, uint32_t i, size_t first)
{
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i j = _mm512_add_epi32(lane, _mm512_set1_epi32((int)first)), other = _mm512_set1_epi32((int)i);
  return kind == DEBYE_PAIR_BLOCK_UPPER ? _mm512_cmpgt_epi32_mask(j, other)
                                        : _mm512_cmpneq_epi32_mask(j, other);
}

static INLINE size_t
count_kind(const DebyePairBlock *block, DebyePairDoubt *doubts, const DebyePairBlockKind kind)
{
  const __m512 scale = _mm512_set1_ps(block->scale), limit2 = _mm512_set1_ps(block->limit2);
  const __m512 clear = _mm512_set1_ps(block->clear), half = _mm512_set1_ps(0.5f);
  int32_t bins[DEBYE_PAIR_WAITING + DEBYE_PAIR_MAX_TILE + 16];
  size_t n_doubts = 0, n = 0;
  for (size_t a = 0; a < block->n_i; a++) {
    const __m512 xi = _mm512_set1_ps(block->xi[a]), yi = _mm512_set1_ps(block->yi[a]);
    const __m512 zi = _mm512_set1_ps(block->zi[a]);
    for (size_t first = 0; first < block->n_j; first += 16) {
      __m512 dx = _mm512_sub_ps(xi, _mm512_loadu_ps(block->x + first));
      __m512 dy = _mm512_sub_ps(yi, _mm512_loadu_ps(block->y + first));
      __m512 dz = _mm512_sub_ps(zi, _mm512_loadu_ps(block->z + first));
      __m512 square = _mm512_fmadd_ps(dz, dz, _mm512_fmadd_ps(dy, dy, _mm512_mul_ps(dx, dx)));
      __mmask16 counts = _mm512_cmp_ps_mask(square, limit2, _CMP_LT_OQ);
      if (kind != DEBYE_PAIR_BLOCK_WHOLE)
        counts &= lanes_of_kind(kind, block->number[a], first);
      /* Rounding t − 1/2 to the nearest is t's whole part; what is left says how near an edge is. */
      __m512 t = _mm512_fmsub_ps(_mm512_maskz_sqrt_ps(counts, square), scale, half);
      __m512i bin = _mm512_cvtps_epi32(t);
      __m512 rest = _mm512_abs_ps(_mm512_sub_ps(t, _mm512_cvtepi32_ps(bin)));
      __mmask16 doubtful = _mm512_mask_cmp_ps_mask(counts, rest, clear, _CMP_GE_OQ);
      counts &= (__mmask16)~doubtful;
      _mm512_storeu_si512(bins + n, _mm512_maskz_compress_epi32(counts, bin));
      n += (size_t)_mm_popcnt_u32(counts);
      for (unsigned left = doubtful; left != 0; left &= left - 1)
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
