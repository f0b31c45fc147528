/* SPDX-License-Identifier: MIT */
/* Decodes TNG's coding XTC2; called by tng_coding.c. */
#include "tng_xtc2.h"

#include <math.h>

#include "tng_bits.h"
#include "tng_digits.h"

#define BASES 92
#define RUN_MAXIMUM 6
#define VALUES_MAXIMUM (3 * RUN_MAXIMUM)
#define WORDS 18

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

/* n_bits as a number of which bytes come lowest first. Gives how many words it has. */
static gsize
read_long_number(DebyeTngBits *bits, guint n_bits, guint32 words[WORDS])
{
  memset(words, 0, WORDS * sizeof *words);
  for (guint done = 0, byte = 0; done < n_bits; done += 8, byte++)
    words[byte / 4] |= debye_tng_read_bits(bits, MIN(8, n_bits - done)) << (8 * (byte % 4));
  return (n_bits + 31) / 32;
}

typedef struct {
  DebyeTngBits *bits;
  gint32 minimum[3], previous[3];
  guint32 large[3]; /* bases, as are those below */
  guint large_bits;
  gint32 small; /* its index */
  guint run;
  /* The first atom of a run stands behind the second: water's hydrogens are near oxygen. */
  gboolean is_swapped;
  guint32 bases[BASES];
  guint16 run_bits[BASES][RUN_MAXIMUM + 1];
  gint32 *to;
  gsize left; /* atoms */
} Xtc2;

static void
fill_tables(Xtc2 *x)
{
  for (guint index = 0; index < BASES; index++) {
    x->bases[index] = get_base(index);
    for (guint run = 1; run <= RUN_MAXIMUM; run++)
      x->run_bits[index][run] = (guint16)get_n_bits(index, run);
  }
}

static gboolean
begin(Xtc2 *x)
{
  guint32 large[3];
  for (int k = 0; k < 3; k++)
    x->previous[k] = x->minimum[k] = debye_tng_to_signed(debye_tng_read_bits(x->bits, 32));
  for (int k = 0; k < 3; k++)
    large[k] = debye_tng_read_bits(x->bits, 8);
  x->small = (gint32)debye_tng_read_bits(x->bits, 8);
  if (x->bits->is_short || large[0] >= BASES || large[1] >= BASES || large[2] >= BASES || x->small >= BASES)
    return FALSE;
  fill_tables(x);
  x->large_bits = get_n_bits_of_three(large);
  for (int k = 0; k < 3; k++)
    x->large[k] = x->bases[large[k]];
  return TRUE;
}

static void
put_atom(Xtc2 *x)
{
  for (int k = 0; k < 3; k++)
    *x->to++ = debye_tng_add(x->previous[k], x->minimum[k]);
  x->left--;
}

static void
read_large(Xtc2 *x)
{
  guint32 words[WORDS];
  gsize n_words = read_long_number(x->bits, x->large_bits, words);
  for (int k = 3; k-- > 0;)
    x->previous[k] = (gint32)debye_tng_divide(words, &n_words, x->large[k]);
}

static void
read_small(Xtc2 *x, guint32 *digits)
{
  guint32 words[WORDS];
  gsize n_words = read_long_number(x->bits, x->run_bits[x->small][x->run], words);
  debye_tng_take_digits(words, n_words, x->bases[x->small], digits, 3 * (gsize)x->run, 1);
}

static void
unswap(Xtc2 *x, guint32 *digits)
{
  for (int k = 0; k < 3; k++) {
    gint32 first = debye_tng_to_signed(digits[k]), second = debye_tng_to_signed(digits[3 + k]);
    x->previous[k] = debye_tng_add(x->previous[k], first);
    digits[k] = debye_tng_to_unsigned((gint32)(0u - (guint32)first));
    digits[3 + k] = debye_tng_to_unsigned(debye_tng_add(first, second));
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
  if (has_small)
    read_small(x, digits);
  if (has_large && has_small && x->is_swapped)
    unswap(x, digits);
  if (has_large)
    put_atom(x);
  for (guint i = 0; i < n_small; i++) {
    for (int k = 0; k < 3; k++)
      x->previous[k] = debye_tng_add(x->previous[k], debye_tng_to_signed(digits[3 * i + (guint)k]));
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

/* A new base and run length: three changes of the base for each of five lengths, and one for the length six. */
static gboolean
read_run(Xtc2 *x)
{
  guint32 code = debye_tng_read_bits(x->bits, 4);
  x->run = code == 15 ? RUN_MAXIMUM : code / 3 + 1;
  return code == 15 || change_small(x, (gint32)(code % 3) - 1);
}

static gboolean
read_large_run(Xtc2 *x)
{
  guint32 n = debye_tng_read_bits(x->bits, 4) + 3;
  for (guint32 i = 0; i < n; i++)
    if (!read_atoms(x, TRUE, FALSE))
      return FALSE;
  return TRUE;
}

/* 1, 00, 0100, 0101, 0110, 01110, 01111. */
static gboolean
read_instruction(Xtc2 *x)
{
  if (debye_tng_read_bits(x->bits, 1) != 0)
    return read_atoms(x, TRUE, TRUE);
  if (debye_tng_read_bits(x->bits, 1) == 0)
    return read_run(x);
  switch (debye_tng_read_bits(x->bits, 2)) {
  case 0:
    return read_atoms(x, TRUE, FALSE);
  case 1:
    return read_atoms(x, FALSE, TRUE);
  case 2: {
    guint32 change = debye_tng_read_bits(x->bits, 2);
    gint32 steps = (gint32)(change & 1) + 1;
    return change_small(x, change & 2 ? -steps : steps);
  }
  default:
    if (debye_tng_read_bits(x->bits, 1) != 0)
      return read_large_run(x);
    x->is_swapped = !x->is_swapped;
    return TRUE;
  }
}

gboolean
debye_tng_xtc2_unpack(const guint8 *bytes, gsize n_bytes, gint32 *values, gsize n)
{
  DebyeTngBits bits = {.bytes = bytes, .n_bits = 8 * n_bytes};
  Xtc2 x = {.bits = &bits, .to = values, .left = n / 3};
  if (!begin(&x))
    return FALSE;
  while (x.left > 0)
    if (!read_instruction(&x) || bits.is_short)
      return FALSE;
  return TRUE;
}
