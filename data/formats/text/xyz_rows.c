/* SPDX-License-Identifier: MIT */
/* Reads the beginnings of XYZ frames and the rows of their atoms; called by format_xyz.c. */
#include "xyz_rows.h"

#include <math.h>

#include "data/files/error.h"
#include "data/tables/elements.h"

/* "X 0 0 0" and its end: no atom takes less. */
#define LEAST_BYTES_OF_ATOM 8

/* "  5", "  5   # atoms": the number, with nothing or a remark behind it. */
gboolean
debye_xyz_read_first_number(const char *line, gsize length, gint64 *count)
{
  DebyeTextField words[2];
  gsize n = debye_text_split(line, length, words, G_N_ELEMENTS(words));
  if (n == 0 || !debye_text_to_int(words[0].text, words[0].length, count))
    return FALSE;
  return n == 1 || !debye_text_is_number(words[1]);
}

static gboolean
read_count(DebyeLineReader *lines, gsize *n_atoms, GError **error)
{
  gint64 count;
  DebyeTextField field = debye_text_line(lines);
  if (debye_xyz_read_first_number(lines->text, lines->length, &count))
    debye_text_split(lines->text, lines->length, &field, 1);
  return debye_text_require_count(lines, field, "atoms", LEAST_BYTES_OF_ATOM, n_atoms, error);
}

/* The count and the comment; blank lines between frames and at the end are passed. FALSE without an error at
 * the end. */
gboolean
debye_xyz_read_head(DebyeLineReader *lines, DebyeXyzHead *head, GError **error)
{
  do {
    if (!debye_line_reader_next(lines, error))
      return FALSE;
  } while (debye_text_line_is_blank(lines));
  head->offset = lines->offset;
  if (!read_count(lines, &head->n_atoms, error) || !debye_text_require_line(lines, "a comment", error))
    return FALSE;
  g_autofree char *reason = NULL;
  if (debye_xyz_properties_read(&head->properties, lines->text, lines->length, &reason))
    return TRUE;
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "%s", reason);
  return FALSE;
}

gboolean
debye_xyz_require_head(DebyeLineReader *lines, DebyeXyzHead *head, GError **error)
{
  GError *problem = NULL;
  if (debye_xyz_read_head(lines, head, &problem))
    return TRUE;
  if (problem == NULL)
    debye_text_set_truncated(lines, error, "the number of atoms");
  else
    g_propagate_error(error, problem);
  return FALSE;
}

/* Splits an atom's line, which must have the columns that the comment promises. */
static gboolean
split_atom(const DebyeLineReader *lines, const DebyeXyzProperties *properties, DebyeTextField *words,
           GError **error)
{
  gsize needed = (gsize)properties->n_columns;
  gsize n = debye_text_split(lines->text, lines->length, words, MIN(needed, DEBYE_XYZ_MAX_FIELDS));
  if (n == needed)
    return TRUE;
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                              "expected an atom with %" G_GSIZE_FORMAT " fields, found %" G_GSIZE_FORMAT,
                              needed, n);
  return FALSE;
}

gboolean
debye_xyz_require_next_atom(DebyeLineReader *lines, const DebyeXyzProperties *properties,
                            DebyeTextField *words, GError **error)
{
  return debye_text_require_line(lines, "an atom", error) && split_atom(lines, properties, words, error);
}

static double
read_column(const DebyeTextField *words, int column)
{
  double value;
  if (column < 0 || !debye_text_to_double(words[column].text, words[column].length, &value) ||
      !isfinite(value))
    return NAN;
  return value;
}

int
debye_xyz_read_atomic_number(const DebyeTextField *words, const DebyeXyzProperties *properties)
{
  int columns[] = {properties->atomic_number, properties->species};
  for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
    gint64 number;
    if (columns[i] >= 0 && debye_text_to_int(words[columns[i]].text, words[columns[i]].length, &number) &&
        number >= 0 && number < DEBYE_N_ELEMENTS)
      return (int)number;
  }
  return -1;
}

void
debye_xyz_add_atom(DebyeTopologyBuilder *builder, const DebyeXyzProperties *properties,
                   const DebyeTextField *words, gboolean all_symbols)
{
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.atomic_number = debye_xyz_read_atomic_number(words, properties);
  atom.mass = read_column(words, properties->mass);
  atom.charge = read_column(words, properties->charge);
  if (properties->species >= 0 && debye_text_is_number(words[properties->species])) {
    atom.name = debye_element_get((guint8)MAX(atom.atomic_number, 0))->symbol;
  } else if (properties->species >= 0) {
    atom.name = words[properties->species].text;
    atom.name_length = (gssize)words[properties->species].length;
    atom.element = all_symbols ? atom.name : NULL;
    atom.element_length = atom.name_length;
  }
  debye_topology_builder_add_atom(builder, &atom);
}
