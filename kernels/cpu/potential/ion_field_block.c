/* SPDX-License-Identifier: MIT */
/* The loops over a map with ions for any CPU, and the choice among all versions. */
#include "ion_field_block.h"

#define INLINE inline __attribute__((always_inline))
#define TARGET
#define NAMED(name) name##_portable
#include "ion_field_block_body.h"

static const DebyeIonFieldBlock portable = {.add = add_portable,
                                            .add_nearest = add_nearest_portable,
                                            .add_unit = add_unit_portable,
                                            .find = find_portable};

const DebyeIonFieldBlock *
debye_ion_field_block(DebyeCpuLevel level)
{
#if defined(__x86_64__)
  if (level == DEBYE_CPU_AVX512)
    return &debye_ion_field_block_avx512;
  if (level == DEBYE_CPU_AVX2)
    return &debye_ion_field_block_avx2;
#endif
  (void)level;
  return &portable;
}
