/* SPDX-License-Identifier: MIT */
/* NAMD's binary coordinates (.coor, restart files): the number of atoms as a 32-bit integer and three doubles
 * an atom, Å, in the byte order of the machine that wrote them. Nothing names the format: a file of just the
 * right size is one. */
#include "data/files/error.h"
#include "data/formats/format.h"

#include <math.h>
#include <string.h>

#define BYTES_OF_COUNT 4
#define BYTES_OF_ATOM 24
/* No system reaches as far, Å. */
#define FARTHEST 1e6

static guint32
get_count(const guint8 *bytes, gboolean is_swapped)
{
  guint32 count;
  memcpy(&count, bytes, sizeof count);
  return is_swapped ? GUINT32_SWAP_LE_BE(count) : count;
}

static double
get_double(const guint8 *bytes, gboolean is_swapped)
{
  guint64 bits;
  double value;
  memcpy(&bits, bytes, sizeof bits);
  bits = is_swapped ? GUINT64_SWAP_LE_BE(bits) : bits;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The byte order for which the count agrees with the size. */
static gboolean
find_order(const guint8 *bytes, guint64 size, gboolean *is_swapped)
{
  for (int swapped = 0; swapped <= 1; swapped++) {
    guint32 count = get_count(bytes, swapped);
    *is_swapped = swapped;
    if (count > 0 && count <= G_MAXINT32 && BYTES_OF_COUNT + (guint64)BYTES_OF_ATOM * count == size)
      return TRUE;
  }
  return FALSE;
}

/* Whether the first atom's coordinates are plausible in this byte order. */
static gboolean
is_first_atom_near(const guint8 *bytes, gboolean is_swapped)
{
  for (gsize axis = 0; axis < 3; axis++)
    if (!(fabs(get_double(bytes + BYTES_OF_COUNT + 8 * axis, is_swapped)) < FARTHEST))
      return FALSE;
  return TRUE;
}

static int
probe(const guint8 *bytes, gsize n)
{
  return n >= BYTES_OF_COUNT + BYTES_OF_ATOM &&
                 (is_first_atom_near(bytes, FALSE) || is_first_atom_near(bytes, TRUE))
             ? 1
             : 0;
}

static int
look(DebyeInput *input)
{
  guint8 head[BYTES_OF_COUNT + BYTES_OF_ATOM];
  gboolean is_swapped;
  if (!debye_input_read(input, 0, head, sizeof head, NULL) ||
      !find_order(head, debye_input_get_size(input), &is_swapped))
    return 0;
  return is_first_atom_near(head, is_swapped) ? 85 : 0;
}

static gboolean
require_order(DebyeInput *input, gsize *n_atoms, gboolean *is_swapped, GError **error)
{
  guint8 count[BYTES_OF_COUNT];
  if (!debye_input_read(input, 0, count, sizeof count, error))
    return FALSE;
  if (!find_order(count, debye_input_get_size(input), is_swapped))
    return debye_input_set_error(
        input, error, DEBYE_ERROR_SYNTAX,
        "expected the number of bytes that the number of atoms at the start implies, found "
        "%" G_GUINT64_FORMAT,
        debye_input_get_size(input));
  *n_atoms = get_count(count, *is_swapped);
  return TRUE;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  const guint64 offset = BYTES_OF_COUNT;
  gboolean is_swapped;
  (void)progress;
  (void)data;
  if (!require_order(input, &index->n_atoms, &is_swapped, error))
    return FALSE;
  g_array_append_val(index->offsets, offset);
  return TRUE;
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  gsize n_atoms;
  gboolean is_swapped;
  (void)index;
  if (!require_order(input, &n_atoms, &is_swapped, error))
    return NULL;
  return g_memdup2(&is_swapped, sizeof is_swapped);
}

static gboolean
read_frame(gpointer reader, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  gboolean is_swapped = *(const gboolean *)reader;
  guint64 offset = g_array_index(index->offsets, guint64, frame_number);
  guint8 atom[BYTES_OF_ATOM];
  debye_frame_forget(frame);
  for (gsize i = 0; i < frame->n_atoms; i++, offset += BYTES_OF_ATOM) {
    if (!debye_input_read(input, offset, atom, sizeof atom, error))
      return FALSE;
    frame->x[i] = (float)get_double(atom, is_swapped);
    frame->y[i] = (float)get_double(atom + 8, is_swapped);
    frame->z[i] = (float)get_double(atom + 16, is_swapped);
  }
  frame->index = frame_number;
  debye_frame_check(frame);
  return TRUE;
}

const DebyeFormat debye_format_namdbin = {
    .name = "namdbin",
    .title = "NAMD binary coordinates",
    .suffixes = (const char *const[]){"coor", NULL},
    .probe = probe,
    .look = look,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
