/* SPDX-License-Identifier: MIT */
/* The amplitudes' inner loops for AVX2 and AVX-512; amplitude_block.c chooses among them. */
#include "amplitude_block.h"

#if defined(__x86_64__)

#include "amplitude_block_body.h"

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")))

static AVX2 void
add_float_avx2(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip, DebyeAmplitudeSums *sums)
{
  debye_amplitude_add_float_body(tile, strip, sums);
}

static AVX2 void
add_double_avx2(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip, DebyeAmplitudeSums *sums)
{
  debye_amplitude_add_double_body(tile, strip, sums);
}

const DebyeAmplitudeBlock debye_amplitude_block_avx2 = {
    .name = "AVX2", .add_float = add_float_avx2, .add_double = add_double_avx2};

static AVX512 void
add_float_avx512(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip, DebyeAmplitudeSums *sums)
{
  debye_amplitude_add_float_body(tile, strip, sums);
}

static AVX512 void
add_double_avx512(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip, DebyeAmplitudeSums *sums)
{
  debye_amplitude_add_double_body(tile, strip, sums);
}

const DebyeAmplitudeBlock debye_amplitude_block_avx512 = {
    .name = "AVX-512", .add_float = add_float_avx512, .add_double = add_double_avx512};

#endif
