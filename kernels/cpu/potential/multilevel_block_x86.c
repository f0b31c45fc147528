/* SPDX-License-Identifier: MIT */
/* The loops over the lattices for AVX2 and AVX-512; multilevel_block.c chooses among them. */
#include "multilevel_block.h"

#if defined(__x86_64__)

#include <string.h>

/* Points of a lattice's row, or of the map's along one, that are done together. */
#define SEGMENT 120
#define LINE 480
#define INLINE inline __attribute__((always_inline))

#define TARGET __attribute__((target("avx2,fma")))
#define REAL float
#define LANES 8
#define SPLINE debye_ewald_spline_float
#define NAMED(name) name##_float_avx2
#include "multilevel_block_body.h"
#undef REAL
#undef LANES
#undef SPLINE
#undef NAMED
#define REAL double
#define LANES 4
#define SPLINE debye_ewald_spline_double
#define NAMED(name) name##_double_avx2
#include "multilevel_block_body.h"
#undef REAL
#undef LANES
#undef SPLINE
#undef NAMED
#undef TARGET

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")))
#define REAL float
#define LANES 16
#define SPLINE debye_ewald_spline_float
#define NAMED(name) name##_float_avx512
#include "multilevel_block_body.h"
#undef REAL
#undef LANES
#undef SPLINE
#undef NAMED
#define REAL double
#define LANES 8
#define SPLINE debye_ewald_spline_double
#define NAMED(name) name##_double_avx512
#include "multilevel_block_body.h"
#undef REAL
#undef LANES
#undef SPLINE
#undef NAMED
#undef TARGET

#define VERSION(suffix)                                                                      \
  {                                                                                          \
    .spread = spread_##suffix, .restrict_row = restrict_row_##suffix, .fold = fold_##suffix, \
    .prolong_row = prolong_row_##suffix, .interpolate = interpolate_##suffix,                \
  }
const DebyeMultilevelBlock debye_multilevel_block_avx2[2] = {VERSION(float_avx2), VERSION(double_avx2)};
const DebyeMultilevelBlock debye_multilevel_block_avx512[2] = {VERSION(float_avx512), VERSION(double_avx512)};

#endif
