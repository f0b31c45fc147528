/* SPDX-License-Identifier: MIT */
/* TNG's strongest packing of numbers: halves of 15 bits, sorted by what follows them (Burrows and Wheeler),
 * each byte of them moved to the front, repetitions shortened, Huffman's codes. After what the format's
 * library writes (github.com/gromacs/tng, BSD) and Burrows and Wheeler, SRC Research Report 124 (1994). */
#pragma once

#include <glib.h>

/* More numbers than this a byte are not believed, before memory is asked for. */
#define DEBYE_TNG_EXPANSION 1032

/* Exactly n numbers. FALSE: damaged. */
gboolean debye_tng_bwlzh_unpack(const guint8 *bytes, gsize n_bytes, guint32 *values, gsize n);
