/* SPDX-License-Identifier: MIT */
/* The loops of self scattering for AVX2 and AVX-512; self_block.c chooses among them. */
#include "self_block.h"

#if defined(__x86_64__)

#include "self_phase.h"

#define INLINE inline __attribute__((always_inline))

#define TARGET __attribute__((target("avx2,fma")))
#define NAMED(name) name##_avx2
#include "self_block_body.h"
DEBYE_SELF_LOOPS(debye_self_block_avx2);
#undef TARGET
#undef NAMED
#undef DEBYE_SELF_STRIP
#undef DEBYE_SELF_LOOPS

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")))
#define NAMED(name) name##_avx512
#include "self_block_body.h"
DEBYE_SELF_LOOPS(debye_self_block_avx512);

#endif
