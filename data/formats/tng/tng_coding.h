/* SPDX-License-Identifier: MIT */
/* TNG's own packing of positions and of velocities: integers in units of a precision, frame after frame; the
 * first frame in one coding, the others in another. All codings are read: stop bits, triplets, XTC2, XTC3 and
 * those by the Burrows-Wheeler transform. After the description in Lundborg et al., J. Comput. Chem. 35, 260
 * (2014), what files show, and what the format's library writes (github.com/gromacs/tng, BSD). */
#pragma once

#include <glib.h>

typedef enum { DEBYE_TNG_OF_POSITIONS, DEBYE_TNG_OF_VELOCITIES } DebyeTngKind;

typedef struct _DebyeTngDecoder DebyeTngDecoder;

/* Of a block's bytes, which must stay. NULL with a fault, to be freed. */
DebyeTngDecoder *debye_tng_decoder_new(DebyeTngKind kind, const guint8 *bytes, gsize n, gsize n_atoms,
                                       char **fault);
void debye_tng_decoder_free(DebyeTngDecoder *decoder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTngDecoder, debye_tng_decoder_free)

gsize debye_tng_decoder_get_n_frames(const DebyeTngDecoder *decoder);
/* The next frame's vectors, in the file's unit times `unit`. NULL or a fault. */
const char *debye_tng_decoder_next(DebyeTngDecoder *decoder, float unit, float *x, float *y, float *z);
