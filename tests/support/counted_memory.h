/* SPDX-License-Identifier: MIT */
/* What a test and the libraries that are linked into it statically take from the C library, counted: their
 * calls of malloc and its kin come here where the linker is told so (counted_memory of
 * tests/kernels/meson.build). Shared libraries, FFTW among them, aren't counted. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Bytes asked for and not freed. */
uint64_t debye_counted_bytes(void);
/* Lets the number-th taking of memory from now on fail, counted from 1; 0: none. */
void debye_counted_fail(unsigned number);
/* Whether one has failed since. */
bool debye_counted_has_failed(void);
