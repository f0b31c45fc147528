/* SPDX-License-Identifier: MIT */
/* For loops over all atoms of a frame that every vector unit can do: compiled several times, the processor's
 * widest is chosen when the program starts. */
#pragma once

/* Not under ThreadSanitizer: its runtime is not up yet when the loader chooses among clones. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define DEBYE_WIDEST_VECTORS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define DEBYE_WIDEST_VECTORS
#endif
