/* SPDX-License-Identifier: MIT */
/* The amplitudes' inner loops for any CPU, and the choice among all versions. */
#include "amplitude_block.h"

#include "amplitude_block_body.h"

static void
add_float(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip, DebyeAmplitudeSums *sums)
{
  debye_amplitude_add_float_body(tile, strip, sums);
}

static void
add_double(const DebyeAmplitudeTile *tile, const DebyeAmplitudeStrip *strip, DebyeAmplitudeSums *sums)
{
  debye_amplitude_add_double_body(tile, strip, sums);
}

static const DebyeAmplitudeBlock portable = {
    .name = "any processor", .add_float = add_float, .add_double = add_double};

const DebyeAmplitudeBlock *
debye_amplitude_block(DebyeCpuLevel level)
{
#if defined(__x86_64__)
  if (level == DEBYE_CPU_AVX512)
    return &debye_amplitude_block_avx512;
  if (level == DEBYE_CPU_AVX2)
    return &debye_amplitude_block_avx2;
#endif
  (void)level;
  return &portable;
}
