/* SPDX-License-Identifier: MIT */
/* Parses the comment line of extended XYZ for format_xyz.c: KEY=VALUE, KEY="VALUE", KEY={VALUE} or KEY, with
 * blanks between. */
#include "xyz_properties.h"

#include <string.h>

#include "data/messages/message.h"

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

gboolean
debye_xyz_properties_read(DebyeXyzProperties *properties, const char *comment, gsize length, char **reason)
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
