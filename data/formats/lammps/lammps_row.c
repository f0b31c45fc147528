/* SPDX-License-Identifier: MIT */
/* Reads what a row of a dump says of its atom besides where it is; called by format_lammps_dump.c. */
#include "lammps_row.h"

#include <math.h>

#include "lammps_union.h"

static guint32
add_text(DebyeLammpsAtoms *atoms, DebyeTextField field)
{
  return debye_string_pool_add(atoms->pool, field.text, (gssize)field.length);
}

static gboolean
read_property(const DebyeLineReader *lines, DebyeLammpsField which, DebyeTextField field,
              DebyeLammpsAtoms *atoms, DebyeLammpsAtom *atom, GError **error)
{
  gint64 integer;
  double number;
  switch (which) {
  case DEBYE_LAMMPS_ID:
    return debye_text_require_int(lines, field, "the id", &atom->id, error);
  case DEBYE_LAMMPS_MOLECULE:
    if (!debye_text_require_int(lines, field, "the molecule", &integer, error))
      return FALSE;
    atom->molecule = (gint32)CLAMP(integer, G_MININT32, G_MAXINT32);
    return TRUE;
  case DEBYE_LAMMPS_TYPE:
    /* A label says more, whichever column comes first. */
    atom->type = atom->type != 0 ? atom->type : add_text(atoms, field);
    return TRUE;
  case DEBYE_LAMMPS_TYPE_LABEL:
    atom->type = atom->name = add_text(atoms, field);
    return TRUE;
  case DEBYE_LAMMPS_ELEMENT:
    atom->element = add_text(atoms, field);
    return TRUE;
  case DEBYE_LAMMPS_MASS:
    if (!debye_text_require_double(lines, field, "the mass", &number, error))
      return FALSE;
    atom->mass = (float)number;
    return TRUE;
  case DEBYE_LAMMPS_CHARGE:
    if (!debye_text_require_double(lines, field, "the charge", &number, error))
      return FALSE;
    atom->charge = (float)number;
    return TRUE;
  case DEBYE_LAMMPS_RADIUS:
  case DEBYE_LAMMPS_DIAMETER:
    if (!debye_text_require_double(lines, field, "the radius", &number, error))
      return FALSE;
    atom->radius = (float)(which == DEBYE_LAMMPS_DIAMETER ? 0.5 * number : number);
    return TRUE;
  default:
    return TRUE;
  }
}

gboolean
debye_lammps_row_read(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                      DebyeLammpsAtoms *atoms, GError **error)
{
  DebyeLammpsAtom atom = {.mass = NAN, .charge = NAN, .radius = NAN};
  const char *cursor = lines->text;
  for (gsize column = 0; column < columns->n_columns; column++) {
    DebyeTextField field;
    if (!debye_lammps_require_field(lines, columns, &cursor, column, &field, error) ||
        !read_property(lines, columns->fields[column], field, atoms, &atom, error))
      return FALSE;
  }
  g_array_append_val(atoms->atoms, atom);
  return TRUE;
}
