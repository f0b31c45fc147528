/* SPDX-License-Identifier: MIT */
/* Reads DCD headers and the cells of frames; called by format_dcd.c. */
#include "dcd_layout.h"
#include "data/files/error.h"
#include "data/messages/message.h"

#include <math.h>
#include <string.h>

#define TITLE_BYTES 80
/* From this version on CHARMM writes the cell as a symmetric matrix. */
#define VERSION_WITH_SHAPE_MATRIX 25

/* The header's integers, by their place. */
enum {
  CONTROL_N_FRAMES = 0,
  CONTROL_FIRST_STEP = 1,
  CONTROL_STEP_INTERVAL = 2,
  CONTROL_N_FIXED = 8,
  CONTROL_DELTA = 9,
  CONTROL_CELL = 10,
  CONTROL_FOURTH = 11,
  CONTROL_VERSION = 19,
};

static guint32
get_uint32(const DebyeDcdLayout *layout, const guint8 *bytes)
{
  guint32 word;
  memcpy(&word, bytes, sizeof word);
  return layout->is_swapped ? GUINT32_SWAP_LE_BE(word) : word;
}

static guint64
get_uint64(const DebyeDcdLayout *layout, const guint8 *bytes)
{
  guint64 word;
  memcpy(&word, bytes, sizeof word);
  return layout->is_swapped ? GUINT64_SWAP_LE_BE(word) : word;
}

static double
get_double(const DebyeDcdLayout *layout, const guint8 *bytes)
{
  guint64 word = get_uint64(layout, bytes);
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

guint64
debye_dcd_layout_get_marker(const DebyeDcdLayout *layout, const guint8 *bytes)
{
  return layout->marker_bytes == 8 ? get_uint64(layout, bytes) : get_uint32(layout, bytes);
}

gboolean
debye_dcd_layout_recognize(DebyeDcdLayout *layout, const guint8 *bytes, gsize n)
{
  for (gsize marker_bytes = 4; marker_bytes <= 8; marker_bytes += 4) {
    if (n < marker_bytes + 4 || memcmp(bytes + marker_bytes, "CORD", 4) != 0)
      continue;
    layout->marker_bytes = marker_bytes;
    for (int swapped = 0; swapped < 2; swapped++) {
      layout->is_swapped = swapped;
      if (debye_dcd_layout_get_marker(layout, bytes) == DEBYE_DCD_HEADER_BYTES)
        return TRUE;
    }
  }
  return FALSE;
}

static gint32
get_control(const DebyeDcdLayout *layout, const guint8 *record, int place)
{
  return (gint32)get_uint32(layout, record + 4 + 4 * place);
}

static void
take_controls(DebyeDcdLayout *layout, const guint8 *record)
{
  layout->n_frames = get_control(layout, record, CONTROL_N_FRAMES);
  layout->first_step = get_control(layout, record, CONTROL_FIRST_STEP);
  layout->step_interval = MAX(get_control(layout, record, CONTROL_STEP_INTERVAL), 1);
  layout->version = get_control(layout, record, CONTROL_VERSION);
  const guint8 *delta = record + 4 + 4 * CONTROL_DELTA;
  if (layout->version == 0) {
    /* X-PLOR has a double there, over the place of the cell's flag, and knows neither cell nor fourth
     * dimension. */
    layout->delta = get_double(layout, delta);
  } else {
    guint32 word = get_uint32(layout, delta);
    float value;
    memcpy(&value, &word, sizeof value);
    layout->delta = (double)value;
    layout->has_cell = get_control(layout, record, CONTROL_CELL) != 0;
    layout->has_fourth = get_control(layout, record, CONTROL_FOURTH) != 0;
  }
}

static gboolean
read_marker(const DebyeDcdLayout *layout, DebyeInput *input, guint64 offset, guint64 *value, GError **error)
{
  guint8 bytes[8];
  if (!debye_input_read(input, offset, bytes, layout->marker_bytes, error))
    return FALSE;
  *value = debye_dcd_layout_get_marker(layout, bytes);
  return TRUE;
}

/* The record at *offset must have `expected` bytes; *offset moves behind it. */
static gboolean
check_record(const DebyeDcdLayout *layout, DebyeInput *input, guint64 *offset, guint64 expected,
             const char *what, GError **error)
{
  guint64 before, after;
  if (!read_marker(layout, input, *offset, &before, error))
    return FALSE;
  if (before != expected)
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "%s at byte %" G_GUINT64_FORMAT ": expected a record of %" G_GUINT64_FORMAT
                                 " bytes, found one of %" G_GUINT64_FORMAT,
                                 what, *offset, expected, before);
  guint64 end = *offset + layout->marker_bytes + expected;
  if (!read_marker(layout, input, end, &after, error))
    return FALSE;
  if (after != expected)
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "%s at byte %" G_GUINT64_FORMAT
                                 ": expected the record's end marker %" G_GUINT64_FORMAT
                                 ", found %" G_GUINT64_FORMAT,
                                 what, *offset, expected, after);
  *offset = end + layout->marker_bytes;
  return TRUE;
}

/* Some writers count a title too few in the record's length: then the number of titles is right. */
static gboolean
skip_titles(const DebyeDcdLayout *layout, DebyeInput *input, guint64 *offset, GError **error)
{
  guint64 length, after;
  guint8 count[4];
  if (!read_marker(layout, input, *offset, &length, error))
    return FALSE;
  guint64 begin = *offset + layout->marker_bytes;
  guint64 size = debye_input_get_size(input);
  if (length <= size && read_marker(layout, input, begin + length, &after, NULL) && after == length) {
    *offset = begin + length + layout->marker_bytes;
    return TRUE;
  }
  if (!debye_input_read(input, begin, count, sizeof count, error))
    return FALSE;
  guint64 counted = 4 + (guint64)TITLE_BYTES * get_uint32(layout, count);
  if (counted > size || !read_marker(layout, input, begin + counted, &after, NULL) ||
      (after != length && after != counted))
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "title at byte %" G_GUINT64_FORMAT ": its record of %" G_GUINT64_FORMAT
                                 " bytes has no end",
                                 *offset, length);
  *offset = begin + counted + layout->marker_bytes;
  return TRUE;
}

static gboolean
read_n_atoms(DebyeDcdLayout *layout, DebyeInput *input, guint64 *offset, gint32 n_fixed, GError **error)
{
  guint8 bytes[4];
  guint64 begin = *offset + layout->marker_bytes;
  if (!check_record(layout, input, offset, sizeof bytes, "number of atoms", error) ||
      !debye_input_read(input, begin, bytes, sizeof bytes, error))
    return FALSE;
  gint32 n_atoms = (gint32)get_uint32(layout, bytes);
  guint64 most = debye_input_get_size(input) / (3 * sizeof(float));
  if (n_atoms <= 0 || (guint64)n_atoms > most)
    return debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                                 "number of atoms: expected 1 to %" G_GUINT64_FORMAT
                                 " (the file holds no more), found %d",
                                 most, n_atoms);
  if (n_fixed < 0 || n_fixed >= n_atoms) {
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "expected less than %d fixed atoms, found %d", n_atoms, n_fixed);
  }
  layout->n_atoms = (gsize)n_atoms;
  layout->n_free = (gsize)(n_atoms - n_fixed);
  return TRUE;
}

static gboolean
read_free_atoms(DebyeDcdLayout *layout, DebyeInput *input, guint64 *offset, GError **error)
{
  gsize n = layout->n_free;
  guint64 begin = *offset + layout->marker_bytes;
  if (n == layout->n_atoms)
    return TRUE;
  if (!check_record(layout, input, offset, 4 * (guint64)n, "free atoms", error))
    return FALSE;
  layout->free_atoms = g_new(guint32, n);
  if (!debye_input_read(input, begin, layout->free_atoms, 4 * n, error))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    guint32 number = get_uint32(layout, (const guint8 *)&layout->free_atoms[i]);
    if (number < 1 || number > layout->n_atoms)
      return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                   "free atoms: expected numbers from 1 to %" G_GSIZE_FORMAT ", found %u",
                                   layout->n_atoms, number);
    layout->free_atoms[i] = number - 1;
  }
  return TRUE;
}

static guint64
measure_frame(const DebyeDcdLayout *layout, gsize n_atoms)
{
  guint64 both = 2 * layout->marker_bytes;
  guint64 bytes = (layout->has_fourth ? 4 : 3) * (4 * (guint64)n_atoms + both);
  return bytes + (layout->has_cell ? DEBYE_DCD_CELL_BYTES + both : 0);
}

/* The flag of the cell is wrong in some files; the first record's length settles it, unless twelve atoms make
 * both lengths the same. */
static gboolean
settle_cell(DebyeDcdLayout *layout, DebyeInput *input, GError **error)
{
  guint64 length, coordinates = 4 * (guint64)layout->n_atoms;
  if (!read_marker(layout, input, layout->frames_offset, &length, error))
    return FALSE;
  if (coordinates != DEBYE_DCD_CELL_BYTES && (length == coordinates || length == DEBYE_DCD_CELL_BYTES))
    layout->has_cell = length == DEBYE_DCD_CELL_BYTES;
  return TRUE;
}

static gboolean
check_first_frame(const DebyeDcdLayout *layout, DebyeInput *input, GError **error)
{
  static const char *const names[] = {N_("x of frame 0"), N_("y of frame 0"), N_("z of frame 0"),
                                      N_("fourth dimension of frame 0")};
  guint64 offset = layout->frames_offset;
  if (layout->has_cell &&
      !check_record(layout, input, &offset, DEBYE_DCD_CELL_BYTES, "cell of frame 0", error))
    return FALSE;
  for (int k = 0; k < (layout->has_fourth ? 4 : 3); k++)
    if (!check_record(layout, input, &offset, 4 * (guint64)layout->n_atoms, names[k], error))
      return FALSE;
  return TRUE;
}

gboolean
debye_dcd_layout_read(DebyeDcdLayout *layout, DebyeInput *input, GError **error)
{
  guint8 bytes[8 + DEBYE_DCD_HEADER_BYTES];
  guint64 offset = 0;
  *layout = (DebyeDcdLayout){0};
  gssize n = debye_input_read_some(input, 0, bytes, sizeof bytes, error);
  if (n < 0)
    return FALSE;
  if (!debye_dcd_layout_recognize(layout, bytes, (gsize)n))
    return debye_input_set_error(input, error, n < 12 ? DEBYE_ERROR_TRUNCATED : DEBYE_ERROR_SYNTAX,
                                 "expected a DCD header: the number %d and “CORD”", DEBYE_DCD_HEADER_BYTES);
  if (!check_record(layout, input, &offset, DEBYE_DCD_HEADER_BYTES, "header", error))
    return FALSE;
  const guint8 *record = bytes + layout->marker_bytes;
  take_controls(layout, record);
  if (!skip_titles(layout, input, &offset, error) ||
      !read_n_atoms(layout, input, &offset, get_control(layout, record, CONTROL_N_FIXED), error) ||
      !read_free_atoms(layout, input, &offset, error))
    return FALSE;
  layout->frames_offset = offset;
  if (!settle_cell(layout, input, error) || !check_first_frame(layout, input, error))
    return FALSE;
  layout->first_bytes = measure_frame(layout, layout->n_atoms);
  layout->other_bytes = measure_frame(layout, layout->n_free);
  return TRUE;
}

void
debye_dcd_layout_clear(DebyeDcdLayout *layout)
{
  g_clear_pointer(&layout->free_atoms, g_free);
}

gint64
debye_dcd_layout_get_step(const DebyeDcdLayout *layout, gsize frame_number)
{
  return layout->first_step + (gint64)frame_number * layout->step_interval;
}

double
debye_dcd_layout_get_time(const DebyeDcdLayout *layout, gsize frame_number)
{
  if (!(layout->delta > 0.0 && isfinite(layout->delta)))
    return NAN;
  return (double)debye_dcd_layout_get_step(layout, frame_number) * layout->delta * DEBYE_DCD_TIME_UNIT;
}

/* The rows of the symmetric matrix are the edges, in the coordinates' own orientation. A matrix that no
 * crystal has (CHARMM's is positive definite) means that the numbers are lengths and angles after all. */
static gboolean
from_shape_matrix(const double v[6], DebyeCell *cell)
{
  cell->a = debye_vec3(v[0], v[1], v[3]);
  cell->b = debye_vec3(v[1], v[2], v[4]);
  cell->c = debye_vec3(v[3], v[4], v[5]);
  return v[0] > 0.0 && v[0] * v[2] > v[1] * v[1] && debye_cell_volume(cell) > 0.0 &&
         debye_cell_is_valid(cell);
}

/* Lengths v[0], v[2], v[5], and γ, β, α between them, as degrees (NAMD once, MDAnalysis, OpenMM) or as
 * cosines (VMD, NAMD, X-PLOR, old CHARMM): an angle below one degree there is none. */
static gboolean
from_lengths_angles(const double v[6], DebyeCell *cell)
{
  const double lengths[3] = {v[0], v[2], v[5]};
  double angles[3] = {v[4], v[3], v[1]};
  gboolean are_cosines = fabs(angles[0]) <= 1.0 && fabs(angles[1]) <= 1.0 && fabs(angles[2]) <= 1.0;
  for (int k = 0; k < 3 && are_cosines; k++)
    angles[k] = angles[k] == 0.0 ? 90.0 : acos(angles[k]) * (180.0 / G_PI);
  return debye_cell_from_lengths_angles(cell, lengths, angles);
}

gboolean
debye_dcd_layout_get_cell(const DebyeDcdLayout *layout, const guint8 bytes[DEBYE_DCD_CELL_BYTES],
                          DebyeCell *cell)
{
  double v[6];
  for (int k = 0; k < 6; k++)
    v[k] = get_double(layout, bytes + 8 * k);
  if (layout->version >= VERSION_WITH_SHAPE_MATRIX && from_shape_matrix(v, cell))
    return TRUE;
  if (from_lengths_angles(v, cell))
    return TRUE;
  *cell = (DebyeCell){0};
  return FALSE;
}
