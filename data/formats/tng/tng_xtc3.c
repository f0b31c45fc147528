/* SPDX-License-Identifier: MIT */
/* Decodes TNG's coding XTC3; called by tng_coding.c. */
#include "tng_xtc3.h"

#include "tng_bits.h"
#include "tng_bwlzh.h"
#include "tng_digits.h"

/* Digits of one long number. The format's library writes 24. */
#define DIGITS_MAXIMUM 256
/* What may be told of an atom besides its coordinates: the other kind of place, a length of runs, a swap. */
#define INSTRUCTIONS_AN_ATOM 8

enum {
  DEFAULT, /* an atom far off and a run of near ones */
  NEAR_LENGTH,
  FAR_ALONE,
  NEAR_ALONE,
  SWAP, /* the first of a run stands before the atom far off: water's oxygen is between its hydrogens */
  FAR_RUN,
  PLACE_IN_BOX,
  PLACE_FROM_ATOM,
  PLACE_FROM_FRAME,
};

/* Numbers that are used up from the front. */
typedef struct {
  guint32 *numbers;
  gsize n, at;
} Supply;

typedef struct {
  Supply instructions, runs;
  Supply places[3]; /* of atoms far off: in the box, from the atom before, from the frame before */
  Supply near;
  gint32 minimum[3], previous[3];
  guint place;
  gsize near_length;
  gboolean is_swapped;
  gint32 *values;
  gsize n, at, frame_length;
} Xtc3;

static void
xtc3_clear(Xtc3 *x)
{
  g_free(x->instructions.numbers);
  g_free(x->runs.numbers);
  for (gsize k = 0; k < G_N_ELEMENTS(x->places); k++)
    g_free(x->places[k].numbers);
  g_free(x->near.numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Xtc3, xtc3_clear)

/* --- The numbers --- */

/* Of the largest number with n digits in a base, base^n - 1. */
static gsize
count_bytes(guint32 base, gsize n)
{
  guint32 words[DIGITS_MAXIMUM + 1] = {0};
  gsize n_words = 0;
  for (gsize k = 0; k < n; k++) {
    guint64 carry = base - 1;
    for (gsize w = 0; w <= n_words; w++, carry >>= 32) {
      carry += (guint64)words[w] * base;
      words[w] = (guint32)carry;
    }
    n_words += words[n_words] > 0;
  }
  gsize n_bytes = 4 * n_words;
  while (n_bytes > 0 && (words[(n_bytes - 1) / 4] >> (8 * ((n_bytes - 1) % 4)) & 0xff) == 0)
    n_bytes--;
  return n_bytes;
}

static gboolean
take_long_number(DebyeTngBytes *from, gsize n_bytes, guint32 base, guint32 *digits, gsize n)
{
  guint32 words[DIGITS_MAXIMUM + 1] = {0};
  const guint8 *bytes = debye_tng_take(from, n_bytes);
  for (gsize k = 0; bytes != NULL && k < n_bytes; k++)
    words[k / 4] |= (guint32)bytes[k] << (8 * (k % 4));
  if (bytes != NULL)
    debye_tng_take_digits(words, (n_bytes + 3) / 4, base, digits, n, 3);
  return bytes != NULL;
}

/* Every third number is a digit of a long one; some long ones share a base that is one more than the largest.
 */
static gboolean
take_axis(DebyeTngBytes *from, gsize n_together, guint interval, guint32 *digits, gsize n)
{
  guint32 base = 0;
  gsize n_bytes = 0;
  for (guint until_base = 0; n > 0; until_base--) {
    gsize n_digits = MIN(n, n_together);
    if (until_base == 0) {
      base = debye_tng_take_number(from, 4);
      until_base = interval;
      if (base == 0)
        return FALSE;
      n_bytes = count_bytes(base, n_together);
    }
    if (n_digits < n_together)
      n_bytes = count_bytes(base, n_digits);
    if (!take_long_number(from, n_bytes, base, digits, n_digits))
      return FALSE;
    digits += 3 * n_digits;
    n -= n_digits;
  }
  return TRUE;
}

static gboolean
take_in_bases(DebyeTngBytes *from, guint32 *numbers, gsize n)
{
  gsize n_together = debye_tng_take_number(from, 2);
  guint interval = debye_tng_take_number(from, 1);
  if (from->is_short || n_together == 0 || n_together > DIGITS_MAXIMUM || interval == 0 || n % 3 != 0)
    return FALSE;
  for (gsize axis = 0; axis < 3; axis++)
    if (!take_axis(from, n_together, interval, numbers + axis, n / 3))
      return FALSE;
  return TRUE;
}

/* How many, how they are packed (instructions and runs always alike), the size, and the packed numbers. */
static gboolean
take_supply(DebyeTngBytes *from, Supply *supply, gsize most, gboolean may_have_bases)
{
  gsize n = debye_tng_take_number(from, 4);
  if (n == 0 || from->is_short)
    return !from->is_short;
  gboolean has_bases = may_have_bases && debye_tng_take_number(from, 1) != 1;
  gsize n_bytes = debye_tng_take_number(from, 4);
  const guint8 *bytes = debye_tng_take(from, n_bytes);
  if (bytes == NULL || n > most || n / DEBYE_TNG_EXPANSION > n_bytes)
    return FALSE;
  supply->n = n;
  supply->numbers = g_try_new(guint32, n);
  if (supply->numbers == NULL)
    return FALSE;
  DebyeTngBytes packed = {.bytes = bytes, .n_bytes = n_bytes};
  return has_bases ? take_in_bases(&packed, supply->numbers, n)
                   : debye_tng_bwlzh_unpack(bytes, n_bytes, supply->numbers, n);
}

static gboolean
take_supplies(Xtc3 *x, DebyeTngBytes *from)
{
  gsize n_instructions = INSTRUCTIONS_AN_ATOM * (x->n / 3 + 1);
  for (gsize k = 0; k < 3; k++)
    x->previous[k] = x->minimum[k] = debye_tng_to_signed(debye_tng_take_number(from, 4));
  if (!take_supply(from, &x->instructions, n_instructions, FALSE) ||
      !take_supply(from, &x->runs, n_instructions, FALSE))
    return FALSE;
  for (gsize k = 0; k < G_N_ELEMENTS(x->places); k++)
    if (!take_supply(from, &x->places[k], x->n, TRUE))
      return FALSE;
  return take_supply(from, &x->near, x->n, TRUE);
}

/* --- The atoms --- */

static const guint32 *
use(Supply *supply, gsize n)
{
  if (n == 0 || n > supply->n - supply->at)
    return NULL;
  supply->at += n;
  return supply->numbers + supply->at - n;
}

static gint32
get_origin(const Xtc3 *x, gsize k, gsize same_atom)
{
  switch (x->place) {
  case 0:
    return x->minimum[k];
  case 1:
    return x->previous[k];
  default:
    return x->values[same_atom + k];
  }
}

static gboolean
put_far(Xtc3 *x, gboolean is_swapped)
{
  const guint32 *numbers = use(&x->places[x->place], 3);
  /* Of the frame before; swapped, it is the next atom's place that is told. */
  gsize same_atom = x->at + (is_swapped ? 3 : 0) - x->frame_length;
  if (numbers == NULL || x->n - x->at < 3 ||
      (x->place == 2 && (x->at < x->frame_length || same_atom + 3 > x->at)))
    return FALSE;
  for (gsize k = 0; k < 3; k++) {
    gint32 number = x->place == 0 ? (gint32)numbers[k] : debye_tng_to_signed(numbers[k]);
    x->previous[k] = debye_tng_add(number, get_origin(x, k, same_atom));
    x->values[x->at + k] = x->previous[k];
  }
  x->at += 3;
  return TRUE;
}

static gboolean
put_near(Xtc3 *x)
{
  const guint32 *numbers = use(&x->near, 3 * x->near_length);
  if (x->near_length == 0)
    return TRUE;
  if (numbers == NULL || 3 * x->near_length > x->n - x->at)
    return FALSE;
  for (gsize i = 0; i < 3 * x->near_length; i++) {
    x->previous[i % 3] = debye_tng_add(x->previous[i % 3], debye_tng_to_signed(numbers[i]));
    x->values[x->at++] = x->previous[i % 3];
  }
  return TRUE;
}

static gboolean
put_both(Xtc3 *x)
{
  gsize at = x->at;
  if (!put_far(x, x->is_swapped) || !put_near(x) || (x->is_swapped && x->near_length == 0))
    return FALSE;
  for (gsize k = at; x->is_swapped && k < at + 3; k++) {
    gint32 value = x->values[k];
    x->values[k] = x->values[k + 3];
    x->values[k + 3] = value;
  }
  return TRUE;
}

static gboolean
put_far_run(Xtc3 *x)
{
  const guint32 *length = use(&x->runs, 1);
  for (guint32 i = 0; length != NULL && i < *length; i++)
    if (!put_far(x, FALSE))
      return FALSE;
  return length != NULL;
}

static gboolean
set_near_length(Xtc3 *x)
{
  const guint32 *length = use(&x->runs, 1);
  if (length == NULL || *length > x->n / 3)
    return FALSE;
  x->near_length = *length;
  return TRUE;
}

static gboolean
follow(Xtc3 *x, guint32 instruction)
{
  switch (instruction) {
  case DEFAULT:
    return put_both(x);
  case NEAR_LENGTH:
    return set_near_length(x);
  case FAR_ALONE:
    return put_far(x, FALSE);
  case NEAR_ALONE:
    return put_near(x);
  case SWAP:
    x->is_swapped = !x->is_swapped;
    return TRUE;
  case FAR_RUN:
    return put_far_run(x);
  case PLACE_IN_BOX:
  case PLACE_FROM_ATOM:
  case PLACE_FROM_FRAME:
    x->place = instruction - PLACE_IN_BOX;
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean
debye_tng_xtc3_unpack(const guint8 *bytes, gsize n_bytes, gint32 *values, gsize n, gsize n_atoms)
{
  DebyeTngBytes from = {.bytes = bytes, .n_bytes = n_bytes};
  g_auto(Xtc3) x = {.values = values, .n = n, .frame_length = 3 * n_atoms};
  if (!take_supplies(&x, &from))
    return FALSE;
  while (x.at < n) {
    const guint32 *instruction = use(&x.instructions, 1);
    if (instruction == NULL || !follow(&x, *instruction))
      return FALSE;
  }
  return TRUE;
}
