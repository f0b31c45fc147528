/* SPDX-License-Identifier: MIT */
/* Reads the beginnings of XYZ frames and the rows of their atoms; called by format_xyz.c. */
#include "xyz_rows.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/tables/elements.h"

/* --- The comment of extended XYZ: KEY=VALUE, KEY="VALUE", KEY={VALUE} or KEY, with blanks between --- */

/* The next pair; `value` is empty for a bare key. */
static gboolean
next_pair(const char **cursor, const char *end, DebyeTextField *key, DebyeTextField *value)
{
  const char *c = *cursor;
  while (c < end && g_ascii_isspace(*c))
    c++;
  key->text = c;
  while (c < end && !g_ascii_isspace(*c) && *c != '=')
    c++;
  key->length = (gsize)(c - key->text);
  *value = (DebyeTextField){c, 0};
  if (c < end && *c == '=') {
    c++;
    char close = c < end && *c == '{' ? '}' : c < end && (*c == '"' || *c == '\'') ? *c : '\0';
    c += close != '\0';
    value->text = c;
    while (c < end && (close != '\0' ? *c != close : !g_ascii_isspace(*c)))
      c++;
    value->length = (gsize)(c - value->text);
    c += close != '\0' && c < end;
  }
  *cursor = c;
  return c > key->text;
}

static gboolean
key_is(DebyeTextField key, const char *name)
{
  return strlen(name) == key.length && g_ascii_strncasecmp(key.text, name, key.length) == 0;
}

/* Nine numbers, the vectors one after the other, or three edges. */
static gboolean
read_lattice(DebyeXyzProperties *properties, DebyeTextField value)
{
  DebyeTextField words[10];
  double n[9];
  gsize count = debye_text_split(value.text, value.length, words, G_N_ELEMENTS(words));
  if (count != 9 && count != 3)
    return FALSE;
  for (gsize i = 0; i < count; i++)
    if (!debye_text_to_double(words[i].text, words[i].length, &n[i]))
      return FALSE;
  properties->cell = count == 9 ? (DebyeCell){{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}}
                                : (DebyeCell){{n[0], 0.0, 0.0}, {0.0, n[1], 0.0}, {0.0, 0.0, n[2]}};
  properties->has_cell = debye_cell_is_valid(&properties->cell);
  return TRUE;
}

static void
note_column(DebyeXyzProperties *properties, DebyeTextField name, char kind, gint64 count)
{
  int column = properties->n_columns;
  if (key_is(name, "species") && count == 1)
    properties->species = column;
  else if (key_is(name, "pos") && kind == 'R' && count == 3)
    properties->position = column;
  else if (key_is(name, "Z") && kind == 'I' && count == 1)
    properties->atomic_number = column;
  else if ((key_is(name, "mass") || key_is(name, "masses")) && kind == 'R' && count == 1)
    properties->mass = column;
  else if ((key_is(name, "charge") || key_is(name, "charges") || key_is(name, "initial_charges")) &&
           kind == 'R' && count == 1)
    properties->charge = column;
}

/* name:kind:count, again and again, with kinds S, R, I and L. */
static gboolean
read_columns(DebyeXyzProperties *properties, DebyeTextField value)
{
  const gint64 max_columns = 1000;
  g_autofree char *text = g_strndup(value.text, value.length);
  g_auto(GStrv) parts = g_strsplit(text, ":", -1);
  guint n = g_strv_length(parts);
  *properties = (DebyeXyzProperties){
      -1, -1, -1, -1, -1, .cell = properties->cell, .has_cell = properties->has_cell, .n_columns = 0};
  if (n == 0 || n % 3 != 0)
    return FALSE;
  for (guint i = 0; i < n; i += 3) {
    gint64 count;
    if (strlen(parts[i + 1]) != 1 || strchr("SRIL", parts[i + 1][0]) == NULL ||
        !debye_text_to_int(parts[i + 2], strlen(parts[i + 2]), &count) || count < 1 || count > max_columns)
      return FALSE;
    note_column(properties, (DebyeTextField){parts[i], strlen(parts[i])}, parts[i + 1][0], count);
    properties->n_columns += (int)count;
    if (properties->n_columns > max_columns)
      return FALSE;
  }
  return properties->position >= 0 && (properties->species >= 0 || properties->atomic_number >= 0);
}

static gboolean
has_periodic_direction(DebyeTextField value)
{
  return value.length == 0 || memchr(value.text, 'T', value.length) != NULL ||
         memchr(value.text, 't', value.length) != NULL || memchr(value.text, '1', value.length) != NULL;
}

/* What a plain file has, where the comment says nothing. FALSE where it contradicts itself, with the reason. */
static gboolean
read_properties(DebyeXyzProperties *properties, const char *comment, gsize length, char **reason)
{
  const char *cursor = comment;
  DebyeTextField key, value;
  gboolean is_periodic = TRUE;
  *properties = (DebyeXyzProperties){
      .species = 0, .position = 1, .atomic_number = -1, .mass = -1, .charge = -1, .n_columns = 4};
  while (next_pair(&cursor, comment + length, &key, &value)) {
    const char *expected = NULL;
    if (key_is(key, "Lattice") && !read_lattice(properties, value))
      expected = N_("nine numbers in Lattice");
    else if (key_is(key, "Properties") && !read_columns(properties, value))
      expected = N_("name:kind:count with species and pos in Properties");
    else if (key_is(key, "pbc"))
      is_periodic = has_periodic_direction(value);
    if (expected == NULL)
      continue;
    g_autofree char *found = debye_text_quote(value);
    *reason = debye_message_new("expected %s, found %s", expected, found);
    return FALSE;
  }
  properties->has_cell = properties->has_cell && is_periodic;
  return TRUE;
}

/* --- Frames --- */

/* "X 0 0 0" and its end: no atom takes less. */
#define LEAST_BYTES_OF_ATOM 8

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
  if (read_properties(&head->properties, lines->text, lines->length, &reason))
    return TRUE;
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "%s", reason);
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
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_SYNTAX,
      "expected an atom with %" G_GSIZE_FORMAT " fields, found %" G_GSIZE_FORMAT, needed, n);
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
