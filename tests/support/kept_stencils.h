/* SPDX-License-Identifier: MIT */
/* Stencils of multilevel summation, each solved for once in a program: a test wants the same of them for each instruction set,
 * in float and in double. It has to wrap the two functions that make them (tests/kernels/meson.build). */
#pragma once

#include <stdbool.h>

/* False: each is solved for anew, for a test of what must come again. */
extern bool debye_stencils_are_kept;
