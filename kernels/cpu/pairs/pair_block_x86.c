/* SPDX-License-Identifier: MIT */
/* The pair histogram's inner loops for AVX2 and AVX-512. AVX-512 packs the bins of the pairs in range side by
 * side; AVX2 can't and sends the others to the waste. */
#include "pair_block.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,popcnt,bmi")))
#define INLINE inline __attribute__((always_inline))

/* Bins wait here for each other: a loop over a few has its end guessed wrong as often as it has one. */
#define WAITING 2048

static INLINE void
add_bins(const DebyePairBlock *block, const int32_t *bin, size_t n)
{
  uint32_t *const one = block->histogram[0], *const two = block->histogram[1];
  uint32_t *const three = block->histogram[2], *const four = block->histogram[3];
  size_t k = 0;
  for (; k + DEBYE_PAIR_COPIES <= n; k += DEBYE_PAIR_COPIES) {
    one[bin[k]]++;
    two[bin[k + 1]]++;
    three[bin[k + 2]]++;
    four[bin[k + 3]]++;
  }
  for (; k < n; k++)
    one[bin[k]]++;
}

/* AVX-512. */

static INLINE AVX512 __mmask16
lanes_of_kind(const DebyePairBlockKind kind, uint32_t i, size_t first)
{
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i j = _mm512_add_epi32(lane, _mm512_set1_epi32((int)first)), other = _mm512_set1_epi32((int)i);
  return kind == DEBYE_PAIR_BLOCK_UPPER ? _mm512_cmpgt_epi32_mask(j, other)
                                        : _mm512_cmpneq_epi32_mask(j, other);
}

static INLINE AVX512 size_t
count_avx512(const DebyePairBlock *block, DebyePairDoubt *doubts, const DebyePairBlockKind kind)
{
  const __m512 scale = _mm512_set1_ps(block->scale), limit2 = _mm512_set1_ps(block->limit2);
  const __m512 clear = _mm512_set1_ps(block->clear), half = _mm512_set1_ps(0.5f);
  int32_t bins[WAITING + DEBYE_PAIR_MAX_TILE + 16];
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
    if (n >= WAITING) {
      add_bins(block, bins, n);
      n = 0;
    }
  }
  add_bins(block, bins, n);
  return n_doubts;
}

AVX512 size_t
debye_pair_block_avx512(const DebyePairBlock *block, DebyePairDoubt *doubts)
{
  switch (block->kind) {
  case DEBYE_PAIR_BLOCK_UPPER:
    return count_avx512(block, doubts, DEBYE_PAIR_BLOCK_UPPER);
  case DEBYE_PAIR_BLOCK_NO_SELF:
    return count_avx512(block, doubts, DEBYE_PAIR_BLOCK_NO_SELF);
  default:
    return count_avx512(block, doubts, DEBYE_PAIR_BLOCK_WHOLE);
  }
}

/* AVX2. */

static INLINE AVX2 __m256
lanes_of_kind_avx2(const DebyePairBlockKind kind, uint32_t i, size_t first)
{
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256i j = _mm256_add_epi32(lane, _mm256_set1_epi32((int)first)), other = _mm256_set1_epi32((int)i);
  if (kind == DEBYE_PAIR_BLOCK_UPPER)
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(j, other));
  return _mm256_castsi256_ps(_mm256_xor_si256(_mm256_cmpeq_epi32(j, other), _mm256_set1_epi32(-1)));
}

static INLINE AVX2 size_t
count_avx2(const DebyePairBlock *block, DebyePairDoubt *doubts, const DebyePairBlockKind kind)
{
  const __m256 scale = _mm256_set1_ps(block->scale), limit2 = _mm256_set1_ps(block->limit2);
  const __m256 clear = _mm256_set1_ps(block->clear), half = _mm256_set1_ps(0.5f);
  const __m256 sign = _mm256_set1_ps(-0.0f);
  const __m256i waste =
      _mm256_add_epi32(_mm256_set1_epi32((int)block->n_bins), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  int32_t bins[WAITING + DEBYE_PAIR_MAX_TILE];
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
        counts = _mm256_and_ps(counts, lanes_of_kind_avx2(kind, block->number[a], first));
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
    if (n >= WAITING) {
      add_bins(block, bins, n);
      n = 0;
    }
  }
  add_bins(block, bins, n);
  return n_doubts;
}

AVX2 size_t
debye_pair_block_avx2(const DebyePairBlock *block, DebyePairDoubt *doubts)
{
  switch (block->kind) {
  case DEBYE_PAIR_BLOCK_UPPER:
    return count_avx2(block, doubts, DEBYE_PAIR_BLOCK_UPPER);
  case DEBYE_PAIR_BLOCK_NO_SELF:
    return count_avx2(block, doubts, DEBYE_PAIR_BLOCK_NO_SELF);
  default:
    return count_avx2(block, doubts, DEBYE_PAIR_BLOCK_WHOLE);
  }
}

#endif
