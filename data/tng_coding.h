/* SPDX-License-Identifier: MIT */
/* TNG's own packing of coordinates: integers in units of a precision, frame after frame. Of its ways of
 * coding those are read that GROMACS chooses from when it writes (stop bits, triplets, XTC2); those based on
 * the Burrows-Wheeler transform and XTC3, which only its slowest settings try, are named in an error. After
 * the description in Lundborg et al., J. Comput. Chem. 35, 260 (2014) and what files show. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _DebyeTngDecoder DebyeTngDecoder;

/* Of a block's bytes, which must stay. NULL with a fault, to be freed. */
DebyeTngDecoder *debye_tng_decoder_new(const guint8 *bytes, gsize n, gsize n_atoms, char **fault);
void debye_tng_decoder_free(DebyeTngDecoder *decoder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTngDecoder, debye_tng_decoder_free)

gsize debye_tng_decoder_get_n_frames(const DebyeTngDecoder *decoder);
/* The next frame's coordinates, in the file's unit of length times `unit`. NULL or a fault. */
const char *debye_tng_decoder_next(DebyeTngDecoder *decoder, float unit, float *x, float *y, float *z);

G_END_DECLS
