/* SPDX-License-Identifier: MIT */
/* Reads the ITEMs at the beginning of a dump's frame; called by format_lammps_dump.c. */
#include "lammps_dump.h"

#include "data/files/error.h"

#include <string.h>

/* Three coordinates of one digit, and what separates them. */
#define LEAST_BYTES_OF_ATOM 6

const DebyeLammpsUnits *
debye_lammps_dump_get_units(const DebyeLammpsDumpHead *head)
{
  return head->units != NULL ? head->units : debye_lammps_units_get_default();
}

static gboolean
read_units(DebyeLineReader *lines, DebyeTextField rest, DebyeLammpsDumpHead *head, GError **error)
{
  (void)rest;
  if (!debye_text_require_line(lines, "the units", error))
    return FALSE;
  DebyeTextField name = debye_text_line(lines);
  head->units = debye_lammps_units_get(name.text, name.length);
  if (head->units != NULL)
    return TRUE;
  g_autofree char *found = debye_text_quote(name);
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                     "expected one of LAMMPS' units, found %s", found);
}

static gboolean
read_time(DebyeLineReader *lines, DebyeTextField rest, DebyeLammpsDumpHead *head, GError **error)
{
  (void)rest;
  double time;
  if (!debye_text_require_line(lines, "the time", error) ||
      !debye_text_require_double(lines, debye_text_line(lines), "the time", &time, error))
    return FALSE;
  head->time = time * debye_lammps_dump_get_units(head)->time;
  return TRUE;
}

static gboolean
read_step(DebyeLineReader *lines, DebyeTextField rest, DebyeLammpsDumpHead *head, GError **error)
{
  (void)rest;
  if (!debye_text_require_line(lines, "the time step", error))
    return FALSE;
  return debye_text_require_int(lines, debye_text_line(lines), "the time step", &head->step, error);
}

static gboolean
read_n_atoms(DebyeLineReader *lines, DebyeTextField rest, DebyeLammpsDumpHead *head, GError **error)
{
  (void)rest;
  return debye_text_require_line(lines, "the number of atoms", error) &&
         debye_text_require_count(lines, debye_text_line(lines), "atoms", LEAST_BYTES_OF_ATOM, &head->n_atoms,
                                  error);
}

static gboolean
read_box_line(DebyeLineReader *lines, gsize n_numbers, double *numbers, GError **error)
{
  DebyeTextField fields[4];
  if (!debye_text_require_line(lines, "the box", error))
    return FALSE;
  gsize n = debye_text_split(lines->text, lines->length, fields, n_numbers);
  for (gsize i = 0; i < n_numbers; i++) {
    DebyeTextField field = i < n ? fields[i] : (DebyeTextField){lines->text, 0};
    if (!debye_text_require_double(lines, field, "the box", &numbers[i], error))
      return FALSE;
  }
  return TRUE;
}

static DebyeLammpsBox
make_box(double n[3][4], gboolean is_general, gboolean is_tilted)
{
  if (is_general)
    return debye_lammps_box_from_vectors(
        debye_vec3(n[0][0], n[0][1], n[0][2]), debye_vec3(n[1][0], n[1][1], n[1][2]),
        debye_vec3(n[2][0], n[2][1], n[2][2]), debye_vec3(n[0][3], n[1][3], n[2][3]));
  const double low[3] = {n[0][0], n[1][0], n[2][0]}, high[3] = {n[0][1], n[1][1], n[2][1]};
  const double none[3] = {0.0, 0.0, 0.0}, tilt[3] = {n[0][2], n[1][2], n[2][2]};
  return debye_lammps_box_from_bounding_box(low, high, is_tilted ? tilt : none);
}

/* "xy xz yz pp pp ff", "abc origin pp pp pp", "pp pp pp" or nothing behind BOX BOUNDS. */
static gboolean
read_box(DebyeLineReader *lines, DebyeTextField rest, DebyeLammpsDumpHead *head, GError **error)
{
  DebyeTextField words[6];
  gsize n = debye_text_split(rest.text, rest.length, words, G_N_ELEMENTS(words));
  gboolean is_tilted = n >= 3 && debye_text_field_is(words[0], "xy");
  gboolean is_general = n >= 2 && debye_text_field_is(words[0], "abc");
  gsize first = is_tilted ? 3 : is_general ? 2 : 0;
  for (gsize axis = 0; axis < 3; axis++)
    head->is_periodic[axis] = first + axis >= n || words[first + axis].text[0] == 'p';

  double numbers[3][4];
  for (int i = 0; i < 3; i++)
    if (!read_box_line(lines, is_general ? 4 : is_tilted ? 3 : 2, numbers[i], error))
      return FALSE;
  head->box = debye_lammps_box_scale(make_box(numbers, is_general, is_tilted),
                                     debye_lammps_dump_get_units(head)->length);
  return TRUE;
}

static gboolean
read_columns(DebyeLineReader *lines, DebyeTextField rest, DebyeLammpsDumpHead *head, GError **error)
{
  g_autofree char *reason = NULL;
  if (head->n_atoms == G_MAXSIZE)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected ITEM: NUMBER OF ATOMS before the atoms, found none");
  if (debye_lammps_columns_read(&head->columns, rest.text, rest.length, &reason))
    return TRUE;
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "%s", reason);
}

typedef struct {
  const char *name;
  gboolean has_rest;
  gboolean (*read)(DebyeLineReader *lines, DebyeTextField rest, DebyeLammpsDumpHead *head, GError **error);
} Item;

static const Item items[] = {
    {"ATOMS", TRUE, read_columns},  {"TIMESTEP", FALSE, read_step}, {"NUMBER OF ATOMS", FALSE, read_n_atoms},
    {"BOX BOUNDS", TRUE, read_box}, {"UNITS", FALSE, read_units},   {"TIME", FALSE, read_time},
};

/* The item of the current line, with what stands behind its name. */
static const Item *
find_item(const DebyeLineReader *lines, DebyeTextField *rest)
{
  if (!debye_lammps_is_item(lines->text, lines->length))
    return NULL;
  DebyeTextField text = debye_text_columns(lines->text, lines->length, 5, lines->length);
  for (gsize i = 0; i < G_N_ELEMENTS(items); i++) {
    gsize n = strlen(items[i].name);
    if (text.length < n || memcmp(text.text, items[i].name, n) != 0)
      continue;
    *rest = debye_text_columns(text.text, text.length, n, text.length);
    if (rest->length == 0 || (items[i].has_rest && g_ascii_isspace(text.text[n])))
      return &items[i];
  }
  return NULL;
}

DebyeTextField
debye_lammps_dump_get_column_names(const DebyeLineReader *lines)
{
  return debye_text_columns(lines->text, lines->length, strlen("ITEM: ATOMS"), lines->length);
}

gboolean
debye_lammps_dump_read_head(DebyeLineReader *lines, DebyeLammpsDumpHead *head, GError **error)
{
  do {
    if (!debye_line_reader_next(lines, error))
      return FALSE;
  } while (debye_text_line_is_blank(lines));
  *head = (DebyeLammpsDumpHead){
      .offset = lines->offset, .n_atoms = G_MAXSIZE, .step = -1, .time = NAN, .units = head->units};
  for (;;) {
    DebyeTextField rest;
    const Item *item = find_item(lines, &rest);
    if (item == NULL) {
      g_autofree char *found = debye_text_quote(debye_text_line(lines));
      return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                         "expected an ITEM: of a frame's beginning, found %s", found);
    }
    if (!item->read(lines, rest, head, error))
      return FALSE;
    if (item->read == read_columns)
      return TRUE;
    if (!debye_text_require_line(lines, "ITEM: ATOMS", error))
      return FALSE;
  }
}
