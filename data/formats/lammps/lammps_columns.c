/* SPDX-License-Identifier: MIT */
/* Finds the columns of a dump by their names; called by lammps_dump.c. */
#include "lammps_dump.h"

#include <string.h>

#include "data/messages/message.h"

static const char *const names[DEBYE_LAMMPS_N_FIELDS] = {
    [DEBYE_LAMMPS_ID] = "id",
    [DEBYE_LAMMPS_TYPE] = "type",
    [DEBYE_LAMMPS_TYPE_LABEL] = "typelabel",
    [DEBYE_LAMMPS_MOLECULE] = "mol",
    [DEBYE_LAMMPS_ELEMENT] = "element",
    [DEBYE_LAMMPS_MASS] = "mass",
    [DEBYE_LAMMPS_CHARGE] = "q",
    [DEBYE_LAMMPS_RADIUS] = "radius",
    [DEBYE_LAMMPS_DIAMETER] = "diameter",
    [DEBYE_LAMMPS_VX] = "vx",
    [DEBYE_LAMMPS_VY] = "vy",
    [DEBYE_LAMMPS_VZ] = "vz",
};

/* Behind x, y and z. */
static const char *const kinds[] = {"", "s", "u", "su"};

static gboolean
is_coordinate(DebyeTextField word, int axis, const char *kind)
{
  return word.length == 1 + strlen(kind) && word.text[0] == "xyz"[axis] &&
         memcmp(word.text + 1, kind, word.length - 1) == 0;
}

/* The column of one coordinate; `n` where there is none. */
static gsize
find_coordinate(const DebyeTextField *words, gsize n, int axis, const char *kind)
{
  gsize column = 0;
  while (column < n && !is_coordinate(words[column], axis, kind))
    column++;
  return column;
}

static gboolean
choose_coordinates(DebyeLammpsColumns *columns, const DebyeTextField *words, gsize n)
{
  for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
    gsize at[3];
    for (int axis = 0; axis < 3; axis++)
      at[axis] = find_coordinate(words, n, axis, kinds[k]);
    if (at[0] == n || at[1] == n || at[2] == n)
      continue;
    for (int axis = 0; axis < 3; axis++)
      columns->fields[at[axis]] = (guint8)(DEBYE_LAMMPS_X + axis);
    columns->is_scaled = kinds[k][0] == 's';
    return TRUE;
  }
  return FALSE;
}

static void
note_field(DebyeLammpsColumns *columns, DebyeTextField word, gsize column)
{
  for (int field = 1; field < DEBYE_LAMMPS_N_FIELDS; field++)
    if (names[field] != NULL && !columns->has[field] && debye_text_field_is(word, names[field])) {
      columns->fields[column] = (guint8)field;
      columns->has[field] = TRUE;
    }
}

/* Velocities count as all three. */
static gboolean
is_used(const DebyeLammpsColumns *columns, gsize column)
{
  DebyeLammpsField field = columns->fields[column];
  gboolean is_velocity = field >= DEBYE_LAMMPS_VX && field <= DEBYE_LAMMPS_VZ;
  if (is_velocity)
    return columns->has[DEBYE_LAMMPS_VX] && columns->has[DEBYE_LAMMPS_VY] && columns->has[DEBYE_LAMMPS_VZ];
  return field != DEBYE_LAMMPS_UNUSED;
}

#define NAMES_LISTED 12 /* a remark is one line */

char *
debye_lammps_columns_list_unused(const DebyeLammpsColumns *columns, const char *text, gsize length)
{
  DebyeTextField words[DEBYE_LAMMPS_MAX_COLUMNS];
  gsize n = debye_text_split(text, length, words, DEBYE_LAMMPS_MAX_COLUMNS), n_unused = 0;
  g_autoptr(GString) list = g_string_new(NULL);
  for (gsize column = 0; column < MIN(n, columns->n_columns); column++) {
    if (is_used(columns, column) || n_unused++ >= NAMES_LISTED)
      continue;
    g_string_append_len(list, " ", list->len > 0 ? 1 : 0);
    g_string_append_len(list, words[column].text, (gssize)words[column].length);
  }
  if (n_unused == 0)
    return NULL;
  g_autofree char *quoted = debye_text_quote((DebyeTextField){list->str, list->len});
  return n_unused > NAMES_LISTED ? debye_message_new("%s …", quoted) : g_steal_pointer(&quoted);
}

/* Dumps of before 2009 say nothing; style "atom" was the only one then, with image flags or without. */
static const char oldest_names[] = "id type xs ys zs";

gboolean
debye_lammps_columns_read(DebyeLammpsColumns *columns, const char *text, gsize length, char **reason)
{
  DebyeTextField words[DEBYE_LAMMPS_MAX_COLUMNS];
  gsize n = debye_text_split(text, length, words, DEBYE_LAMMPS_MAX_COLUMNS);
  if (n == 0)
    n = debye_text_split(oldest_names, strlen(oldest_names), words, DEBYE_LAMMPS_MAX_COLUMNS);
  *columns = (DebyeLammpsColumns){.n_columns = n};
  for (gsize column = 0; column < n; column++)
    note_field(columns, words[column], column);
  if (choose_coordinates(columns, words, n))
    return TRUE;
  g_autofree char *found = debye_text_quote((DebyeTextField){text, length});
  *reason = debye_message_new("expected columns x y z, xs ys zs, xu yu zu or xsu ysu zsu, found %s", found);
  return FALSE;
}
