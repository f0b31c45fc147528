/* SPDX-License-Identifier: MIT */
/* The loop of the displacements for any CPU, and the choice among all versions. */
#include "displacement_block.h"

#include "displacement_block_body.h"

static void
find_portable(const DebyeDisplacementStrip *strip, int32_t *bin, double *square, double *fourth)
{
  debye_displacement_body(strip, bin, square, fourth);
}

DebyeDisplacementLoop
debye_displacement_loop(DebyeCpuLevel level)
{
#if defined(__x86_64__)
  if (level == DEBYE_CPU_AVX512)
    return debye_displacement_loop_avx512;
  if (level == DEBYE_CPU_AVX2)
    return debye_displacement_loop_avx2;
#endif
  (void)level;
  return find_portable;
}
