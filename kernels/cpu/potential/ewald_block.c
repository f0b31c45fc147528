/* SPDX-License-Identifier: MIT */
/* The loops over Ewald's mesh for any CPU, and the choice among all versions. */
#include "ewald_block.h"

#include "kernels/cpu/common/vector_exp.h"

#define INLINE inline __attribute__((always_inline))
#define TARGET
#define LANES 8

#define REAL float
#define SPLINE debye_ewald_spline_float
#define NAMED(name) name##_float
#include "ewald_block_body.h"
#undef REAL
#undef SPLINE
#undef NAMED
#define REAL double
#define SPLINE debye_ewald_spline_double
#define NAMED(name) name##_double
#include "ewald_block_body.h"

static const DebyeEwaldBlock portable[2] = {
    {.spread = spread_float, .scale = scale_float, .interpolate = interpolate_float},
    {.spread = spread_double, .scale = scale_double, .interpolate = interpolate_double},
};

const DebyeEwaldBlock *
debye_ewald_block(DebyeCpuLevel level, bool double_precision)
{
#if defined(__x86_64__)
  if (level == DEBYE_CPU_AVX512)
    return &debye_ewald_block_avx512[double_precision];
  if (level == DEBYE_CPU_AVX2)
    return &debye_ewald_block_avx2[double_precision];
#endif
  (void)level;
  return &portable[double_precision];
}
