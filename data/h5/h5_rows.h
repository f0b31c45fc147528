/* SPDX-License-Identifier: MIT */
/* The values of a data set, by rows: what lies under one index of its first dimension. This is the one place
 * where values are read from HDF5. Chunks, which the library (1.10) copies from without looking how long they
 * are, are read and unpacked here: one that doesn't have the size of its shape is an error. Private to the
 * data layer; everything needs h5.h's lock. */
#pragma once

#include "h5.h"

typedef struct _DebyeH5Rows DebyeH5Rows;

/* Numbers, or strings of a fixed length, which are given as values of `type`. Both ids stay the caller's and
 * must outlive the rows. NULL with an error (that names no file) where the values lie in another file, went
 * through filters other than deflate, shuffle and Fletcher's checksum, or are more than is stored of them. */
DebyeH5Rows *debye_h5_rows_new(hid_t dataset, hid_t type, GError **error);
void debye_h5_rows_free(DebyeH5Rows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeH5Rows, debye_h5_rows_free)

/* `n` rows from number `first` on, which must be there, into `values`. */
gboolean debye_h5_rows_read(DebyeH5Rows *rows, hsize_t first, hsize_t n, gpointer values, GError **error);

/* All values of a data set, `n` of them, which must be as many. */
gboolean debye_h5_read_values(hid_t dataset, hid_t type, gpointer values, gsize n, GError **error);
