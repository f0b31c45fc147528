/* SPDX-License-Identifier: MIT */
/* TNG's container: blocks one after the other, each with its size, a number that says what it is, and a name.
 * Blocks of data belong to the frame set before them. All numbers are of one byte order, which the first
 * block's size tells. After Lundborg et al., J. Comput. Chem. 32, 1500 (2011) and what files show. */
#pragma once

#include "data/geometry.h"
#include "data/files/input.h"

#define DEBYE_TNG_MOLECULES 1
#define DEBYE_TNG_FRAME_SET 2
#define DEBYE_TNG_BOX G_GINT64_CONSTANT(0x10000000)
#define DEBYE_TNG_POSITIONS G_GINT64_CONSTANT(0x10000001)
#define DEBYE_TNG_VELOCITIES G_GINT64_CONSTANT(0x10000002)
#define DEBYE_TNG_CHARGES G_GINT64_CONSTANT(0x10000004)
#define DEBYE_TNG_MASSES G_GINT64_CONSTANT(0x10000010)

/* How a block's data are packed. */
enum { DEBYE_TNG_PLAIN, DEBYE_TNG_AS_XTC, DEBYE_TNG_AS_TNG, DEBYE_TNG_AS_GZIP };

typedef struct {
  gboolean is_big_endian;
  double unit;       /* Å in the file's unit of length */
  guint64 blocks_at; /* behind the first block */
} DebyeTngLayout;

typedef struct {
  gint64 id;
  guint64 at, contents_at, n_bytes, next;
} DebyeTngBlock;

/* Of a frame set: frames first … first + n_frames - 1, of which not all need have data. */
typedef struct {
  gint64 first, n_frames;
  double first_time, time_step; /* s; NAN: not known */
} DebyeTngFrameSet;

typedef struct {
  gsize value_bytes; /* of a float or a double */
  gint64 n_values;   /* a frame, or an atom and frame */
  gint64 codec;
  gint64 first, stride; /* of the frames that have data */
  gint64 n_atoms;       /* 0: not of atoms */
  guint64 data_at, n_bytes;
  gsize n_frames; /* with data in this set */
} DebyeTngData;

/* A number of the file at some bytes of a block. */
gint64 debye_tng_get_int(const DebyeTngLayout *layout, const guint8 *bytes);
int debye_tng_probe(const guint8 *head, gsize n);
gboolean debye_tng_read_layout(DebyeInput *input, DebyeTngLayout *layout, GError **error);
/* The block at a place. */
gboolean debye_tng_read_block(DebyeInput *input, const DebyeTngLayout *layout, guint64 at,
                              DebyeTngBlock *block, GError **error);
gboolean debye_tng_read_frame_set(DebyeInput *input, const DebyeTngLayout *layout, const DebyeTngBlock *block,
                                  DebyeTngFrameSet *set, GError **error);
/* What a block of vectors, of boxes, of charges or of masses says of its data. `set` NULL: the block is
 * before all sets. */
gboolean debye_tng_read_data_head(DebyeInput *input, const DebyeTngLayout *layout, const DebyeTngBlock *block,
                                  const DebyeTngFrameSet *set, DebyeTngData *data, GError **error);
/* The data as they are, or unzipped; TNG's own packing is left for tng_coding.h. NULL with an error. */
guint8 *debye_tng_read_data(DebyeInput *input, const DebyeTngData *data, GError **error);
double debye_tng_get_value(const DebyeTngLayout *layout, const DebyeTngData *data, const guint8 *bytes,
                           gsize k);
