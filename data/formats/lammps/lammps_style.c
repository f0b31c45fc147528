/* SPDX-License-Identifier: MIT */
/* The atom styles of LAMMPS' manual (page "read_data", section Atoms) and their columns; used by
 * lammps_data_atoms.c. */
#include "lammps_style.h"

#include <string.h>

/* "x:3" are three columns. Names matter only to find those that Debye reads, and where a hybrid style has one
 * from two of its styles. */
static const struct {
  const char *name, *columns;
} styles[] = {
    {"amoeba", "id mol type q x:3"},
    {"angle", "id mol type x:3"},
    {"atomic", "id type x:3"},
    {"body", "id type body mass x:3"},
    {"bond", "id mol type x:3"},
    {"bpm/sphere", "id mol type diameter density x:3"},
    {"charge", "id type q x:3"},
    {"dielectric", "id mol type q x:3 normal:3 area ed em epsilon curvature"},
    {"dipole", "id type q x:3 mu:3"},
    {"dpd", "id type theta x:3"},
    {"edpd", "id type temperature cv x:3"},
    {"electron", "id type q spin eradius x:3"},
    {"ellipsoid", "id type ellipsoid density x:3"},
    {"full", "id mol type q x:3"},
    {"line", "id mol type line density x:3"},
    {"mdpd", "id type rho x:3"},
    {"molecular", "id mol type x:3"},
    {"oxdna", "id type x:3"},
    {"peri", "id type volume density x:3"},
    {"rheo", "id type status rho x:3"},
    {"rheo/thermal", "id type status rho energy x:3"},
    {"smd", "id type mol volume mass kradius cradius x0:3 x:3"},
    {"sph", "id type rho energy cv x:3"},
    {"sphere", "id type diameter density x:3"},
    {"spin", "id type x:3 spin:4"},
    {"template", "id mol template template-atom type x:3"},
    {"tri", "id mol type tri density x:3"},
    {"wavepacket", "id type q spin eradius etag cs:2 x:3"},
};

static const char *
find_columns(DebyeTextField name)
{
  for (gsize i = 0; i < G_N_ELEMENTS(styles); i++)
    if (debye_text_field_is(name, styles[i].name))
      return styles[i].columns;
  return NULL;
}

/* --- From the hint --- */

/* A word of a table's row, and how many columns it stands for. */
static DebyeTextField
split_count(DebyeTextField word, gsize *count)
{
  const char *colon = memchr(word.text, ':', word.length);
  *count = colon != NULL ? (gsize)(colon[1] - '0') : 1;
  return colon != NULL ? (DebyeTextField){word.text, (gsize)(colon - word.text)} : word;
}

typedef struct {
  DebyeTextField names[DEBYE_LAMMPS_MAX_FIELDS];
  gsize n_names;
} Names;

static gboolean
is_new(Names *names, DebyeTextField name)
{
  for (gsize i = 0; i < names->n_names; i++)
    if (names->names[i].length == name.length && memcmp(names->names[i].text, name.text, name.length) == 0)
      return FALSE;
  names->names[names->n_names++] = name;
  return TRUE;
}

/* Appends the columns that aren't there yet. */
static void
add_columns(DebyeLammpsStyle *style, Names *names, const char *columns)
{
  DebyeTextField words[16];
  gsize n = debye_text_split(columns, strlen(columns), words, G_N_ELEMENTS(words));
  for (gsize i = 0; i < n; i++) {
    gsize count;
    DebyeTextField name = split_count(words[i], &count);
    if (names->n_names == DEBYE_LAMMPS_MAX_FIELDS || !is_new(names, name))
      continue;
    int column = (int)style->n_columns;
    if (debye_text_field_is(name, "id"))
      style->id = column;
    else if (debye_text_field_is(name, "mol"))
      style->molecule = column;
    else if (debye_text_field_is(name, "type"))
      style->type = column;
    else if (debye_text_field_is(name, "q"))
      style->charge = column;
    else if (debye_text_field_is(name, "x"))
      style->position = column;
    style->n_columns += count;
  }
}

gboolean
debye_lammps_style_from_hint(DebyeLammpsStyle *style, DebyeTextField hint)
{
  DebyeTextField words[9];
  Names names = {.n_names = 0};
  gsize n = debye_text_split(hint.text, hint.length, words, G_N_ELEMENTS(words));
  *style = (DebyeLammpsStyle){.id = -1, .type = -1, .molecule = -1, .charge = -1, .position = -1};
  gboolean is_hybrid = n >= 2 && debye_text_field_is(words[0], "hybrid");
  if (n == 0 || (n == 1 && find_columns(words[0]) == NULL))
    return FALSE;
  /* A hybrid's rows begin with what all styles have, and go on with what each adds. */
  if (is_hybrid)
    add_columns(style, &names, "id type x:3");
  for (gsize i = is_hybrid ? 1 : 0; i < (is_hybrid ? n : 1); i++) {
    const char *columns = find_columns(words[i]);
    if (columns == NULL)
      return FALSE;
    add_columns(style, &names, columns);
  }
  return style->n_columns + 3 <= DEBYE_LAMMPS_MAX_FIELDS;
}

/* --- From the rows --- */

static gboolean
is_type(DebyeTextField field, gsize n_types, gboolean has_labels)
{
  gint64 type;
  if (!debye_text_to_int(field.text, field.length, &type))
    return has_labels && !debye_text_is_number(field);
  return type >= 1 && (guint64)type <= n_types;
}

gboolean
debye_lammps_style_fits(const DebyeLammpsStyle *style, const DebyeTextField *fields, gsize n, gsize n_types,
                        gboolean has_labels)
{
  if ((n != style->n_columns && n != style->n_columns + 3) || !debye_text_is_integer(fields[style->id]) ||
      !is_type(fields[style->type], n_types, has_labels) ||
      (style->molecule >= 0 && !debye_text_is_integer(fields[style->molecule])))
    return FALSE;
  for (gsize i = style->n_columns; i < n; i++)
    if (!debye_text_is_integer(fields[i]))
      return FALSE;
  for (int axis = 0; axis < 3; axis++)
    if (!debye_text_is_number(fields[style->position + axis]))
      return FALSE;
  return TRUE;
}

const char *const *
debye_lammps_style_list_likely(void)
{
  static const char *const likely[] = {"full",   "molecular", "charge", "atomic",
                                       "dipole", "sphere",    "spin",   NULL};
  return likely;
}
