/* SPDX-License-Identifier: MIT */
/* A data set as values a frame: its first dimension counts frames, as trajectories in HDF5 are laid out.
 * Frames are read in blocks that follow the data set's chunks, so that each is unpacked once. Everything here
 * needs h5.h's lock. */
#pragma once

#include "h5_rows.h"

typedef struct _DebyeH5Series {
  hid_t dataset;
  int rank;
  hsize_t shape[H5S_MAX_RANK]; /* as in the file */
  gsize n_frames;              /* 1 where the values are the same in all frames */
  gsize n_values;              /* a frame */
  hid_t type;                  /* H5T_NATIVE_FLOAT, _DOUBLE or _INT64 */
  gsize width;                 /* bytes of such a value */
  gboolean is_fixed;
  gsize frames_in_block; /* private from here */
  gsize first, n_filled;
  guint8 *block;
  DebyeH5Rows *rows; /* made at the first reading, which then tells what is wrong with them */
} DebyeH5Series;

/* Takes `dataset`, also when it fails. NULL where it holds no numbers, more than `file_size` bytes can, or
 * none at all; `least_rank` dimensions are wanted, that of the frames included. */
DebyeH5Series *debye_h5_series_new(hid_t dataset, gboolean is_fixed, int least_rank, hid_t type,
                                   guint64 file_size);
void debye_h5_series_free(DebyeH5Series *series);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeH5Series, debye_h5_series_free)

/* The values of a frame, n_values of them, valid until the next call; NULL on an error. */
gconstpointer debye_h5_series_read(DebyeH5Series *series, gsize frame_number, GError **error);

/* Whether it is a single value without a shape, in the file itself. */
gboolean debye_h5_is_plain_scalar(hid_t dataset);

/* The numbers of a data set of one dimension, or the one of a data set without any (`is_scalar`); NULL, and
 * *n is 0: none of that kind, or it can't be read. `dataset` stays open. */
double *debye_h5_get_doubles(hid_t dataset, guint64 file_size, gsize *n, gboolean *is_scalar);
