/* SPDX-License-Identifier: MIT */
/* The loops over the lattices for any CPU, and the choice among all versions. */
#include "multilevel_block.h"

#include <string.h>

/* Points of a lattice's row, or of the map's along one, that are done together. */
#define SEGMENT 120
#define LINE 480
#define INLINE inline __attribute__((always_inline))
#define TARGET

#define REAL float
#define LANES 4
#define SPLINE debye_ewald_spline_float
#define NAMED(name) name##_float
#include "multilevel_block_body.h"
#undef REAL
#undef LANES
#undef SPLINE
#undef NAMED
#define REAL double
#define LANES 2
#define SPLINE debye_ewald_spline_double
#define NAMED(name) name##_double
#include "multilevel_block_body.h"

#define VERSION(suffix)                                                                      \
  {                                                                                          \
    .spread = spread_##suffix, .restrict_row = restrict_row_##suffix, .fold = fold_##suffix, \
    .prolong_row = prolong_row_##suffix, .interpolate = interpolate_##suffix,                \
  }
static const DebyeMultilevelBlock portable[2] = {VERSION(float), VERSION(double)};

const DebyeMultilevelBlock *
debye_multilevel_block(DebyeCpuLevel level, bool double_precision)
{
#if defined(__x86_64__)
  if (level == DEBYE_CPU_AVX512)
    return &debye_multilevel_block_avx512[double_precision];
  if (level == DEBYE_CPU_AVX2)
    return &debye_multilevel_block_avx2[double_precision];
#endif
  (void)level;
  return &portable[double_precision];
}
