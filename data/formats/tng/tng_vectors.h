/* SPDX-License-Identifier: MIT */
/* The positions or the velocities of a TNG frame set: a block is loaded once and gives its frames in any
 * order, fastest one after the other. */
#pragma once

#include "tng_coding.h"
#include "tng_file.h"

typedef struct {
  DebyeTngKind kind;
  DebyeTngLayout layout;
  DebyeTngData data;
  guint8 *bytes;
  DebyeTngDecoder *decoder; /* NULL: not in TNG's coding */
  gsize next;               /* the frame that the decoder gives next */
} DebyeTngVectors;

/* NULL with an error. */
DebyeTngVectors *debye_tng_vectors_new(DebyeTngKind kind, DebyeInput *input, const DebyeTngLayout *layout,
                                       const DebyeTngData *data, GError **error);
void debye_tng_vectors_free(DebyeTngVectors *vectors);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTngVectors, debye_tng_vectors_free)

/* The k-th frame of the block, in Å or Å/ps. After an error the vectors are to be freed. */
gboolean debye_tng_vectors_read(DebyeTngVectors *vectors, DebyeInput *input, gsize k, float *x, float *y,
                                float *z, GError **error);
