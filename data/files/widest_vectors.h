/* SPDX-License-Identifier: MIT */
/* For loops over all atoms of a frame that every vector unit can do: compiled several times, the processor's
 * widest is chosen when the program starts. */
#pragma once

/* gcc takes apart what lies interleaved (x, y, z, x …) by whole vectors only when it optimises for speed
 * alone. */
#if defined(__GNUC__) && !defined(__clang__)
#define DEBYE_FASTEST_LOOPS __attribute__((optimize("O3")))
#else
#define DEBYE_FASTEST_LOOPS
#endif

/* Not under ThreadSanitizer: its runtime is not up yet when the loader chooses among clones. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define DEBYE_WIDEST_VECTORS \
  DEBYE_FASTEST_LOOPS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define DEBYE_WIDEST_VECTORS DEBYE_FASTEST_LOOPS
#endif
