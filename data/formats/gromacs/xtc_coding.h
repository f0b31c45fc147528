/* SPDX-License-Identifier: MIT */
/* The coordinate compression of XTC files, between integers and bits: lossless. Integers are coordinates in
 * units of 1/precision nm; the reader and writer of the format (format_xtc.c) turn them into Å.
 *
 * The stream: atoms come in groups. A group begins with one atom as three mixed-radix digits of one number,
 * each coordinate relative to the frame's minimum. Then a flag bit; when it is set, five bits follow that
 * change the length of the run and the width of small numbers (by -1, 0 or 1 step of the table). Then the
 * run: up to ten atoms as differences to the one before, as three digits of one number of `small_index` bits.
 * The first atom of a run and the group's first atom are swapped, because in water (O, H, H) the hydrogen is
 * then near both. */
#pragma once

#include <glib.h>

#include "data/packed_coordinates.h"

/* What precedes the bits in the file. */
typedef struct {
  gint32 minimum[3];
  gint32 maximum[3];
  gint32 small_index;
} DebyeXtcBlock;

/* This many readable bytes of any value must follow the bytes that are decoded. */
#define DEBYE_XTC_PADDING 32

/* NULL, or what is wrong with the numbers, as an end of a sentence ("minimum 5 above maximum 3 along x"). */
char *debye_xtc_block_find_fault(const DebyeXtcBlock *block);

/* Decodes `n_atoms` atoms into three arrays; the block was found without fault. NULL when all went well, else
 * what is wrong with the bits. Never writes beyond the arrays, whatever the bits are. */
const char *debye_xtc_decode(const DebyeXtcBlock *block, const guint8 *bytes, gsize n_bytes, gsize n_atoms,
                             gint32 *x, gint32 *y, gint32 *z);
/* Finds where segments of packed->bytes begin without decoding them, and fills the rest of `packed`, which has room for all
 * segments, but for the unit. Whatever debye_xtc_decode() finds wrong with the bits is found, and said, here as well; what is
 * found without fault can be decoded segment by segment with no check. */
const char *debye_xtc_scan(const DebyeXtcBlock *block, gsize n_bytes, gsize n_atoms,
                           DebyePackedCoordinates *packed);

/* Enough room for any frame of this many atoms. */
gsize debye_xtc_get_bound(gsize n_atoms);
/* Fills `block` and `bytes`, returns the number of bytes. The width of small numbers is the one with the
 * fewest bits, looked for around block->small_index (0: everywhere). The coordinates must span less than
 * 2^32. */
gsize debye_xtc_encode(DebyeXtcBlock *block, guint8 *bytes, gsize n_atoms, const gint32 *x, const gint32 *y,
                       const gint32 *z);
