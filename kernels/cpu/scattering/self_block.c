/* SPDX-License-Identifier: MIT */
/* The loops of self scattering for any CPU, and the choice among all versions. */
#include "self_block.h"

#include "self_phase.h"

#define INLINE inline __attribute__((always_inline))
#define TARGET
#define NAMED(name) name##_portable
#include "self_block_body.h"

static DEBYE_SELF_LOOPS(portable);

const DebyeSelfBlockLoops *
debye_self_block_loops(DebyeCpuLevel level)
{
#if defined(__x86_64__)
  if (level == DEBYE_CPU_AVX512)
    return &debye_self_block_avx512;
  if (level == DEBYE_CPU_AVX2)
    return &debye_self_block_avx2;
#endif
  (void)level;
  return &portable;
}
