/* SPDX-License-Identifier: MIT */
/* A Gaussian cube file as a structure: the molecule that its map is of, which stands before the values:
 * https://gaussian.com/cubegen. The map itself is read by data/results/field_cube.c. */
#include <math.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"
#include "data/formats/text_frames.h"
#include "data/messages/message.h"
#include "wave_structure.h"

#define MOST_FIELDS 8
#define N_AXES 3

/* A whole number and `n` finite numbers. */
static gboolean
parse_row(const char *line, gsize length, gsize n, gint64 *count, double *numbers)
{
  DebyeTextField fields[MOST_FIELDS];
  if (debye_text_split(line, length, fields, MOST_FIELDS) < n + 1 ||
      !debye_text_to_int(fields[0].text, fields[0].length, count) || *count == G_MININT64)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!debye_text_to_double(fields[i + 1].text, fields[i + 1].length, &numbers[i]) || !isfinite(numbers[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_lone_count(const char *line, gsize length)
{
  const DebyeTextField field = debye_text_columns(line, length, 0, length);
  gint64 count;
  return debye_text_to_int(field.text, field.length, &count);
}

/* Two lines of text, the atoms' number with the origin, three axes, the first atom. An XYZ file with numbers for its
 * elements looks alike, but for the number of atoms as its first line. */
static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  for (int i = 0; i < 7; i++) {
    gint64 count;
    double numbers[4];
    if (!debye_text_head_next(&head, &line, &length) || (i == 0 && is_lone_count(line, length)))
      return 0;
    if (i >= 2 && (!parse_row(line, length, i < 6 ? 3 : 4, &count, numbers) || (i < 6 && count == 0)))
      return 0;
  }
  return 90;
}

static gboolean
require_row(DebyeLineReader *lines, const char *what, gsize n, gint64 *count, double *numbers, GError **error)
{
  if (!debye_text_require_line(lines, what, error))
    return FALSE;
  if (parse_row(lines->text, lines->length, n, count, numbers))
    return TRUE;
  g_autofree char *found = debye_text_quote(debye_text_line(lines));
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected %s, found %s", what, found);
}

/* A negative number of atoms stands before orbitals. */
static gboolean
read_head(DebyeLineReader *lines, DebyeWaveFunction *wave, gint64 *n_atoms, double *length_unit,
          GError **error)
{
  double numbers[3];
  if (!debye_text_require_line(lines, "two comment lines", error))
    return FALSE;
  const DebyeTextField title = debye_text_line(lines);
  g_autofree char *text = g_utf8_make_valid(title.text, (gssize)title.length);
  wave->title = title.length > 0 ? g_steal_pointer(&text) : NULL;
  if (!debye_text_require_line(lines, "two comment lines", error) ||
      !require_row(lines, N_("a number of atoms and the origin (four numbers)"), 3, n_atoms, numbers, error))
    return FALSE;
  *n_atoms = ABS(*n_atoms);
  for (int axis = 0; axis < N_AXES; axis++) {
    gint64 count;
    if (!require_row(lines, N_("a number of points and a step (four numbers)"), 3, &count, numbers, error))
      return FALSE;
    if (axis == 0)
      *length_unit = count < 0 ? 1.0 / DEBYE_BOHR : 1.0;
  }
  return TRUE;
}

/* As many as there are lines, so what is kept is bounded by the file. */
static gboolean
read_atoms(DebyeLineReader *lines, DebyeWaveFunction *wave, gint64 n_atoms, double length_unit,
           GError **error)
{
  for (gint64 i = 0; i < n_atoms; i++) {
    gint64 number;
    double numbers[4];
    if (!require_row(lines, N_("an atom (its number, charge and position)"), 4, &number, numbers, error))
      return FALSE;
    DebyeWaveAtom atom = {.element = number > 0 && number <= 118 ? (guint8)number : 0,
                          .nuclear_charge = numbers[0]};
    for (int axis = 0; axis < N_AXES; axis++)
      atom.position[axis] = numbers[axis + 1] * length_unit;
    g_array_append_val(wave->atoms, atom);
  }
  return TRUE;
}

static gboolean
read_cube(DebyeInput *input, DebyeWaveFunction *wave, GError **error)
{
  g_auto(DebyeLineReader) lines = {0};
  gint64 n_atoms = 0;
  double length_unit = 1.0;
  debye_line_reader_init(&lines, input, 0, 1);
  return read_head(&lines, wave, &n_atoms, &length_unit, error) &&
         read_atoms(&lines, wave, n_atoms, length_unit, error);
}

DEBYE_WAVE_STRUCTURE(read_cube)

const DebyeFormat debye_format_cube = {
    .name = "cube",
    .title = "Gaussian cube",
    .suffixes = (const char *const[]){"cube", "cub", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = debye_text_reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
