/* SPDX-License-Identifier: MIT */
/* Decodes the positions and velocities of a frame set for format_tng.c. A block begins with ten
 * little-endian numbers: a magic one, atoms, frames, the coding of the first frame and its parameter, the
 * coding of the others and its parameter, the precision as a fraction of 2³² and as whole numbers, the first
 * frame's size. Then the first frame, the size of the others, and these. */
#include "tng_coding.h"

#include <string.h>

#include "tng_bits.h"
#include "tng_bwlzh.h"
#include "tng_xtc2.h"
#include "tng_xtc3.h"
#include "data/messages/message.h"

#define HEAD_BYTES 40
#define PARAMETER_MAXIMUM 30
#define CODINGS 11

typedef enum { NO_PACKING, STOP_BITS, TRIPLETS, XTC2, XTC3, BWLZH } Packing;
/* The value to which a difference is added. */
typedef enum { ZERO, ATOM_BEFORE, FRAME_BEFORE } Origin;

typedef struct {
  Packing packing;
  Origin origin;
} Coding;

/* The same number means different things of positions and of velocities. */
static const struct {
  guint32 magic;
  Coding codings[CODINGS];
} kinds[] = {
    [DEBYE_TNG_OF_POSITIONS] = {.magic = 0x50474e54, /* "TNGP" */
                                .codings = {[1] = {STOP_BITS, FRAME_BEFORE},
                                            [2] = {TRIPLETS, FRAME_BEFORE},
                                            [3] = {TRIPLETS, ATOM_BEFORE},
                                            [5] = {XTC2, ZERO},
                                            [7] = {TRIPLETS, ZERO},
                                            [8] = {BWLZH, FRAME_BEFORE},
                                            [9] = {BWLZH, ATOM_BEFORE},
                                            [10] = {XTC3, ZERO}}},
    [DEBYE_TNG_OF_VELOCITIES] = {.magic = 0x56474e54, /* "TNGV" */
                                 .codings = {[1] = {STOP_BITS, ZERO},
                                             [2] = {TRIPLETS, FRAME_BEFORE},
                                             [3] = {TRIPLETS, ZERO},
                                             [6] = {STOP_BITS, FRAME_BEFORE},
                                             [8] = {BWLZH, FRAME_BEFORE},
                                             [9] = {BWLZH, ZERO}}},
};

/* Frames of one coding. Those of stop bits and triplets are unpacked one by one, others together. */
typedef struct {
  Coding coding;
  guint32 parameter;
  gsize n_frames, next;
  const guint8 *bytes;
  gsize n_bytes;
  DebyeTngBits bits;
  guint32 width_maximum; /* of a triplet's values */
  gint32 *values;        /* all, where they are unpacked together */
  guint32 offset;        /* of them, packed by BWLZH, for which an atom's frames stand together */
} Part;

struct _DebyeTngDecoder {
  gsize n_atoms, next;
  Part parts[2]; /* the first frame, the others */
  double precision;
  gint32 *values; /* 3 n_atoms: the last frame */
};

static guint32
read_word(const guint8 *bytes)
{
  guint32 word;
  memcpy(&word, bytes, sizeof word);
  return GUINT32_FROM_LE(word);
}

/* --- Stop bits and triplets --- */

/* Pieces of a value, the lowest first; a bit behind each says whether another, half as wide, follows. */
static gint32
read_stop_bits(DebyeTngBits *bits, guint32 width)
{
  guint32 value = 0;
  guint shift = 0;
  do {
    guint32 piece = debye_tng_read_bits(bits, width);
    if (shift < 32)
      value |= piece << shift;
    shift += width;
    width = MAX(width / 2, 1);
  } while (!bits->is_short && debye_tng_read_bits(bits, 1) != 0);
  return debye_tng_to_signed(value);
}

/* Two bits say how wide the three values are: the parameter, one or two more, or what the largest needs. */
static void
read_triplet(DebyeTngBits *bits, guint32 parameter, guint32 width_maximum, gint32 *triplet)
{
  guint32 more = debye_tng_read_bits(bits, 2);
  guint width = more == 3 ? width_maximum : parameter + more;
  for (int k = 0; k < 3; k++)
    triplet[k] = debye_tng_to_signed(debye_tng_read_bits(bits, MIN(width, 32)));
}

static guint32
read_width_maximum(DebyeTngBits *bits, guint32 parameter)
{
  guint32 largest = debye_tng_read_bits(bits, 32), width = parameter;
  while (width < 32 && (guint64)largest >= G_GUINT64_CONSTANT(1) << width)
    width++;
  return width;
}

/* --- Parts --- */

static gboolean
is_one_by_one(const Part *part)
{
  return part->coding.packing == STOP_BITS || part->coding.packing == TRIPLETS;
}

/* The numbers of BWLZH are made not to be negative. */
static gboolean
unpack_bwlzh(Part *part, gsize n)
{
  if (part->n_bytes < 4)
    return FALSE;
  part->offset = read_word(part->bytes);
  return debye_tng_bwlzh_unpack(part->bytes + 4, part->n_bytes - 4, (guint32 *)part->values, n);
}

static const char *
unpack_together(Part *part, gsize n_atoms)
{
  guint64 n = 3 * (guint64)n_atoms * part->n_frames;
  if (n / DEBYE_TNG_EXPANSION > part->n_bytes)
    return N_("the packed numbers have too few bytes for this many frames");
  part->values = g_try_new(gint32, n);
  if (part->values == NULL)
    return "not enough memory for the numbers of a frame set";
  gboolean is_good = part->coding.packing == BWLZH ? unpack_bwlzh(part, n)
                     : part->coding.packing == XTC2
                         ? debye_tng_xtc2_unpack(part->bytes, part->n_bytes, part->values, n)
                         : debye_tng_xtc3_unpack(part->bytes, part->n_bytes, part->values, n, n_atoms);
  return is_good ? NULL : N_("the packed numbers are damaged");
}

static const char *
enter(Part *part, gsize n_atoms)
{
  if (!is_one_by_one(part))
    return unpack_together(part, n_atoms);
  part->bits = (DebyeTngBits){.bytes = part->bytes, .n_bits = 8 * part->n_bytes};
  if (part->coding.packing == TRIPLETS)
    part->width_maximum = read_width_maximum(&part->bits, part->parameter);
  return NULL;
}

static void
read_numbers(Part *part, gsize i, gint32 *numbers)
{
  if (part->coding.packing == TRIPLETS) {
    read_triplet(&part->bits, part->parameter, part->width_maximum, numbers);
    return;
  }
  for (gsize k = 0; k < 3; k++)
    if (part->coding.packing == STOP_BITS)
      numbers[k] = read_stop_bits(&part->bits, part->parameter);
    else if (part->coding.packing == BWLZH)
      numbers[k] = (gint32)((guint32)part->values[(3 * i + k) * part->n_frames + part->next] - part->offset);
}

static void
add_frame_before(Part *part, gint32 *values, gsize n_atoms)
{
  for (gsize i = 0; i < n_atoms && !part->bits.is_short; i++) {
    gint32 numbers[3];
    read_numbers(part, i, numbers);
    for (gsize k = 0; k < 3; k++)
      values[3 * i + k] = debye_tng_add(values[3 * i + k], numbers[k]);
  }
}

static void
add_atom_before(Part *part, gint32 *values, gsize n_atoms)
{
  gint32 before[3] = {0, 0, 0}, numbers[3];
  for (gsize i = 0; i < n_atoms && !part->bits.is_short; i++) {
    read_numbers(part, i, numbers);
    for (gsize k = 0; k < 3; k++)
      values[3 * i + k] = before[k] = debye_tng_add(before[k], numbers[k]);
  }
}

static const char *
read_frame(Part *part, gint32 *values, gsize n_atoms)
{
  const char *fault = part->next == 0 ? enter(part, n_atoms) : NULL;
  if (fault != NULL)
    return fault;
  if (part->coding.packing == XTC2 || part->coding.packing == XTC3)
    memcpy(values, part->values + 3 * n_atoms * part->next, 3 * n_atoms * sizeof *values);
  else if (part->coding.origin == FRAME_BEFORE)
    add_frame_before(part, values, n_atoms);
  else if (part->coding.origin == ATOM_BEFORE)
    add_atom_before(part, values, n_atoms);
  else
    for (gsize i = 0; i < n_atoms; i++)
      read_numbers(part, i, values + 3 * i);
  part->next++;
  return part->bits.is_short ? N_("the packed numbers are damaged") : NULL;
}

/* --- The head --- */

static char *
read_coding(Part *part, DebyeTngKind kind, const guint8 *head, gboolean is_first)
{
  guint32 coding = read_word(head);
  part->parameter = read_word(head + 4);
  if (coding < CODINGS)
    part->coding = kinds[kind].codings[coding];
  if (part->coding.packing == NO_PACKING || (is_first && part->coding.origin == FRAME_BEFORE))
    return debye_message_new("expected a coding of TNG's, found number %u", coding);
  if (is_one_by_one(part) &&
      (part->parameter > PARAMETER_MAXIMUM || (part->coding.packing == STOP_BITS && part->parameter == 0)))
    return debye_message_new("expected at most %u bits per number, found %u", PARAMETER_MAXIMUM,
                             part->parameter);
  return NULL;
}

/* The bytes of a part, which stand behind their number. */
static char *
take_bytes(Part *part, DebyeTngBytes *from)
{
  part->n_bytes = debye_tng_take_number(from, 4);
  part->bytes = debye_tng_take(from, part->n_bytes);
  return from->is_short ? g_strdup(N_("the packed numbers end too early")) : NULL;
}

static char *
read_head(DebyeTngDecoder *decoder, DebyeTngKind kind, const guint8 *bytes, gsize n)
{
  if (n < HEAD_BYTES || read_word(bytes) != kinds[kind].magic)
    return g_strdup(N_("expected packed numbers, found something else"));
  guint32 n_atoms = read_word(bytes + 4), n_frames = read_word(bytes + 8);
  if (n_atoms != decoder->n_atoms || n_frames == 0)
    return debye_message_new("expected packed vectors of %" G_GSIZE_FORMAT " atoms, found %u frames of %u",
                             decoder->n_atoms, n_frames, n_atoms);
  decoder->parts[0].n_frames = 1;
  decoder->parts[1].n_frames = n_frames - 1;
  decoder->precision = read_word(bytes + 28) / 4294967296.0 + read_word(bytes + 32);
  DebyeTngBytes from = {.bytes = bytes, .n_bytes = n, .at = HEAD_BYTES - 4};
  for (gsize k = 0; k < 2; k++) {
    Part *part = &decoder->parts[k];
    char *fault = part->n_frames > 0 ? read_coding(part, kind, bytes + 12 + 8 * k, k == 0) : NULL;
    if (fault == NULL && part->n_frames > 0)
      fault = take_bytes(part, &from);
    if (fault != NULL)
      return fault;
  }
  return NULL;
}

DebyeTngDecoder *
debye_tng_decoder_new(DebyeTngKind kind, const guint8 *bytes, gsize n, gsize n_atoms, char **fault)
{
  g_autoptr(DebyeTngDecoder) decoder = g_new0(DebyeTngDecoder, 1);
  decoder->n_atoms = n_atoms;
  decoder->values = g_try_new0(gint32, 3 * n_atoms);
  *fault = decoder->values != NULL ? read_head(decoder, kind, bytes, n)
                                   : g_strdup("not enough memory for the numbers of a frame");
  return *fault == NULL ? g_steal_pointer(&decoder) : NULL;
}

void
debye_tng_decoder_free(DebyeTngDecoder *decoder)
{
  for (gsize k = 0; k < G_N_ELEMENTS(decoder->parts); k++)
    g_free(decoder->parts[k].values);
  g_free(decoder->values);
  g_free(decoder);
}

gsize
debye_tng_decoder_get_n_frames(const DebyeTngDecoder *decoder)
{
  return 1 + decoder->parts[1].n_frames;
}

const char *
debye_tng_decoder_next(DebyeTngDecoder *decoder, float unit, float *x, float *y, float *z)
{
  const char *fault = read_frame(&decoder->parts[decoder->next > 0], decoder->values, decoder->n_atoms);
  if (fault != NULL)
    return fault;
  decoder->next++;
  float precision = (float)decoder->precision;
  for (gsize i = 0; i < decoder->n_atoms; i++) {
    x[i] = (float)decoder->values[3 * i] * precision * unit;
    y[i] = (float)decoder->values[3 * i + 1] * precision * unit;
    z[i] = (float)decoder->values[3 * i + 2] * precision * unit;
  }
  return NULL;
}
