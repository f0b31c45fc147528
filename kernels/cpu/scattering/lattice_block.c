/* SPDX-License-Identifier: MIT */
/* Spreading for any CPU, and the choice among all versions. */
#include "lattice_block.h"

#include "lattice_values.h"

#define TARGET
#define REAL float
#define NAMED(name) name##_float
#include "lattice_block_body.h"
#undef REAL
#undef NAMED
#define REAL double
#define NAMED(name) name##_double
#include "lattice_block_body.h"

static const DebyeLatticeBlock portable = {
    .name = "any processor", .spread_float = spread_float, .spread_double = spread_double};

const DebyeLatticeBlock *
debye_lattice_block(DebyeCpuLevel level)
{
#if defined(__x86_64__)
  if (level == DEBYE_CPU_AVX512)
    return &debye_lattice_block_avx512;
  if (level == DEBYE_CPU_AVX2)
    return &debye_lattice_block_avx2;
#endif
  (void)level;
  return &portable;
}
