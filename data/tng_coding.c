/* SPDX-License-Identifier: MIT */
/* A block begins with ten little-endian numbers: a magic one, atoms, frames, the coding of the first frame
 * and its parameter, the coding of the others and its parameter, the precision as a fraction of 2³² and as
 * whole numbers, the first frame's size. Then bits, the highest of a byte first. */
#include "tng_coding.h"

#include <math.h>
#include <string.h>

#define MAGIC 0x50474e54 /* "TNGP" */
#define HEAD_BYTES 40
#define BASES 92
#define RUN_MAXIMUM 6
#define VALUES_MAXIMUM (3 * RUN_MAXIMUM)
#define WORDS 18

enum {
  CODING_STOP_BITS = 1,      /* differences from the frame before */
  CODING_TRIPLETS = 2,       /* the same */
  CODING_TRIPLETS_INTRA = 3, /* differences from the atom before */
  CODING_XTC2 = 5,
  CODING_TRIPLETS_PLAIN = 7,
};

typedef struct {
  const guint8 *bytes;
  gsize n_bits, at;
  gboolean is_short; /* more was asked for than there is */
} Bits;

struct _DebyeTngDecoder {
  Bits bits;
  gsize n_atoms, n_frames, next;
  guint32 codings[2], parameters[2]; /* of the first frame, of the others */
  const guint8 *bytes;
  gsize n_bytes;
  double precision;
  guint32 width_maximum; /* of a triplet's values */
  gint32 *values;        /* 3 n_atoms: the last frame */
};

static guint32
read_word(const guint8 *bytes)
{
  guint32 word;
  memcpy(&word, bytes, sizeof word);
  return GUINT32_FROM_LE(word);
}

static guint32
read_bits(Bits *bits, guint n)
{
  guint64 value = 0;
  if (n > bits->n_bits - bits->at) {
    bits->is_short = TRUE;
    return 0;
  }
  for (guint done = 0; done < n;) {
    guint offset = (guint)(bits->at % 8), taken = MIN(8 - offset, n - done);
    guint byte = bits->bytes[bits->at / 8];
    value = value << taken | ((byte >> (8 - offset - taken)) & ((1u << taken) - 1));
    bits->at += taken;
    done += taken;
  }
  return (guint32)value;
}

/* 0, 1, -1, 2, -2 … as 0, 1, 2, 3, 4 … Wraps where a damaged file goes beyond 31 bits. */
static gint32
to_signed(guint32 value)
{
  guint32 half = value / 2 + value % 2;
  return (gint32)(value % 2 == 0 ? 0u - half : half);
}

static guint32
to_unsigned(gint32 value)
{
  guint32 twice = 2u * (guint32)value;
  return value > 0 ? twice - 1 : 0u - twice;
}

static gint32
add(gint32 a, gint32 b)
{
  return (gint32)((guint32)a + (guint32)b);
}

/* --- Stop bits and triplets --- */

/* Pieces of a value, the lowest first; a bit behind each says whether another, half as wide, follows. */
static gint32
read_stop_bits(Bits *bits, guint32 width)
{
  guint32 value = 0;
  guint shift = 0;
  do {
    guint32 piece = read_bits(bits, width);
    if (shift < 32)
      value |= piece << shift;
    shift += width;
    width = MAX(width / 2, 1);
  } while (!bits->is_short && read_bits(bits, 1) != 0);
  return to_signed(value);
}

/* Two bits say how wide the three values are: the parameter, one or two more, or what the largest needs. */
static void
read_triplet(Bits *bits, guint32 parameter, guint32 width_maximum, gint32 *triplet)
{
  guint32 more = read_bits(bits, 2);
  guint width = more == 3 ? width_maximum : parameter + more;
  for (int k = 0; k < 3; k++)
    triplet[k] = to_signed(read_bits(bits, MIN(width, 32)));
}

static guint32
read_width_maximum(Bits *bits, guint32 parameter)
{
  guint32 largest = read_bits(bits, 32), width = parameter;
  while (width < 32 && (guint64)largest >= G_GUINT64_CONSTANT(1) << width)
    width++;
  return width;
}

/* --- XTC2: numbers in a mixed base, as XTC packs them --- */

static guint32
get_base(guint index)
{
  static const double roots[3] = {1.0, 1.2599210498948732, 1.5874010519681994}; /* of 2, cubic */
  /* The powers of the cubic root of 2, rounded down. */
  return (guint32)floor(ldexp(roots[(index + 4) % 3], (int)((index + 4) / 3)) + 1e-9);
}

/* How many bits hold 3 n values in a base. The format's own table was made with logarithms in floating point:
 * where powers of two take exactly these many bits, it has one more. */
static guint
get_n_bits(guint index, guint n)
{
  static const guint16 longer[] = {51,  93,  96,  126, 156, 171, 186, 189, 372, 405,
                                   441, 450, 465, 468, 504, 567, 624, 630, 744};
  if (index % 3 != 2)
    return (guint)ceil(3.0 * n * log2((double)get_base(index)));
  guint exact = 3 * n * (index + 4) / 3;
  for (gsize k = 0; k < G_N_ELEMENTS(longer); k++)
    if (longer[k] == exact)
      return exact + 1;
  return exact;
}

/* The bits of the largest number that three digits in these bases make. */
static guint
get_n_bits_of_three(const guint32 *indices)
{
  double sum = 0.0;
  gboolean is_power = TRUE;
  for (int k = 0; k < 3; k++) {
    sum += log2((double)get_base(indices[k]));
    is_power = is_power && indices[k] % 3 == 2;
  }
  return is_power ? (guint)lround(sum) : (guint)ceil(sum);
}

/* n_bits as a number of which bytes come lowest first, to n digits, the last one taken first. */
static void
read_digits(Bits *bits, guint n_bits, const guint32 *indices, guint n, guint32 *digits)
{
  guint32 words[WORDS] = {0};
  guint n_words = (n_bits + 31) / 32;
  guint32 bases[3] = {get_base(indices[0]), get_base(indices[1]), get_base(indices[2])};
  for (guint done = 0, byte = 0; done < n_bits; done += 8, byte++)
    words[byte / 4] |= read_bits(bits, MIN(8, n_bits - done)) << (8 * (byte % 4));
  for (guint k = n; k-- > 0;) {
    guint64 rest = 0;
    for (guint w = n_words; w-- > 0;) {
      rest = rest << 32 | words[w];
      words[w] = (guint32)(rest / bases[k % 3]);
      rest %= bases[k % 3];
    }
    digits[k] = (guint32)rest;
  }
}

typedef struct {
  Bits *bits;
  gint32 minimum[3], previous[3];
  guint32 large[3];
  guint large_bits;
  gint32 small;
  guint run;
  gboolean
      is_swapped; /* the first atom of a run stands behind the second: water's hydrogens are near oxygen */
  gint32 *to;
  gsize left; /* atoms */
} Xtc2;

static gboolean
begin_xtc2(Xtc2 *x)
{
  for (int k = 0; k < 3; k++)
    x->previous[k] = x->minimum[k] = to_signed(read_bits(x->bits, 32));
  for (int k = 0; k < 3; k++)
    x->large[k] = read_bits(x->bits, 8);
  x->small = (gint32)read_bits(x->bits, 8);
  if (x->bits->is_short || x->large[0] >= BASES || x->large[1] >= BASES || x->large[2] >= BASES ||
      x->small >= BASES)
    return FALSE;
  x->large_bits = get_n_bits_of_three(x->large);
  return TRUE;
}

static void
put_atom(Xtc2 *x)
{
  for (int k = 0; k < 3; k++)
    *x->to++ = add(x->previous[k], x->minimum[k]);
  x->left--;
}

static void
read_large(Xtc2 *x)
{
  guint32 digits[3];
  read_digits(x->bits, x->large_bits, x->large, 3, digits);
  for (int k = 0; k < 3; k++)
    x->previous[k] = (gint32)digits[k];
}

static void
unswap(Xtc2 *x, guint32 *digits)
{
  for (int k = 0; k < 3; k++) {
    gint32 first = to_signed(digits[k]), second = to_signed(digits[3 + k]);
    x->previous[k] = add(x->previous[k], first);
    digits[k] = to_unsigned((gint32)(0u - (guint32)first));
    digits[3 + k] = to_unsigned(add(first, second));
  }
}

/* An atom of its own, a run of atoms near the one before, or both. */
static gboolean
read_atoms(Xtc2 *x, gboolean has_large, gboolean has_small)
{
  guint32 digits[VALUES_MAXIMUM] = {0};
  guint n_small = has_small ? x->run : 0;
  if (x->left < n_small + (has_large ? 1u : 0u) || (has_small && x->run == 0))
    return FALSE;
  if (has_large)
    read_large(x);
  if (has_small) {
    const guint32 indices[3] = {(guint32)x->small, (guint32)x->small, (guint32)x->small};
    read_digits(x->bits, get_n_bits((guint)x->small, n_small), indices, 3 * n_small, digits);
  }
  if (has_large && has_small && x->is_swapped)
    unswap(x, digits);
  if (has_large)
    put_atom(x);
  for (guint i = 0; i < n_small; i++) {
    for (int k = 0; k < 3; k++)
      x->previous[k] = add(x->previous[k], to_signed(digits[3 * i + (guint)k]));
    put_atom(x);
  }
  return TRUE;
}

static gboolean
change_small(Xtc2 *x, gint32 change)
{
  x->small += change;
  return x->small >= 0 && x->small < BASES;
}

/* A new base and run length: three changes of the base for each of five lengths, and one for the length six.
 */
static gboolean
read_run(Xtc2 *x)
{
  guint32 code = read_bits(x->bits, 4);
  x->run = code == 15 ? RUN_MAXIMUM : code / 3 + 1;
  return code == 15 || change_small(x, (gint32)(code % 3) - 1);
}

static gboolean
read_large_run(Xtc2 *x)
{
  guint32 n = read_bits(x->bits, 4) + 3;
  for (guint32 i = 0; i < n; i++)
    if (!read_atoms(x, TRUE, FALSE))
      return FALSE;
  return TRUE;
}

/* 1, 00, 0100, 0101, 0110, 01110, 01111. */
static gboolean
read_instruction(Xtc2 *x)
{
  if (read_bits(x->bits, 1) != 0)
    return read_atoms(x, TRUE, TRUE);
  if (read_bits(x->bits, 1) == 0)
    return read_run(x);
  switch (read_bits(x->bits, 2)) {
  case 0:
    return read_atoms(x, TRUE, FALSE);
  case 1:
    return read_atoms(x, FALSE, TRUE);
  case 2: {
    guint32 change = read_bits(x->bits, 2);
    gint32 steps = (gint32)(change & 1) + 1;
    return change_small(x, change & 2 ? -steps : steps);
  }
  default:
    if (read_bits(x->bits, 1) != 0)
      return read_large_run(x);
    x->is_swapped = !x->is_swapped;
    return TRUE;
  }
}

static gboolean
read_xtc2(DebyeTngDecoder *decoder)
{
  Xtc2 x = {.bits = &decoder->bits, .to = decoder->values, .left = decoder->n_atoms};
  if (!begin_xtc2(&x))
    return FALSE;
  while (x.left > 0)
    if (!read_instruction(&x) || x.bits->is_short)
      return FALSE;
  return TRUE;
}

/* --- Frames --- */

static gboolean
is_known(guint32 coding, guint32 parameter, gboolean is_first)
{
  if (coding == CODING_XTC2)
    return is_first;
  if (coding == CODING_STOP_BITS || coding == CODING_TRIPLETS)
    return !is_first && parameter > 0 && parameter <= 30;
  return (coding == CODING_TRIPLETS_INTRA || coding == CODING_TRIPLETS_PLAIN) && parameter <= 30;
}

/* Where the bits of the first frame begin, or those of the others, behind their size. */
static char *
enter(DebyeTngDecoder *decoder, gsize at, gboolean is_first)
{
  guint32 size = at + 4 <= decoder->n_bytes ? read_word(decoder->bytes + at) : G_MAXUINT32;
  guint32 coding = decoder->codings[!is_first];
  if (size > decoder->n_bytes - MIN(at + 4, decoder->n_bytes))
    return g_strdup("the packed coordinates end too early");
  decoder->bits = (Bits){.bytes = decoder->bytes + at + 4, .n_bits = 8 * (gsize)size};
  if (coding == CODING_TRIPLETS || coding == CODING_TRIPLETS_INTRA || coding == CODING_TRIPLETS_PLAIN)
    decoder->width_maximum = read_width_maximum(&decoder->bits, decoder->parameters[!is_first]);
  return NULL;
}

static char *
read_head(DebyeTngDecoder *decoder)
{
  const guint8 *bytes = decoder->bytes;
  if (decoder->n_bytes < HEAD_BYTES || read_word(bytes) != MAGIC)
    return g_strdup("expected packed positions, found something else");
  if (read_word(bytes + 4) != decoder->n_atoms || read_word(bytes + 8) == 0)
    return g_strdup_printf("expected packed positions of %" G_GSIZE_FORMAT " atoms, found %u frames of %u",
                           decoder->n_atoms, read_word(bytes + 8), read_word(bytes + 4));
  decoder->n_frames = read_word(bytes + 8);
  for (int k = 0; k < 2; k++) {
    decoder->codings[k] = read_word(bytes + 12 + 8 * k);
    decoder->parameters[k] = read_word(bytes + 16 + 8 * k);
    if (k < (int)MIN(decoder->n_frames, 2) && !is_known(decoder->codings[k], decoder->parameters[k], k == 0))
      return g_strdup_printf(
          "the positions are packed with TNG's coding %u, of which the codings 1, 2, 3, 5 and 7 "
          "can be read here",
          decoder->codings[k]);
  }
  decoder->precision = read_word(bytes + 28) / 4294967296.0 + read_word(bytes + 32);
  return enter(decoder, HEAD_BYTES - 4, TRUE);
}

DebyeTngDecoder *
debye_tng_decoder_new(const guint8 *bytes, gsize n, gsize n_atoms, char **fault)
{
  g_autoptr(DebyeTngDecoder) decoder = g_new0(DebyeTngDecoder, 1);
  decoder->bytes = bytes;
  decoder->n_bytes = n;
  decoder->n_atoms = n_atoms;
  decoder->values = g_try_new0(gint32, 3 * n_atoms);
  *fault = decoder->values != NULL ? read_head(decoder) : g_strdup("there isn't the memory for a frame");
  return *fault == NULL ? g_steal_pointer(&decoder) : NULL;
}

void
debye_tng_decoder_free(DebyeTngDecoder *decoder)
{
  g_free(decoder->values);
  g_free(decoder);
}

gsize
debye_tng_decoder_get_n_frames(const DebyeTngDecoder *decoder)
{
  return decoder->n_frames;
}

static gboolean
read_simple(DebyeTngDecoder *decoder, guint32 coding, guint32 parameter)
{
  gint32 *values = decoder->values;
  gint32 triplet[3], before[3] = {0, 0, 0};
  for (gsize i = 0; i < decoder->n_atoms && !decoder->bits.is_short; i++, values += 3) {
    for (int k = 0; coding == CODING_STOP_BITS && k < 3; k++)
      triplet[k] = read_stop_bits(&decoder->bits, parameter);
    if (coding != CODING_STOP_BITS)
      read_triplet(&decoder->bits, parameter, decoder->width_maximum, triplet);
    for (int k = 0; k < 3; k++) {
      if (coding == CODING_TRIPLETS_INTRA)
        values[k] = before[k] = add(before[k], triplet[k]);
      else
        values[k] = coding == CODING_TRIPLETS_PLAIN ? triplet[k] : add(values[k], triplet[k]);
    }
  }
  return !decoder->bits.is_short;
}

const char *
debye_tng_decoder_next(DebyeTngDecoder *decoder, float unit, float *x, float *y, float *z)
{
  gboolean is_first = decoder->next == 0;
  if (decoder->next == 1) {
    gsize at = HEAD_BYTES + read_word(decoder->bytes + HEAD_BYTES - 4);
    g_autofree char *fault = enter(decoder, at, FALSE);
    if (fault != NULL)
      return "the packed coordinates end too early";
  }
  guint32 coding = decoder->codings[!is_first];
  if (!(coding == CODING_XTC2 ? read_xtc2(decoder)
                              : read_simple(decoder, coding, decoder->parameters[!is_first])))
    return "the packed coordinates are damaged";
  decoder->next++;
  float precision = (float)decoder->precision;
  for (gsize i = 0; i < decoder->n_atoms; i++) {
    x[i] = (float)decoder->values[3 * i] * precision * unit;
    y[i] = (float)decoder->values[3 * i + 1] * precision * unit;
    z[i] = (float)decoder->values[3 * i + 2] * precision * unit;
  }
  return NULL;
}
