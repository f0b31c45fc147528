/* SPDX-License-Identifier: MIT */
/* Decodes TNG's packing by Burrows-Wheeler transform, move-to-front and Huffman codes; called by tng_xtc3.c
 * and tng_coding.c. */
#include "tng_bwlzh.h"

#include "tng_bits.h"
#include "tng_huffman.h"

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
  return bytes != NULL && debye_tng_huffman_unpack(bytes, n_bytes, values, n);
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
                                     : debye_tng_undo_runs(block->packed, n_packed, block->ranks, block->n);
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
