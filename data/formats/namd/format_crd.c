/* SPDX-License-Identifier: MIT */
/* CHARMM's coordinate files ("CARD"): a title of lines with *, the number of atoms, and the atoms in fixed
 * columns, narrow or extended. CHARMM's weights are whatever the user put there (charges, masses, a mask); as
 * CHARMM itself does when it writes a PDB file, they are kept as B factors. */
#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/text_frames.h"

#include <math.h>
#include <string.h>

typedef struct {
  gsize begin, end;
} Columns;

typedef struct {
  Columns residue_index, residue, name, position[3], segment, residue_number, weight;
  gsize least_length;
} Layout;

/* I5 I5 X A4 X A4 3F10.5 X A4 X A4 F10.5 */
static const Layout standard = {
    .residue_index = {5, 10},
    .residue = {11, 15},
    .name = {16, 20},
    .position = {{20, 30}, {30, 40}, {40, 50}},
    .segment = {51, 55},
    .residue_number = {56, 60},
    .weight = {60, 70},
    .least_length = 41,
};

/* I10 I10 2X A8 2X A8 3F20.10 2X A8 2X A8 F20.10 */
static const Layout extended = {
    .residue_index = {10, 20},
    .residue = {22, 30},
    .name = {32, 40},
    .position = {{40, 60}, {60, 80}, {80, 100}},
    .segment = {102, 110},
    .residue_number = {112, 120},
    .weight = {120, 140},
    .least_length = 81,
};

/* From here on CHARMM writes the extended columns even when it isn't asked to. */
#define EXTENDED_FROM 100000

static DebyeTextField
get_column(const char *line, gsize length, Columns columns)
{
  return debye_text_columns(line, length, columns.begin, columns.end);
}

/* "  13  EXT": the number of atoms, and which columns they have. */
static gboolean
read_count_line(const char *line, gsize length, DebyeTextField *count, const Layout **layout)
{
  DebyeTextField words[3];
  gint64 n_atoms;
  gsize n = debye_text_split(line, length, words, G_N_ELEMENTS(words));
  if (n < 1 || n > 2 || (n == 2 && !debye_text_field_is(words[1], "EXT")) ||
      !debye_text_to_int(words[0].text, words[0].length, &n_atoms))
    return FALSE;
  *count = words[0];
  *layout = n == 2 || n_atoms >= EXTENDED_FROM ? &extended : &standard;
  return TRUE;
}

static gboolean
are_atom_columns(const char *line, gsize length, const Layout *layout)
{
  for (int axis = 0; axis < 3; axis++)
    if (!debye_text_is_number(get_column(line, length, layout->position[axis])))
      return FALSE;
  return length >= layout->least_length &&
         debye_text_is_number(get_column(line, length, layout->residue_index));
}

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length, n_titles = 0;
  DebyeTextField count;
  const Layout *layout;
  while (debye_text_head_next(&head, &line, &length) && length > 0 && line[0] == '*')
    n_titles++;
  if (n_titles == 0 || !read_count_line(line, length, &count, &layout))
    return 0;
  if (!debye_text_head_next(&head, &line, &length))
    return 10;
  return are_atom_columns(line, length, layout) ? 95 : 20;
}

/* --- Lines --- */

typedef struct {
  gsize n_atoms;
  const Layout *layout;
  char *title; /* its first line */
} Head;

static void
head_clear(Head *head)
{
  g_clear_pointer(&head->title, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Head, head_clear)

static gboolean
read_head(DebyeLineReader *lines, Head *head, GError **error)
{
  DebyeTextField count;
  do {
    if (!debye_text_require_line(lines, "the number of atoms", error))
      return FALSE;
    if (head->title == NULL && lines->text[0] == '*') {
      DebyeTextField title = debye_text_columns(lines->text, lines->length, 1, lines->length);
      head->title = g_strndup(title.text, title.length);
    }
  } while (lines->text[0] == '*' || debye_text_line_is_blank(lines));
  if (!read_count_line(lines->text, lines->length, &count, &head->layout)) {
    count = debye_text_line(lines);
    head->layout = &standard;
  }
  return debye_text_require_count(lines, count, "atoms", head->layout->least_length, &head->n_atoms, error);
}

static gboolean
require_atom(DebyeLineReader *lines, const Layout *layout, GError **error)
{
  if (!debye_text_require_line(lines, "an atom", error))
    return FALSE;
  if (lines->length >= layout->least_length && memchr(lines->text, '\t', lines->length) == NULL)
    return TRUE;
  g_autofree char *found = debye_text_quote(debye_text_line(lines));
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                     "expected an atom in CHARMM's %scolumns, found %s",
                                     layout == &extended ? "extended " : "", found);
}

/* --- The topology --- */

/* "27" or, with an insertion code, "27A"; where it is neither, the residue's place in the file counts. */
static void
set_residue(const DebyeLineReader *lines, const Layout *layout, DebyeTopologyBuilder *builder, gint64 index)
{
  DebyeTextField name = get_column(lines->text, lines->length, layout->residue);
  DebyeTextField segment = get_column(lines->text, lines->length, layout->segment);
  DebyeTextField number = get_column(lines->text, lines->length, layout->residue_number);
  char insertion_code = '\0';
  gint64 value = index;
  if (number.length > 1 && g_ascii_isalpha(number.text[number.length - 1]) &&
      debye_text_to_int(number.text, number.length - 1, &value))
    insertion_code = number.text[number.length - 1];
  else if (!debye_text_to_int(number.text, number.length, &value))
    value = index;
  debye_topology_builder_set_residue(builder, name.text, (gssize)name.length,
                                     (gint32)CLAMP(value, G_MININT32, G_MAXINT32), insertion_code, NULL, 0,
                                     segment.text, (gssize)segment.length);
}

static gboolean
read_weight(const DebyeLineReader *lines, const Layout *layout, double *weight, GError **error)
{
  DebyeTextField field = get_column(lines->text, lines->length, layout->weight);
  *weight = NAN;
  if (field.length == 0)
    return TRUE;
  if (!debye_text_require_double(lines, field, "the weight", weight, error))
    return FALSE;
  /* All zero is what CHARMM writes where nobody set any. */
  if (*weight == 0.0 || !isfinite(*weight))
    *weight = NAN;
  return TRUE;
}

static gboolean
add_atom(const DebyeLineReader *lines, const Layout *layout, gint64 *last_residue,
         DebyeTopologyBuilder *builder, GError **error)
{
  gint64 residue, serial;
  /* The atom's number fills the columns before its residue's. */
  DebyeTextField number = debye_text_columns(lines->text, lines->length, 0, layout->residue_index.begin);
  DebyeTextField index = get_column(lines->text, lines->length, layout->residue_index);
  DebyeTextField name = get_column(lines->text, lines->length, layout->name);
  DebyeAtom atom = DEBYE_ATOM_INIT;
  if (!debye_text_require_int(lines, index, "the residue", &residue, error) ||
      !read_weight(lines, layout, &atom.b_factor, error))
    return FALSE;
  set_residue(lines, layout, builder, residue);
  if (residue != *last_residue)
    debye_topology_builder_new_residue(builder);
  *last_residue = residue;
  atom.name = name.text;
  atom.name_length = (gssize)name.length;
  if (debye_text_to_int(number.text, number.length, &serial) && ABS(serial) < G_MAXINT32)
    atom.serial = (gint32)serial;
  debye_topology_builder_add_atom(builder, &atom);
  return TRUE;
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_auto(Head) head = {.title = NULL};
  gint64 last_residue = G_MININT64;
  if (!read_head(&lines, &head, error))
    return FALSE;
  if (head.title != NULL)
    debye_topology_builder_set_title(builder, head.title, -1);
  for (gsize i = 0; i < head.n_atoms; i++)
    if (!require_atom(&lines, head.layout, error) ||
        !add_atom(&lines, head.layout, &last_residue, builder, error))
      return FALSE;
  return TRUE;
}

/* --- Coordinates --- */

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_auto(Head) head = {.title = NULL};
  DebyeTextFrames frames = {0};
  if (!read_head(&lines, &head, error) ||
      !debye_text_skip_lines(&lines, head.n_atoms, "an atom", progress, data, error))
    return FALSE;
  debye_text_add_frame(&frames, index, 0, head.n_atoms, NAN);
  return debye_text_end_frames(&frames, index, input, NULL, error);
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  float *const position[] = {frame->x, frame->y, frame->z};
  g_auto(Head) head = {.title = NULL};
  (void)state;
  if (!read_head(lines, &head, error) ||
      !debye_text_require_n_atoms(lines, frame->n_atoms, head.n_atoms, error))
    return FALSE;
  for (gsize i = 0; i < head.n_atoms; i++) {
    if (!require_atom(lines, head.layout, error))
      return FALSE;
    for (int axis = 0; axis < 3; axis++) {
      double value;
      DebyeTextField field = get_column(lines->text, lines->length, head.layout->position[axis]);
      if (!debye_text_require_double(lines, field, axes[axis], &value, error))
        return FALSE;
      position[axis][i] = (float)value;
    }
  }
  return TRUE;
}

DEBYE_TEXT_READ_FRAME(parse_frame)

const DebyeFormat debye_format_crd = {
    .name = "crd",
    .title = "CHARMM coordinates",
    .suffixes = (const char *const[]){"crd", "cor", "card", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
