/* SPDX-License-Identifier: MIT */
/* The cutoff's inner loops for any CPU, called by potential_cutoff.c. */
#include "cutoff_block.h"

#define LANES 4
#define ROWS 4
#define UNROLL

typedef float Vector __attribute__((vector_size(16)));
typedef int VectorMask __attribute__((vector_size(16)));

static inline Vector
vector_load(const float *at)
{
  return (Vector){at[0], at[1], at[2], at[3]};
}

static inline Vector
vector_set(float value)
{
  return (Vector){value, value, value, value};
}

static inline VectorMask
vector_below(Vector a, Vector b)
{
  return a < b;
}

static inline Vector
vector_keep(VectorMask mask, Vector v)
{
  return (Vector)((VectorMask)v & mask);
}

static inline uint32_t
vector_bits(VectorMask mask)
{
  return (uint32_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
}

static inline Vector
vector_max(Vector a, Vector b)
{
  const VectorMask below = a < b;
  return (Vector)(((VectorMask)b & below) | ((VectorMask)a & ~below));
}

static inline Vector
vector_term(Vector r2, Vector charge)
{
  const Vector guess = (Vector)(DEBYE_RSQRT_GUESS - ((VectorMask)r2 >> 1));
  const Vector t = r2 * (guess * guess);
  return charge * guess * (((DEBYE_RSQRT_C3 * t + DEBYE_RSQRT_C2) * t + DEBYE_RSQRT_C1) * t + DEBYE_RSQRT_C0);
}

#include "cutoff_loops.h"
#include "cutoff_select.h"

const DebyeCutoffBlock DEBYE_AT_LEVEL(debye_cutoff_block) = {
    .select = select_atoms,
    .fill_rows = fill_rows,
    .list = list_atoms,
    .add = add,
    .add_double = add_double,
};
