/* SPDX-License-Identifier: MIT */
/* The loops over Ewald's mesh for AVX2 and AVX-512; ewald_block.c chooses among them. */
#include "ewald_block.h"

#if defined(__x86_64__)

#include "kernels/cpu/common/vector_exp.h"

#define INLINE inline __attribute__((always_inline))

#define TARGET __attribute__((target("avx2,fma")))
#define LANES 8
#define REAL float
#define SPLINE debye_ewald_spline_float
#define NAMED(name) name##_float_avx2
#include "ewald_block_body.h"
#undef REAL
#undef SPLINE
#undef NAMED
#define REAL double
#define SPLINE debye_ewald_spline_double
#define NAMED(name) name##_double_avx2
#include "ewald_block_body.h"
#undef REAL
#undef SPLINE
#undef NAMED
#undef TARGET
#undef LANES

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")))
#define LANES 16
#define REAL float
#define SPLINE debye_ewald_spline_float
#define NAMED(name) name##_float_avx512
#include "ewald_block_body.h"
#undef REAL
#undef SPLINE
#undef NAMED
#define REAL double
#define SPLINE debye_ewald_spline_double
#define NAMED(name) name##_double_avx512
#include "ewald_block_body.h"

const DebyeEwaldBlock debye_ewald_block_avx2[2] = {
    {.spread = spread_float_avx2, .scale = scale_float_avx2, .interpolate = interpolate_float_avx2},
    {.spread = spread_double_avx2, .scale = scale_double_avx2, .interpolate = interpolate_double_avx2},
};
const DebyeEwaldBlock debye_ewald_block_avx512[2] = {
    {.spread = spread_float_avx512, .scale = scale_float_avx512, .interpolate = interpolate_float_avx512},
    {.spread = spread_double_avx512, .scale = scale_double_avx512, .interpolate = interpolate_double_avx512},
};

#endif
