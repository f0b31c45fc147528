/* SPDX-License-Identifier: MIT */
/* The loop of the displacements for AVX2 and AVX-512; displacement_block.c chooses among them. */
#include "displacement_block.h"

#if defined(__x86_64__)

#include "displacement_block_body.h"

__attribute__((target("avx2,fma"))) void
debye_displacement_loop_avx2(const DebyeDisplacementStrip *strip, int32_t *bin, double *square,
                             double *fourth)
{
  debye_displacement_body(strip, bin, square, fourth);
}

__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512"))) void
debye_displacement_loop_avx512(const DebyeDisplacementStrip *strip, int32_t *bin, double *square,
                               double *fourth)
{
  debye_displacement_body(strip, bin, square, fourth);
}

#endif
