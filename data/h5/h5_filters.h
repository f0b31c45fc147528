/* SPDX-License-Identifier: MIT */
/* What HDF5 does to a chunk before it is stored, undone: deflate, shuffle and Fletcher's checksum (HDF5 File
 * Format Specification 3.0, IV.A.2.l, and the library's filters of these names). The library (1.10) believes
 * that what comes out is as long as a chunk has to be; here it must be. Private to the data layer. */
#pragma once

#include "h5.h"

/* How many times as long deflate can make something at most (zlib's own statement). */
#define DEBYE_H5_MAX_DEFLATED 1032

/* Filters in the order in which they were applied; all zero: none. */
typedef struct {
  int n_filters;
  H5Z_filter_t kinds[H5Z_MAX_NFILTERS];
  gsize element_bytes[H5Z_MAX_NFILTERS]; /* of the elements that shuffle takes apart */
  GZlibDecompressor *decompressor;       /* made when it is first needed */
} DebyeH5Filters;

/* The filters that a data set was made with; FALSE where one isn't of those above. Needs h5.h's lock. */
gboolean debye_h5_filters_init(DebyeH5Filters *filters, hid_t creation);
void debye_h5_filters_clear(DebyeH5Filters *filters);

/* The `n` bytes of a chunk from the `n_stored` that the file has for it, which are taken. `skipped`: bit i
 * set, filter i was left out for this chunk. NULL with DEBYE_ERROR_SYNTAX where they don't give `n` bytes or
 * aren't those of their checksum, DEBYE_ERROR_MEMORY; the file is not named. */
guint8 *debye_h5_filters_undo(DebyeH5Filters *filters, unsigned skipped, guint8 *stored, gsize n_stored,
                              gsize n, GError **error);
