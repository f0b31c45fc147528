/* SPDX-License-Identifier: MIT */
/* Decodes TNG's Huffman codes; called by tng_bwlzh.c. */
#include "tng_huffman.h"

#include "tng_bits.h"

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

gboolean
debye_tng_undo_runs(const guint32 *runs, gsize n_runs, guint32 *values, gsize n)
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
      (has_runs && !debye_tng_undo_runs(runs, n_runs, dictionary, n)))
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

gboolean
debye_tng_huffman_unpack(const guint8 *bytes, gsize n_bytes, guint32 *values, gsize n)
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
