/* SPDX-License-Identifier: MIT */
/* pos.d, as courses on pair distributions hand it out: the three edges of an upright cell (in one line or in three), the number
 * of atoms, and a row of x, y, z for each. Neither elements nor the unit of length stand in it: both are asked for. */
#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/text_frames.h"

#define LEAST_ROW_BYTES 6 /* "0 0 0" and the end of the line */

/* --- Recognising it --- */

/* The next line that isn't blank as numbers; the number of them, 0 where it is something else. */
static gsize
read_numbers(DebyeTextHead *head, double numbers[3])
{
  const char *line;
  gsize length, n = 0;
  DebyeTextField words[4];
  while (n == 0 && debye_text_head_next(head, &line, &length))
    n = debye_text_split(line, length, words, G_N_ELEMENTS(words));
  if (n > 3)
    return 0;
  for (gsize i = 0; i < n; i++)
    if (!debye_text_to_double(words[i].text, words[i].length, &numbers[i]))
      return 0;
  return n;
}

/* In one line, or in three. */
static gboolean
skip_edges(DebyeTextHead *head)
{
  double numbers[3];
  gsize n_edges = 0, n;
  while (n_edges < 3 && (n = read_numbers(head, numbers)) > 0) {
    for (gsize i = 0; i < n; i++)
      if (!(numbers[i] > 0.0))
        return FALSE;
    n_edges += n;
  }
  return n_edges == 3;
}

/* Each row that is seen has three numbers, and there are no more than are announced. */
static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  double numbers[3];
  if (!skip_edges(&head) || read_numbers(&head, numbers) != 1 || !(numbers[0] >= 1.0) ||
      numbers[0] != (double)(guint64)MIN(numbers[0], 1e15))
    return 0;
  const double n_atoms = numbers[0];
  double n_rows = 0.0;
  gsize n_numbers;
  while ((n_numbers = read_numbers(&head, numbers)) == 3)
    n_rows++;
  return n_numbers == 0 && head.at == head.end && n_rows >= 1.0 && n_rows <= n_atoms ? 85 : 0;
}

/* --- Reading it --- */

static gboolean
require_words(DebyeLineReader *lines, const char *what, DebyeTextField words[4], gsize *n, GError **error)
{
  do {
    if (!debye_text_require_line(lines, what, error))
      return FALSE;
    *n = debye_text_split(lines->text, lines->length, words, 4);
  } while (*n == 0);
  return TRUE;
}

static gboolean
set_wrong_number(const DebyeLineReader *lines, GError **error, const char *expected)
{
  g_autofree char *found = debye_text_quote(debye_text_line(lines));
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected %s, found “%s”", expected,
                                     found);
}

static gboolean
read_edge(const DebyeLineReader *lines, DebyeTextField word, double *edge, GError **error)
{
  if (!debye_text_require_double(lines, word, "an edge of the cell", edge, error))
    return FALSE;
  if (*edge > 0.0)
    return TRUE;
  g_autofree char *found = debye_text_quote(word);
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_VALUE,
                                     "expected an edge of the cell above 0, found “%s”", found);
}

static gboolean
read_edges(DebyeLineReader *lines, DebyeCell *cell, GError **error)
{
  DebyeTextField words[4];
  double edges[3] = {0};
  gsize n, n_edges = 0;
  while (n_edges < 3) {
    if (!require_words(lines, "an edge of the cell", words, &n, error))
      return FALSE;
    if (n_edges + n > 3)
      return set_wrong_number(lines, error, "three edges of the cell");
    for (gsize i = 0; i < n; i++, n_edges++)
      if (!read_edge(lines, words[i], &edges[n_edges], error))
        return FALSE;
  }
  *cell = (DebyeCell){.a = {edges[0], 0.0, 0.0}, .b = {0.0, edges[1], 0.0}, .c = {0.0, 0.0, edges[2]}};
  return TRUE;
}

static gboolean
read_count(DebyeLineReader *lines, gsize *n_atoms, GError **error)
{
  DebyeTextField words[4];
  gsize n;
  if (!require_words(lines, "the number of atoms", words, &n, error))
    return FALSE;
  if (n != 1)
    return set_wrong_number(lines, error, "the number of atoms alone");
  return debye_text_require_count(lines, words[0], "atoms", LEAST_ROW_BYTES, n_atoms, error);
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeCell cell;
  DebyeAtom atom = DEBYE_ATOM_INIT;
  gsize n_atoms;
  if (!read_edges(&lines, &cell, error) || !read_count(&lines, &n_atoms, error))
    return FALSE;
  atom.name = "X";
  for (gsize i = 0; i < n_atoms; i++)
    debye_topology_builder_add_atom(builder, &atom);
  return TRUE;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeTextFrames frames = {0};
  DebyeCell cell;
  gsize n_atoms;
  if (!read_edges(&lines, &cell, error) || !read_count(&lines, &n_atoms, error) ||
      !debye_text_skip_lines(&lines, n_atoms, "an atom", progress, data, error))
    return FALSE;
  debye_text_add_frame(&frames, index, 0, n_atoms, NAN);
  return debye_text_end_frames(&frames, index, input, NULL, error);
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state G_GNUC_UNUSED, DebyeFrame *frame, GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  float *const position[] = {frame->x, frame->y, frame->z};
  DebyeTextField words[4];
  gsize n_atoms, n;
  frame->has_cell = TRUE;
  if (!read_edges(lines, &frame->cell, error) || !read_count(lines, &n_atoms, error) ||
      !debye_text_require_n_atoms(lines, frame->n_atoms, n_atoms, error))
    return FALSE;
  for (gsize i = 0; i < n_atoms; i++) {
    if (!require_words(lines, "an atom", words, &n, error))
      return FALSE;
    if (n != 3)
      return set_wrong_number(lines, error, "x, y and z of an atom");
    for (int axis = 0; axis < 3; axis++) {
      double value;
      if (!debye_text_require_double(lines, words[axis], axes[axis], &value, error))
        return FALSE;
      position[axis][i] = (float)value;
    }
  }
  return TRUE;
}

DEBYE_TEXT_READ_FRAME(parse_frame)

const DebyeFormat debye_format_posd = {
    .name = "posd",
    .title = "pos.d of courses",
    .suffixes = (const char *const[]){"d", NULL},
    .probe = probe,
    .leaves_unit_open = TRUE,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
