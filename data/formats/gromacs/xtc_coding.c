/* SPDX-License-Identifier: MIT */
/* XTC's integer compression, both ways; called by format_xtc.c. Decoding is what limits the reading of
 * trajectories, so it takes whole words from the stream and divides by multiplying with a reciprocal. */
#include "xtc_coding.h"

#include "data/files/xdr.h"
#include "data/messages/message.h"

#include <math.h>
#include <string.h>

/* The ranges of small numbers: range[k] is about 2^(k/3), so that three digits fit into k bits. Part of the
 * format, with its irregularities (5060, 524287, 8388607). */
#define FIRST_SMALL 9
#define N_SMALL ((int)G_N_ELEMENTS(small_ranges))
G_STATIC_ASSERT(DEBYE_PACKED_PADDING >= DEBYE_XTC_PADDING);
static const guint32 small_ranges[] = {
    0,       0,       0,       0,       0,        0,        0,       0,       0,       8,       10,
    12,      16,      20,      25,      32,       40,       50,      64,      80,      101,     128,
    161,     203,     256,     322,     406,      512,      645,     812,     1024,    1290,    1625,
    2048,    2580,    3250,    4096,    5060,     6501,     8192,    10321,   13003,   16384,   20642,
    26007,   32768,   41285,   52015,   65536,    82570,    104031,  131072,  165140,  208063,  262144,
    330280,  416127,  524287,  660561,  832255,   1048576,  1321122, 1664510, 2097152, 2642245, 3329021,
    4194304, 5284491, 6658042, 8388607, 10568983, 13316085, 16777216};
G_STATIC_ASSERT(G_N_ELEMENTS(small_ranges) == DEBYE_PACKED_WIDTHS);

/* Ranges wider than this are stored coordinate by coordinate. */
#define MIXED_LIMIT 0xffffffu
#define WRITTEN_RUN 8
/* So many bits are sure to be in a word that starts inside a byte. */
#define WORD_BITS 57

__extension__ typedef unsigned __int128 Wide;

/* Three digits of one number; or, with `bits` 0, three numbers on their own. */
typedef struct {
  guint32 range[3];
  int bits;
  int whole;             /* the bits of `bits` in whole bytes */
  int spare;             /* what the last, partial byte lacks to eight */
  guint64 mask;          /* of the whole bytes */
  guint64 reciprocal[3]; /* floor((2^64 - 1) / range) */
  int bits_of[3];        /* with `bits` 0 */
} Digits;

static int
bit_length(Wide value)
{
  int length = 0;
  for (; value; value >>= 1)
    length++;
  return length;
}

static void
digits_set_bits(Digits *digits, int bits)
{
  digits->bits = bits;
  digits->whole = bits / 8 * 8;
  digits->spare = 8 - bits % 8;
  digits->mask = digits->whole < 64 ? (G_GUINT64_CONSTANT(1) << digits->whole) - 1 : G_MAXUINT64;
  for (int k = 0; k < 3; k++)
    digits->reciprocal[k] = G_MAXUINT64 / digits->range[k];
}

static void
digits_init_large(Digits *digits, const DebyeXtcBlock *block)
{
  gboolean mixed = TRUE;
  for (int k = 0; k < 3; k++) {
    digits->range[k] = (guint32)block->maximum[k] - (guint32)block->minimum[k] + 1;
    digits->bits_of[k] = bit_length(digits->range[k]);
    mixed = mixed && digits->range[k] <= MIXED_LIMIT;
  }
  Wide all = (Wide)digits->range[0] * digits->range[1] * digits->range[2];
  digits_set_bits(digits, mixed ? bit_length(all) : 0);
}

static void
digits_init_small(Digits *digits, int small_index)
{
  *digits = (Digits){0};
  for (int k = 0; k < 3; k++)
    digits->range[k] = small_ranges[small_index];
  digits_set_bits(digits, small_index);
}

static int
digits_get_length(const Digits *digits)
{
  return digits->bits ? digits->bits : digits->bits_of[0] + digits->bits_of[1] + digits->bits_of[2];
}

char *
debye_xtc_block_find_fault(const DebyeXtcBlock *block)
{
  for (int k = 0; k < 3; k++) {
    if (block->minimum[k] > block->maximum[k])
      return debye_message_new("minimum %d above maximum %d along %c", block->minimum[k], block->maximum[k],
                               'x' + k);
    if ((gint64)block->maximum[k] - block->minimum[k] >= (gint64)G_MAXUINT32)
      return debye_message_new("minimum %d and maximum %d too far apart along %c", block->minimum[k],
                               block->maximum[k], 'x' + k);
  }
  if (block->small_index < FIRST_SMALL || block->small_index >= N_SMALL)
    return debye_message_new("expected a width index from %d to %d, found %d", FIRST_SMALL, N_SMALL - 1,
                             block->small_index);
  return NULL;
}

/* --- Decoding --- */

/* The bits from `position` on, at the top of a word: WORD_BITS of them are valid. */
static inline guint64
peek(const guint8 *bytes, guint64 position)
{
  guint64 word;
  memcpy(&word, bytes + (position >> 3), sizeof word);
  return DEBYE_XDR_SWAP64(word) << (position & 7);
}

/* The format writes a number's bytes with the lowest first, and of the last one only the bits that are
 * needed. */
static inline guint64
take_number(const Digits *digits, guint64 word)
{
  guint64 number = GUINT64_SWAP_LE_BE(word);
  guint64 last = ((number >> digits->whole) & 0xff) >> digits->spare;
  return (number & digits->mask) | last << digits->whole;
}

/* The product is the quotient or one less than it: the rounded-down reciprocal is too small by less than
 * 2^-64 · range, and the number is below 2^64. */
static inline guint64
split(guint64 number, guint32 range, guint64 reciprocal, guint32 *digit)
{
  guint64 quotient = (guint64)(((Wide)number * reciprocal) >> 64);
  guint64 rest = number - quotient * range;
  gboolean short_by_one = rest >= range;
  *digit = (guint32)(rest - (short_by_one ? range : 0));
  return quotient + short_by_one;
}

/* A number of more than WORD_BITS bits: large boxes at high precision only. */
static void
take_wide_digits(const Digits *digits, const guint8 *bytes, guint64 position, guint32 values[3])
{
  Wide number = 0;
  int done = 0;
  for (; done + 8 < digits->bits; done += 8)
    number |= (Wide)(peek(bytes, position + (guint64)done) >> 56) << done;
  number |= (Wide)(peek(bytes, position + (guint64)done) >> (64 - (digits->bits - done))) << done;
  for (int k = 2; k > 0; k--) {
    values[k] = (guint32)(number % digits->range[k]);
    number /= digits->range[k];
  }
  values[0] = (guint32)number;
}

static void
take_separate_numbers(const Digits *digits, const guint8 *bytes, guint64 position, guint32 values[3])
{
  for (int k = 0; k < 3; k++) {
    values[k] = (guint32)(peek(bytes, position) >> (64 - digits->bits_of[k]));
    position += (guint64)digits->bits_of[k];
  }
}

static inline void
take_digits(const Digits *digits, const guint8 *bytes, guint64 position, guint32 values[3])
{
  if (G_LIKELY(digits->bits > 0 && digits->bits <= WORD_BITS)) {
    guint64 number = take_number(digits, peek(bytes, position));
    number = split(number, digits->range[2], digits->reciprocal[2], &values[2]);
    values[0] = (guint32)split(number, digits->range[1], digits->reciprocal[1], &values[1]);
  } else if (digits->bits == 0) {
    take_separate_numbers(digits, bytes, position, values);
  } else {
    take_wide_digits(digits, bytes, position, values);
  }
}

/* Coordinates are unsigned here: broken bits may overflow them, which then wraps as defined. */
typedef struct {
  guint32 *restrict x, *restrict y, *restrict z;
} Columns;

static inline void
store(const Columns *to, gsize i, const guint32 values[3])
{
  to->x[i] = values[0];
  to->y[i] = values[1];
  to->z[i] = values[2];
}

/* The atoms of a run from position on; `first` is the group's first atom, which comes second. */
static inline void
decode_run(const Columns *to, gsize i, guint run, const guint32 first[3], const Digits *small,
           const guint8 *bytes, guint64 position)
{
  guint32 half = small->range[0] / 2;
  guint32 at[3] = {first[0] - half, first[1] - half, first[2] - half};
  for (guint k = 0; k < run; k++) {
    guint32 difference[3];
    take_digits(small, bytes, position, difference);
    position += (guint64)small->bits;
    for (int axis = 0; axis < 3; axis++)
      at[axis] += difference[axis];
    store(to, k == 0 ? i : i + 1 + k, at);
    for (int axis = 0; axis < 3; axis++)
      at[axis] -= half;
  }
  store(to, i + 1, first);
}

/* The way through the stream from group to group. */
typedef struct {
  guint64 position, end; /* bits */
  gsize atom, n_atoms;
  guint run;
  int small_index;
} Walk;

/* What of a group the numbers in it don't tell. */
typedef struct {
  guint64 position, run_position;
  gsize atom;
  int small_index;
} Group;

/* Steps over a group: all that there is to be checked is checked here. NULL, or what is wrong with the bits. */
static inline const char *
walk_group(Walk *walk, const guint8 *bytes, guint large_length, Group *group)
{
  int change = 0;
  *group = (Group){.position = walk->position, .atom = walk->atom, .small_index = walk->small_index};
  walk->position += large_length;
  const guint64 word = peek(bytes, walk->position);
  walk->position += 1;
  if (word >> 63) {
    guint code = (guint)(word >> 58) & 31;
    walk->position += 5;
    walk->run = code / 3;
    change = (int)(code % 3) - 1;
  }
  group->run_position = walk->position;
  walk->position += (guint64)walk->run * (guint64)walk->small_index;
  if (G_UNLIKELY(walk->position > walk->end))
    return N_("the compressed coordinates end too early");
  if (G_UNLIKELY(walk->run >= walk->n_atoms - walk->atom))
    return N_("the compressed coordinates hold more atoms than the frame");
  walk->atom += walk->run + 1;
  walk->small_index += change;
  if (G_UNLIKELY(walk->small_index < FIRST_SMALL || walk->small_index >= N_SMALL))
    return N_("the compressed coordinates switch to a number width that the format doesn't have");
  return NULL;
}

const char *
debye_xtc_decode(const DebyeXtcBlock *block, const guint8 *bytes, gsize n_bytes, gsize n_atoms, gint32 *x,
                 gint32 *y, gint32 *z)
{
  const Columns to = {(guint32 *)x, (guint32 *)y, (guint32 *)z};
  Walk walk = {.end = (guint64)n_bytes * 8, .n_atoms = n_atoms, .small_index = block->small_index};
  Digits large, small;
  digits_init_large(&large, block);
  digits_init_small(&small, walk.small_index);
  const guint large_length = (guint)digits_get_length(&large);

  while (walk.atom < n_atoms) {
    guint32 first[3];
    Group group;
    take_digits(&large, bytes, walk.position, first);
    for (int axis = 0; axis < 3; axis++)
      first[axis] += (guint32)block->minimum[axis];
    const char *fault = walk_group(&walk, bytes, large_length, &group);
    if (G_UNLIKELY(fault != NULL))
      return fault;
    if (walk.run == 0)
      store(&to, group.atom, first);
    else
      decode_run(&to, group.atom, walk.run, first, &small, bytes, group.run_position);
    if (walk.small_index != group.small_index)
      digits_init_small(&small, walk.small_index);
  }
  return NULL;
}

/* Whatever the bits are: numbers of a group's first atom are less than twice the range, as their bits allow no more, and so
 * are the differences that follow. */
static double
find_farthest(const DebyePackedCoordinates *packed, int widest)
{
  double farthest = 0.0;
  for (int k = 0; k < 3; k++)
    farthest = MAX(farthest, fabs((double)packed->minimum[k]) + 2.0 * (double)packed->range[k]);
  return farthest + 2.0 * DEBYE_PACKED_MAX_RUN * (double)small_ranges[widest];
}

const char *
debye_xtc_scan(const DebyeXtcBlock *block, gsize n_bytes, gsize n_atoms, DebyePackedCoordinates *packed)
{
  Walk walk = {.end = (guint64)n_bytes * 8, .n_atoms = n_atoms, .small_index = block->small_index};
  Digits large;
  int widest = block->small_index;
  digits_init_large(&large, block);
  const guint large_length = (guint)digits_get_length(&large);
  packed->n_atoms = n_atoms;
  packed->n_segments = 0;
  packed->small_ranges = small_ranges;
  for (int k = 0; k < 3; k++) {
    packed->minimum[k] = block->minimum[k];
    packed->range[k] = large.range[k];
  }
  while (walk.atom < n_atoms) {
    const gsize end = walk.atom + DEBYE_PACKED_SEGMENT_ATOMS;
    packed->segments[packed->n_segments++] = (DebyePackedSegment){.position = walk.position,
                                                                  .atom = (guint32)walk.atom,
                                                                  .small_index = (guint8)walk.small_index,
                                                                  .run = (guint8)walk.run};
    while (walk.atom < MIN(end, n_atoms)) {
      Group group;
      const char *fault = walk_group(&walk, packed->bytes, large_length, &group);
      if (G_UNLIKELY(fault != NULL))
        return fault;
      widest = MAX(widest, walk.small_index);
    }
  }
  packed->farthest = find_farthest(packed, widest);
  packed->n_bytes = (walk.position + 7) / 8;
  return NULL;
}

/* --- Encoding --- */

typedef struct {
  guint8 *bytes;
  gsize n;
  guint64 pending; /* the lowest n_pending bits */
  int n_pending;
} BitWriter;

static void
put_bits(BitWriter *writer, guint32 value, int n)
{
  writer->pending = writer->pending << n | value;
  for (writer->n_pending += n; writer->n_pending >= 8; writer->n_pending -= 8)
    writer->bytes[writer->n++] = (guint8)(writer->pending >> (writer->n_pending - 8));
}

static void
put_end(BitWriter *writer)
{
  if (writer->n_pending > 0)
    put_bits(writer, 0, 8 - writer->n_pending);
}

static void
put_digits(BitWriter *writer, const Digits *digits, const guint32 values[3])
{
  if (digits->bits == 0) {
    for (int k = 0; k < 3; k++)
      put_bits(writer, values[k], digits->bits_of[k]);
    return;
  }
  Wide number = ((Wide)values[0] * digits->range[1] + values[1]) * digits->range[2] + values[2];
  int left = digits->bits;
  for (; left > 8; left -= 8, number >>= 8)
    put_bits(writer, (guint32)number & 0xff, 8);
  put_bits(writer, (guint32)number, left);
}

typedef struct {
  const gint32 *x, *y, *z;
  gsize n;
} Atoms;

static gboolean
are_near(const Atoms *atoms, gsize i, gsize j, gint64 limit)
{
  return ABS((gint64)atoms->x[i] - atoms->x[j]) < limit && ABS((gint64)atoms->y[i] - atoms->y[j]) < limit &&
         ABS((gint64)atoms->z[i] - atoms->z[j]) < limit;
}

/* How many atoms follow the one at i as small differences. The second atom of the group, i + 1, is stored
 * whole, i after it, then i + 2 as its difference to i, and so on. */
static guint
measure_run(const Atoms *atoms, gsize i, gint64 limit)
{
  if (i + 1 >= atoms->n || !are_near(atoms, i, i + 1, limit))
    return 0;
  guint run = 1;
  gsize last = i;
  while (run < WRITTEN_RUN && i + 1 + run < atoms->n && are_near(atoms, last, i + 1 + run, limit)) {
    last = i + 1 + run;
    run++;
  }
  return run;
}

static guint64
count_bits(const Atoms *atoms, int large_length, int small_index)
{
  guint64 n_bits = 0;
  guint run_before = 0;
  for (gsize i = 0; i < atoms->n;) {
    guint run = measure_run(atoms, i, small_ranges[small_index] / 2);
    n_bits += (guint64)large_length + (run != run_before ? 6 : 1) + (guint64)run * (guint64)small_index;
    run_before = run;
    i += run + 1;
  }
  return n_bits;
}

/* Frames of a trajectory are alike: after the first one a step to either side is looked at, as long as it
 * helps. */
static int
choose_small_index(const Atoms *atoms, int large_length, int guess)
{
  int low = FIRST_SMALL, high = MIN(N_SMALL - 1, MAX(large_length, FIRST_SMALL));
  int best = CLAMP(guess, low, high);
  guint64 fewest = count_bits(atoms, large_length, best);
  if (guess == 0) {
    for (int k = low + 1; k <= high; k++) {
      guint64 n_bits = count_bits(atoms, large_length, k);
      if (n_bits < fewest) {
        fewest = n_bits;
        best = k;
      }
    }
    return best;
  }
  for (int step = -1; step <= 1; step += 2) {
    for (int k = best + step; k >= low && k <= high; k += step) {
      guint64 n_bits = count_bits(atoms, large_length, k);
      if (n_bits >= fewest)
        break;
      fewest = n_bits;
      best = k;
    }
  }
  return best;
}

static void
set_range(const gint32 *values, gsize n, gint32 *minimum, gint32 *maximum)
{
  gint32 low = values[0], high = values[0];
  for (gsize i = 1; i < n; i++) {
    low = MIN(low, values[i]);
    high = MAX(high, values[i]);
  }
  *minimum = low;
  *maximum = high;
}

/* values = atom i relative to `origin`. */
static void
get_relative(const Atoms *atoms, gsize i, const guint32 origin[3], guint32 values[3])
{
  values[0] = (guint32)atoms->x[i] - origin[0];
  values[1] = (guint32)atoms->y[i] - origin[1];
  values[2] = (guint32)atoms->z[i] - origin[2];
}

static void
put_run(BitWriter *writer, const Atoms *atoms, gsize i, guint run, const Digits *small)
{
  guint32 half = small->range[0] / 2;
  gsize before = i + 1;
  for (guint k = 0; k < run; k++) {
    gsize j = k == 0 ? i : i + 1 + k;
    const guint32 origin[3] = {(guint32)atoms->x[before] - half, (guint32)atoms->y[before] - half,
                               (guint32)atoms->z[before] - half};
    guint32 values[3];
    get_relative(atoms, j, origin, values);
    put_digits(writer, small, values);
    before = j;
  }
}

gsize
debye_xtc_get_bound(gsize n_atoms)
{
  /* 96 bits and a flag of 6 an atom stored whole; differences never take more. */
  return n_atoms * 13 + 16;
}

gsize
debye_xtc_encode(DebyeXtcBlock *block, guint8 *bytes, gsize n_atoms, const gint32 *x, const gint32 *y,
                 const gint32 *z)
{
  const Atoms atoms = {x, y, z, n_atoms};
  const gint32 *columns[3] = {x, y, z};
  BitWriter writer = {.bytes = bytes};
  Digits large, small;
  for (int k = 0; k < 3; k++)
    set_range(columns[k], n_atoms, &block->minimum[k], &block->maximum[k]);
  digits_init_large(&large, block);
  block->small_index = choose_small_index(&atoms, digits_get_length(&large), block->small_index);
  digits_init_small(&small, block->small_index);

  const guint32 origin[3] = {(guint32)block->minimum[0], (guint32)block->minimum[1],
                             (guint32)block->minimum[2]};
  guint run_before = 0;
  for (gsize i = 0; i < n_atoms;) {
    guint32 values[3];
    guint run = measure_run(&atoms, i, small.range[0] / 2);
    get_relative(&atoms, run > 0 ? i + 1 : i, origin, values);
    put_digits(&writer, &large, values);
    if (run != run_before)
      put_bits(&writer, 32 | (run * 3 + 1), 6);
    else
      put_bits(&writer, 0, 1);
    run_before = run;
    put_run(&writer, &atoms, i, run, &small);
    i += run + 1;
  }
  put_end(&writer);
  return writer.n;
}
