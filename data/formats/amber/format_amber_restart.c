/* SPDX-License-Identifier: MIT */
/* AMBER's coordinate and restart files in text (inpcrd, rst7): a title, the number of atoms and the time, the
 * coordinates six a line, then velocities, a cell, both or neither. Nothing says which: the number of lines
 * does. */
#include <math.h>
#include <string.h>

#include "amber_numbers.h"
#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/text_frames.h"

#define WIDTH 12
#define PER_LINE 6
#define LEAST_BYTES_OF_ATOM (3 * WIDTH)
/* AMBER's unit of velocity is the ångström in 1/20.455 ps. */
#define VELOCITY_FACTOR 20.455

/* --- Recognising it --- */

/* "  2101", " 2101  0.3000000E+02", and a temperature behind that. */
static gboolean
read_heading(const char *line, gsize length, gint64 *n_atoms, double *time)
{
  DebyeTextField words[4];
  gsize n = debye_text_split(line, length, words, G_N_ELEMENTS(words));
  *time = NAN;
  if (n == 0 || n > 3 || !debye_text_to_int(words[0].text, words[0].length, n_atoms))
    return FALSE;
  for (gsize k = 1; k < n; k++)
    if (!debye_text_is_number(words[k]))
      return FALSE;
  if (n > 1)
    debye_text_to_double(words[1].text, words[1].length, time);
  return TRUE;
}

/* Numbers with seven decimals: the dot, or the stars of a number that was too large. */
static gboolean
is_column(const char *line, gsize first)
{
  return line[first + 4] == '.' || (line[first + 4] == '*' && line[first + WIDTH - 1] == '*');
}

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  gint64 n_atoms;
  double time;
  if (!debye_text_head_next(&head, &line, &length) || !debye_text_head_next(&head, &line, &length) ||
      !read_heading(line, length, &n_atoms, &time) || n_atoms <= 0 ||
      !debye_text_head_next(&head, &line, &length) || length < LEAST_BYTES_OF_ATOM)
    return 0;
  return is_column(line, 0) && is_column(line, WIDTH) && is_column(line, 2 * WIDTH) ? 85 : 0;
}

/* --- What the file has --- */

typedef struct {
  gsize n_atoms;
  double time;
  gsize vector_lines;            /* of coordinates, and of velocities */
  guint64 n_lines;               /* behind the heading, blank ones at the end aside */
  gsize n_last;                  /* numbers of the last line */
  double last[DEBYE_AMBER_LINE]; /* them, where there are three or six */
  gboolean has_velocities, has_box;
} Layout;

static gboolean
require_heading(DebyeLineReader *lines, Layout *layout, GError **error)
{
  gint64 n_atoms;
  if (!debye_line_reader_next(lines, error) || !debye_line_reader_next(lines, error))
    return !lines->has_failed &&
           debye_input_set_error(lines->input, error, DEBYE_ERROR_TRUNCATED,
                                 "expected a title and the number of atoms, found the end of the file");
  guint64 rest = debye_input_get_size(lines->input) - lines->next_offset;
  if (!read_heading(lines->text, lines->length, &n_atoms, &layout->time) || n_atoms <= 0) {
    g_autofree char *found =
        debye_text_quote(debye_text_columns(lines->text, lines->length, 0, lines->length));
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected the number of atoms, found %s", found);
  }
  layout->n_atoms = (gsize)n_atoms;
  layout->vector_lines = ((gsize)n_atoms + 1) / 2;
  if ((guint64)n_atoms <= rest / LEAST_BYTES_OF_ATOM)
    return TRUE;
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_TRUNCATED,
                                     "expected the coordinates of %" G_GINT64_FORMAT
                                     " atoms, found %" G_GUINT64_FORMAT
                                     " bytes, enough for %" G_GUINT64_FORMAT "",
                                     n_atoms, rest, rest / LEAST_BYTES_OF_ATOM);
}

static gboolean
count_lines(DebyeLineReader *lines, Layout *layout, DebyeProgressFunc progress, gpointer data, GError **error)
{
  for (guint64 n = 1; debye_line_reader_next(lines, error); n++) {
    if (!debye_text_report(lines, progress, data, error))
      return FALSE;
    gsize n_numbers = n < layout->vector_lines ? PER_LINE : debye_amber_count_numbers(lines, WIDTH);
    if (n_numbers == 0)
      continue;
    layout->n_lines = n;
    layout->n_last = n_numbers;
    if (n >= layout->vector_lines && (n_numbers == 3 || n_numbers == PER_LINE) &&
        !debye_amber_read_numbers(lines, WIDTH, n_numbers, layout->last, NULL))
      layout->n_last = 0;
  }
  return !lines->has_failed;
}

/* One or two atoms have as many numbers in their velocities as a cell has: lengths of a cell are larger than
 * any velocity, which is a few tenths in AMBER's unit. */
static gboolean
last_line_is_box(const Layout *layout)
{
  for (gsize k = 0; k < layout->n_last; k++)
    if (layout->last[k] < 2.0)
      return FALSE;
  return layout->n_last == 3 || layout->n_last == PER_LINE;
}

static gboolean
decide(Layout *layout, DebyeInput *input, DebyeFrameIndex *index, GError **error)
{
  guint64 n_vectors = layout->vector_lines, rest = layout->n_lines - MIN(n_vectors, layout->n_lines);
  if (layout->n_lines < n_vectors)
    return debye_input_set_error(input, error, DEBYE_ERROR_TRUNCATED,
                                 "expected the coordinates of %" G_GSIZE_FORMAT " atoms in %" G_GUINT64_FORMAT
                                 " lines, found %" G_GUINT64_FORMAT " lines",
                                 layout->n_atoms, n_vectors, layout->n_lines);
  gboolean either = rest == 1 && n_vectors == 1;
  layout->has_velocities =
      rest == n_vectors + 1 || (rest == n_vectors && !(either && last_line_is_box(layout)));
  layout->has_box = rest > 0 && rest == (layout->has_velocities ? n_vectors + 1 : 1);
  if (rest > 0 && !layout->has_velocities && !layout->has_box)
    debye_frame_index_warn(index,
                           "the %" G_GUINT64_FORMAT
                           " lines after the coordinates are neither velocities (%" G_GUINT64_FORMAT
                           " lines) nor a cell and are ignored",
                           rest, n_vectors);
  return TRUE;
}

static gboolean
find_layout(Layout *layout, DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress,
            gpointer data, GError **error)
{
  g_auto(DebyeLineReader) lines;
  *layout = (Layout){.n_atoms = 0};
  debye_line_reader_init(&lines, input, 0, 1);
  return require_heading(&lines, layout, error) && count_lines(&lines, layout, progress, data, error) &&
         decide(layout, input, index, error);
}

/* `known`: the topology's angles, for files of three lengths only. */
static gboolean
get_cell(const Layout *layout, const double known[3], DebyeCell *cell)
{
  double angles[3];
  *cell = (DebyeCell){0};
  for (int k = 0; k < 3; k++)
    angles[k] = layout->n_last == PER_LINE ? layout->last[3 + k] : isnan(known[k]) ? 90.0 : known[k];
  return (layout->n_last == 3 || layout->n_last == PER_LINE) &&
         debye_cell_from_lengths_angles(cell, layout->last, angles);
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  Layout layout;
  DebyeCell cell;
  guint64 offset = 0;
  if (!find_layout(&layout, input, index, progress, data, error))
    return FALSE;
  if (layout.has_box && !get_cell(&layout, index->cell_angles, &cell))
    debye_frame_index_warn(index, "the last line's numbers do not describe a cell and are ignored");
  index->n_atoms = layout.n_atoms;
  g_array_append_val(index->offsets, offset);
  index->first_time = index->last_time = layout.time;
  return TRUE;
}

/* --- Reading it --- */

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  g_autofree Layout *layout = g_new0(Layout, 1);
  g_autoptr(DebyeFrameIndex) scratch = debye_frame_index_new();
  if (!find_layout(layout, input, scratch, NULL, NULL, error))
    return NULL;
  if (layout->n_atoms == index->n_atoms)
    return g_steal_pointer(&layout);
  return debye_null(debye_input_set_changed(input, error));
}

static gboolean
read_vectors(DebyeLineReader *lines, const char *what, gsize n_atoms, double factor, float *const to[3],
             GError **error)
{
  double values[DEBYE_AMBER_LINE];
  for (gsize i = 0; i < n_atoms; i += 2) {
    gsize n = MIN(n_atoms - i, 2);
    if (!debye_amber_read_next_numbers(lines, what, WIDTH, 3 * n, values, error))
      return FALSE;
    for (gsize k = 0; k < 3 * n; k++)
      to[k % 3][i + k / 3] = (float)(values[k] * factor);
  }
  return TRUE;
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  Layout layout, *expected = state;
  float *const positions[3] = {frame->x, frame->y, frame->z};
  if (!require_heading(lines, &layout, error))
    return FALSE;
  if (layout.n_atoms != frame->n_atoms)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_MISMATCH,
                                       "expected %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT,
                                       frame->n_atoms, layout.n_atoms);
  frame->time = layout.time;
  if (!read_vectors(lines, "coordinates", frame->n_atoms, 1.0, positions, error))
    return FALSE;
  if (!expected->has_velocities)
    return TRUE;
  if (!debye_frame_add_velocities(frame))
    return debye_error_set_memory(error, debye_input_get_name(lines->input), frame->n_atoms, "velocities");
  float *const velocities[3] = {frame->vx, frame->vy, frame->vz};
  return read_vectors(lines, "velocities", frame->n_atoms, VELOCITY_FACTOR, velocities, error);
}

static gboolean
read_frame(gpointer reader, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  const Layout *layout = reader;
  if (!debye_text_read_frame(input, index, frame_number, parse_frame, reader, frame, error))
    return FALSE;
  frame->has_cell = layout->has_box && get_cell(layout, index->cell_angles, &frame->cell);
  return TRUE;
}

const DebyeFormat debye_format_rst7 = {
    .name = "rst7",
    .title = "AMBER restart file",
    .suffixes = (const char *const[]){"rst7", "inpcrd", "rst", "restrt", "crd", NULL},
    .probe = probe,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
