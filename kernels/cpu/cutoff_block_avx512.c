/* SPDX-License-Identifier: MIT */
/* The cutoff's inner loops for AVX-512: the processor's own estimate of 1/√r², good to 6e-5, and one Newton
 * step. */
#include "cutoff_block.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define NAME(function) function##_avx512
#define LANES 16
#define ROWS 16
#define UNROLL _Pragma("GCC unroll 16")

typedef __m512 Vector;
typedef __mmask16 VectorMask;

#define vector_load(at) _mm512_loadu_ps(at)
#define vector_set(value) _mm512_set1_ps(value)
#define vector_max(a, b) _mm512_max_ps(a, b)
#define vector_below(a, b) _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define vector_keep(mask, v) _mm512_maskz_mov_ps(mask, v)
#define vector_bits(mask) ((uint32_t)(mask))

static inline __attribute__((always_inline)) TARGET __m512
vector_term(__m512 r2, __m512 charge)
{
  const __m512 y = _mm512_rsqrt14_ps(r2), half = _mm512_set1_ps(0.5f), three = _mm512_set1_ps(3.0f);
  return (half * charge * y) * (three - r2 * y * y);
}

#include "cutoff_block_body.h"

const DebyeCutoffBlock debye_cutoff_block_avx512 = {
    .name = "AVX-512",
    .select = select_avx512,
    .add_float = add_float_avx512,
    .add_double = add_double_avx512,
};

#endif
