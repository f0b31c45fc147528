/* SPDX-License-Identifier: MIT */
/* See ladder_strip.h. The vectors are the compiler's, from the same plain loop: what its 1/√ costs beside the
 * CPUs' estimate is the production kernel's lesson. */
#include "ladder_strip.h"

#include "kernels/ladder/ladder_math.h"

static inline __attribute__((always_inline)) void
add_strip(const DebyeLadderTile *tile, const float *x, float *sum, const int width)
{
  float part[DEBYE_LADDER_STRIP] = {0.0f}, at[DEBYE_LADDER_STRIP];
  const float core2 = tile->core2;
  for (int i = 0; i < width; i++)
    at[i] = x[i];
  for (size_t atom = 0; atom < tile->n_atoms; atom++) {
    const float atom_x = tile->x[atom], square = tile->square[atom], charge = tile->charge[atom];
    for (int i = 0; i < width; i++) {
      float dx = at[i] - atom_x;
      part[i] += debye_ladder_term(charge, dx * dx + square, core2);
    }
  }
  for (int i = 0; i < width; i++)
    sum[i] += part[i];
}

#if defined(__clang__)
#define ONE_AT_A_TIME
#else
#define ONE_AT_A_TIME __attribute__((optimize("no-tree-vectorize")))
#endif

static ONE_AT_A_TIME void
add_single(const DebyeLadderTile *tile, const float *x, float *sum)
{
  add_strip(tile, x, sum, 8);
}

const DebyeLadderStrip debye_ladder_strip_single = {8, add_single};

static void
add_portable(const DebyeLadderTile *tile, const float *x, float *sum)
{
  add_strip(tile, x, sum, 16);
}

static const DebyeLadderStrip portable = {16, add_portable};

#if defined(__x86_64__)

static __attribute__((target("avx2,fma"))) void
add_avx2(const DebyeLadderTile *tile, const float *x, float *sum)
{
  add_strip(tile, x, sum, 32);
}

static __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512"))) void
add_avx512(const DebyeLadderTile *tile, const float *x, float *sum)
{
  add_strip(tile, x, sum, 32);
}

static const DebyeLadderStrip avx2 = {32, add_avx2}, avx512 = {32, add_avx512};

#endif

const DebyeLadderStrip *
debye_ladder_strip_vectors(DebyeCpuLevel level)
{
#if defined(__x86_64__)
  if (level == DEBYE_CPU_AVX512)
    return &avx512;
  if (level == DEBYE_CPU_AVX2)
    return &avx2;
#endif
  (void)level;
  return &portable;
}
