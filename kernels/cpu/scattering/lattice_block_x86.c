/* SPDX-License-Identifier: MIT */
/* Spreading of atoms on the mesh for AVX2 and AVX-512; lattice_block.c chooses among them. */
#include "lattice_block.h"

#if defined(__x86_64__)

#include "lattice_values.h"

#define TARGET __attribute__((target("avx2,fma")))
#define REAL float
#define NAMED(name) name##_float_avx2
#include "lattice_block_body.h"
#undef REAL
#undef NAMED
#define REAL double
#define NAMED(name) name##_double_avx2
#include "lattice_block_body.h"
#undef TARGET
#undef REAL
#undef NAMED

const DebyeLatticeBlock debye_lattice_block_avx2 = {
    .name = "AVX2", .spread_float = spread_float_avx2, .spread_double = spread_double_avx2};

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")))
#define REAL float
#define NAMED(name) name##_float_avx512
#include "lattice_block_body.h"
#undef REAL
#undef NAMED
#define REAL double
#define NAMED(name) name##_double_avx512
#include "lattice_block_body.h"

const DebyeLatticeBlock debye_lattice_block_avx512 = {
    .name = "AVX-512", .spread_float = spread_float_avx512, .spread_double = spread_double_avx512};

#endif
