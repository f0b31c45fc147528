/* SPDX-License-Identifier: MIT */
/* Decodes TNG's packing by Burrows-Wheeler transform, move-to-front and Huffman codes; called by tng_xtc3.c
 * and tng_coding.c. */
#include "tng_bwlzh.h"

#include "tng_bits.h"

/* --- Huffman's codes: a head, the codes, and a dictionary of the codes' lengths, which may be packed in the same way
 * itself --- */

/* No symbol is as large. */
#define SYMBOLS 0x20005

#define HEAD_BYTES 14
#define LENGTHS 32
#define QUICK_BITS 10
/* In a dictionary's unpacked form three numbers, the bytes of the largest symbol, stand before the lengths. */
#define DICTIONARY_HEAD 3

enum { PLAIN_DICTIONARY, PACKED_DICTIONARY, PACKED_RUNS };

/* Codes of a length are consecutive numbers, given to the symbols in their order. */
typedef struct {
  guint32 first[LENGTHS], n[LENGTHS], before[LENGTHS];
  guint32 *symbols; /* by the lengths of their codes */
  guint32
      quick[1 << QUICK_BITS]; /* length << 24 | symbol of the code that these bits begin with; 0: longer */
} Codes;

static void
codes_free(Codes *codes)
{
  g_free(codes->symbols);
  g_free(codes);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Codes, codes_free)

static void
fill_quick(Codes *codes)
{
  for (guint length = 1; length <= QUICK_BITS; length++)
    for (guint32 k = 0; k < codes->n[length]; k++) {
      guint32 entry = (guint32)length << 24 | codes->symbols[codes->before[length] + k];
      guint64 from = (guint64)(codes->first[length] + k) << (QUICK_BITS - length);
      for (guint64 i = from; i < from + (1u << (QUICK_BITS - length)) && i < 1 << QUICK_BITS; i++)
        codes->quick[i] = entry;
    }
}

/* Of the lengths of the codes of symbols 0 … n - 1; 0: not there. NULL: more codes than there is room for. */
static Codes *
codes_new(const guint8 *lengths, gsize n)
{
  g_autoptr(Codes) codes = g_new0(Codes, 1);
  guint32 next[LENGTHS];
  guint64 code = 0;
  guint32 before = 0;
  codes->symbols = g_new(guint32, n);
  for (gsize symbol = 0; symbol < n; symbol++)
    codes->n[lengths[symbol]] += lengths[symbol] > 0;
  for (guint length = 1; length < LENGTHS; length++) {
    code <<= 1;
    codes->first[length] = (guint32)code;
    codes->before[length] = next[length] = before;
    code += codes->n[length];
    before += codes->n[length];
    if (code > (guint64)1 << length)
      return NULL;
  }
  for (gsize symbol = 0; symbol < n; symbol++)
    if (lengths[symbol] > 0)
      codes->symbols[next[lengths[symbol]]++] = (guint32)symbol;
  fill_quick(codes);
  return g_steal_pointer(&codes);
}

/* 32 bits from a place on, zeros behind the end. */
static guint32
peek(const DebyeTngBits *bits)
{
  DebyeTngBits copy = *bits;
  gsize left = MIN(bits->n_bits - bits->at, 32);
  guint32 value = debye_tng_read_bits(&copy, (guint)left);
  return left == 0 ? 0 : value << (32 - left);
}

static gboolean
read_symbol(const Codes *codes, DebyeTngBits *bits, guint32 *symbol)
{
  guint32 window = peek(bits), quick = codes->quick[window >> (32 - QUICK_BITS)];
  guint length = quick >> 24;
  *symbol = quick & 0xffffff;
  for (guint k = QUICK_BITS + 1; length == 0 && k < LENGTHS; k++) {
    guint32 behind = (window >> (32 - k)) - codes->first[k];
    if (behind < codes->n[k]) {
      length = k;
      *symbol = codes->symbols[codes->before[k] + behind];
    }
  }
  if (length == 0 || length > bits->n_bits - bits->at)
    return FALSE;
  bits->at += length;
  return TRUE;
}

static gboolean
read_symbols(const Codes *codes, const guint8 *bytes, gsize n_bytes, guint32 *values, gsize n)
{
  DebyeTngBits bits = {.bytes = bytes, .n_bits = 8 * n_bytes};
  for (gsize i = 0; i < n; i++)
    if (!read_symbol(codes, &bits, &values[i]))
      return FALSE;
  return TRUE;
}

/* The largest symbol, then for each a bit, and five of its code's length where that is 1. */
static Codes *
read_plain_dictionary(const guint8 *bytes, gsize n_bytes)
{
  DebyeTngBytes head = {.bytes = bytes, .n_bytes = n_bytes};
  guint32 largest = debye_tng_take_number(&head, 3);
  if (head.is_short || largest >= SYMBOLS)
    return NULL;
  DebyeTngBits bits = {.bytes = bytes + 3, .n_bits = 8 * (n_bytes - 3)};
  g_autofree guint8 *lengths = g_malloc0(largest + 1);
  for (guint32 symbol = 0; symbol <= largest; symbol++)
    if (debye_tng_read_bits(&bits, 1) != 0)
      lengths[symbol] = (guint8)debye_tng_read_bits(&bits, 5);
  return bits.is_short ? NULL : codes_new(lengths, largest + 1);
}

/* Runs undone: digits 0 and 1 before a value are the length of its run in base two, lowest first, without the
 * highest; values are two more than they stand for. Exactly n values. FALSE: damaged. */
static gboolean
undo_runs(const guint32 *runs, gsize n_runs, guint32 *values, gsize n)
{
  gsize at = 0;
  for (gsize i = 0; i < n;) {
    gsize length = 0, digit = 1;
    for (; at < n_runs && runs[at] < 2; at++, digit <<= 1) {
      length |= runs[at] * digit;
      if (digit > n)
        return FALSE;
    }
    length |= digit;
    if (at == n_runs || length > n - i)
      return FALSE;
    for (guint32 value = runs[at++] - 2; length > 0; length--)
      values[i++] = value;
  }
  return TRUE;
}

static Codes *
take_lengths(const guint32 *dictionary, gsize n)
{
  g_autofree guint8 *lengths = g_malloc0(n);
  for (gsize k = DICTIONARY_HEAD; k < n; k++) {
    if (dictionary[k] >= LENGTHS)
      return NULL;
    lengths[k - DICTIONARY_HEAD] = (guint8)dictionary[k];
  }
  return codes_new(lengths, n - DICTIONARY_HEAD);
}

/* A dictionary that is packed with codes, whose own dictionary is plain, and may have its runs shortened. */
static Codes *
read_packed_dictionary(DebyeTngBytes *from, gboolean has_runs)
{
  gsize n = debye_tng_take_number(from, 3);
  debye_tng_take(from, 3); /* how many symbols are used */
  gsize n_runs = has_runs ? debye_tng_take_number(from, 3) : n;
  gsize n_packed = debye_tng_take_number(from, 3), n_plain = debye_tng_take_number(from, 3);
  debye_tng_take(from, 3); /* how many symbols that uses */
  const guint8 *packed = debye_tng_take(from, n_packed), *plain = debye_tng_take(from, n_plain);
  if (from->is_short || n <= DICTIONARY_HEAD || n > SYMBOLS + DICTIONARY_HEAD || n_runs > 3 * n)
    return NULL;
  g_autoptr(Codes) codes = read_plain_dictionary(plain, n_plain);
  g_autofree guint32 *dictionary = g_new(guint32, n);
  g_autofree guint32 *runs = g_new(guint32, n_runs + 1);
  if (codes == NULL || !read_symbols(codes, packed, n_packed, has_runs ? runs : dictionary, n_runs) ||
      (has_runs && !undo_runs(runs, n_runs, dictionary, n)))
    return NULL;
  return take_lengths(dictionary, n);
}

static Codes *
read_dictionary(DebyeTngBytes *from, guint kind)
{
  if (kind != PLAIN_DICTIONARY)
    return kind <= PACKED_RUNS ? read_packed_dictionary(from, kind == PACKED_RUNS) : NULL;
  gsize n_bytes = debye_tng_take_number(from, 3);
  debye_tng_take(from, 3); /* how many symbols are used */
  const guint8 *bytes = debye_tng_take(from, n_bytes);
  return bytes != NULL ? read_plain_dictionary(bytes, n_bytes) : NULL;
}

static gboolean
unpack_huffman(const guint8 *bytes, gsize n_bytes, guint32 *values, gsize n)
{
  DebyeTngBytes from = {.bytes = bytes, .n_bytes = n_bytes};
  debye_tng_take(&from, 1); /* whether the values have 16 bits: here always */
  guint kind = debye_tng_take_number(&from, 1);
  debye_tng_take(&from, 4);
  gsize n_values = debye_tng_take_number(&from, 4), n_packed = debye_tng_take_number(&from, 4);
  const guint8 *packed = debye_tng_take(&from, n_packed);
  if (from.is_short || n_values != n)
    return FALSE;
  g_autoptr(Codes) codes = read_dictionary(&from, kind);
  return codes != NULL && read_symbols(codes, packed, n_packed, values, n);
}

/* --- Burrows and Wheeler --- */

/* The format's library writes blocks of 200,000 numbers. */
#define BLOCK_MAXIMUM (1u << 20)
#define PIECES_A_NUMBER 3
#define PIECES (1u << 16)
#define PIECE_BITS 15
#define PIECE_MASK 0x7fffu
#define MORE 0x8000u /* in a piece: another one follows */

/* Each array is as long as a block has pieces. */
typedef struct {
  gsize n;
  guint32 *pieces, *sorted, *packed, *lengths, *offsets, *ranks;
} Block;

static gboolean
block_init(Block *block, gsize n)
{
  guint32 **const arrays[] = {&block->pieces,  &block->sorted,  &block->packed,
                              &block->lengths, &block->offsets, &block->ranks};
  gboolean is_good = TRUE;
  *block = (Block){.n = n};
  for (gsize k = 0; k < G_N_ELEMENTS(arrays); k++) {
    *arrays[k] = g_try_new(guint32, n);
    is_good = is_good && *arrays[k] != NULL;
  }
  return is_good;
}

static void
block_clear(Block *block)
{
  g_free(block->pieces);
  g_free(block->sorted);
  g_free(block->packed);
  g_free(block->lengths);
  g_free(block->offsets);
  g_free(block->ranks);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Block, block_clear)

/* Numbers in Huffman's codes behind the size of these. */
static gboolean
take_codes(DebyeTngBytes *from, guint32 *values, gsize n)
{
  gsize n_bytes = debye_tng_take_number(from, 4);
  const guint8 *bytes = debye_tng_take(from, n_bytes);
  return bytes != NULL && unpack_huffman(bytes, n_bytes, values, n);
}

static gboolean
take_offsets(DebyeTngBytes *from, guint32 *offsets, gsize n)
{
  if (n == 0)
    return TRUE;
  if (debye_tng_take_number(from, 1) == 0)
    return take_codes(from, offsets, n);
  for (gsize i = 0; i < n && !from->is_short; i++)
    offsets[i] = debye_tng_take_number(from, 2);
  return !from->is_short;
}

/* 0 repeats what is one back, 1 what is an offset back, for a length; others stand for two less. */
static gboolean
undo_repetitions(const Block *block, gsize n_packed, gsize n_lengths, gsize n_offsets, guint32 *values)
{
  gsize length = 0, offset = 0, i = 0;
  for (gsize at = 0; i < block->n && at < n_packed; at++) {
    guint32 symbol = block->packed[at];
    if (symbol >= 2) {
      values[i++] = symbol - 2;
      continue;
    }
    if (length == n_lengths || (symbol == 1 && offset == n_offsets))
      return FALSE;
    gsize back = symbol == 1 ? block->offsets[offset++] : 1, n = block->lengths[length++];
    if (back == 0 || back > i || n > block->n - i)
      return FALSE;
    for (; n > 0; n--, i++)
      values[i] = values[i - back];
  }
  return i == block->n;
}

static gboolean
take_repetitions(DebyeTngBytes *from, Block *block, gsize n_packed, guint32 *values)
{
  gsize n_offsets = debye_tng_take_number(from, 4);
  if (from->is_short || n_offsets > block->n || !take_offsets(from, block->offsets, n_offsets))
    return FALSE;
  gsize n_lengths = debye_tng_take_number(from, 4);
  return !from->is_short && n_lengths <= block->n && take_codes(from, block->lengths, n_lengths) &&
         undo_repetitions(block, n_packed, n_lengths, n_offsets, values);
}

/* Each rank is a byte's place among those seen last. Put at a byte of the sorted pieces. */
static gboolean
undo_move_to_front(const guint32 *ranks, gsize n, guint shift, guint32 *sorted)
{
  guint8 order[256];
  for (guint k = 0; k < 256; k++)
    order[k] = (guint8)k;
  for (gsize i = 0; i < n; i++) {
    guint32 rank = ranks[i];
    if (rank > 255)
      return FALSE;
    guint8 byte = order[rank];
    memmove(order + 1, order, rank);
    order[0] = byte;
    sorted[i] |= (guint32)byte << shift;
  }
  return TRUE;
}

static gboolean
take_bytes(DebyeTngBytes *from, Block *block, guint shift)
{
  gboolean has_repetitions = debye_tng_take_number(from, 1) == 1;
  gsize n_packed = debye_tng_take_number(from, 4);
  if (from->is_short || n_packed > block->n || !take_codes(from, block->packed, n_packed))
    return FALSE;
  gboolean is_good = has_repetitions ? take_repetitions(from, block, n_packed, block->ranks)
                                     : undo_runs(block->packed, n_packed, block->ranks, block->n);
  return is_good && undo_move_to_front(block->ranks, block->n, shift, block->sorted);
}

/* Burrows and Wheeler's transform back, from the place where the original's end is. */
static gboolean
undo_sorting(Block *block, gsize index)
{
  g_autofree guint32 *before = g_new0(guint32, PIECES);
  guint32 *place = block->ranks;
  guint32 sum = 0;
  for (gsize i = 0; i < block->n; i++) {
    if (block->sorted[i] >= PIECES)
      return FALSE;
    place[i] = before[block->sorted[i]]++;
  }
  for (gsize piece = 0; piece < PIECES; piece++) {
    guint32 n = before[piece];
    before[piece] = sum;
    sum += n;
  }
  for (gsize i = block->n; i-- > 0;) {
    guint32 piece = block->sorted[index];
    block->pieces[i] = piece;
    index = place[index] + before[piece];
  }
  return TRUE;
}

/* A number is of one to three pieces, the lowest first. */
static gboolean
join_pieces(const Block *block, guint32 *values, gsize n)
{
  gsize at = 0;
  for (gsize i = 0; i < n; i++) {
    guint32 value = 0, piece = MORE;
    for (guint k = 0; k < PIECES_A_NUMBER && (piece & MORE) != 0; k++) {
      if (at == block->n)
        return FALSE;
      piece = block->pieces[at++];
      value |= (piece & PIECE_MASK) << (k * PIECE_BITS);
    }
    values[i] = value;
  }
  return at == block->n;
}

static gboolean
take_block(DebyeTngBytes *from, guint32 *values, gsize n)
{
  gsize n_pieces = debye_tng_take_number(from, 4), index = debye_tng_take_number(from, 4);
  if (from->is_short || n_pieces < n || n_pieces > PIECES_A_NUMBER * n || index >= n_pieces)
    return FALSE;
  g_auto(Block) block;
  if (!block_init(&block, n_pieces))
    return FALSE;
  memset(block.sorted, 0, n_pieces * sizeof *block.sorted);
  for (guint shift = 0; shift < 24; shift += 8)
    if (!take_bytes(from, &block, shift))
      return FALSE;
  return undo_sorting(&block, index) && join_pieces(&block, values, n);
}

gboolean
debye_tng_bwlzh_unpack(const guint8 *bytes, gsize n_bytes, guint32 *values, gsize n)
{
  DebyeTngBytes from = {.bytes = bytes, .n_bytes = n_bytes};
  if (debye_tng_take_number(&from, 4) != n)
    return FALSE;
  while (n > 0) {
    gsize n_block = debye_tng_take_number(&from, 4);
    if (n_block == 0 || n_block > MIN(n, BLOCK_MAXIMUM) || !take_block(&from, values, n_block))
      return FALSE;
    values += n_block;
    n -= n_block;
  }
  return !from.is_short;
}
