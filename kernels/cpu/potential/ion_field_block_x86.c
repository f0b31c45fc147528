/* SPDX-License-Identifier: MIT */
/* The loops over a map with ions for AVX2 and AVX-512; ion_field_block.c chooses among them. */
#include "ion_field_block.h"

#if defined(__x86_64__)

#define INLINE inline __attribute__((always_inline))

#define TARGET __attribute__((target("avx2,fma")))
#define NAMED(name) name##_avx2
#include "ion_field_block_body.h"
#undef TARGET
#undef NAMED
#undef DEBYE_ION_LANES

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")))
#define NAMED(name) name##_avx512
#include "ion_field_block_body.h"

const DebyeIonFieldBlock debye_ion_field_block_avx2 = {
    .add = add_avx2, .add_nearest = add_nearest_avx2, .add_unit = add_unit_avx2, .find = find_avx2};
const DebyeIonFieldBlock debye_ion_field_block_avx512 = {
    .add = add_avx512, .add_nearest = add_nearest_avx512, .add_unit = add_unit_avx512, .find = find_avx512};

#endif
