/* SPDX-License-Identifier: MIT */
/* The beginning of a frame in a LAMMPS dump: its ITEMs up to the atoms, and which column of those means what.
 */
#pragma once

#include "lammps_box.h"
#include "lammps_units.h"
#include "data/files/text_fields.h"

/* What a column is for. The coordinates and velocities follow one another. */
typedef enum {
  DEBYE_LAMMPS_UNUSED,
  DEBYE_LAMMPS_ID,
  DEBYE_LAMMPS_TYPE,
  DEBYE_LAMMPS_TYPE_LABEL,
  DEBYE_LAMMPS_MOLECULE,
  DEBYE_LAMMPS_ELEMENT,
  DEBYE_LAMMPS_MASS,
  DEBYE_LAMMPS_CHARGE,
  DEBYE_LAMMPS_RADIUS,
  DEBYE_LAMMPS_DIAMETER,
  DEBYE_LAMMPS_X,
  DEBYE_LAMMPS_Y,
  DEBYE_LAMMPS_Z,
  DEBYE_LAMMPS_VX,
  DEBYE_LAMMPS_VY,
  DEBYE_LAMMPS_VZ,
  DEBYE_LAMMPS_N_FIELDS,
} DebyeLammpsField;

#define DEBYE_LAMMPS_MAX_COLUMNS 256 /* further ones are not looked at */

typedef struct {
  gsize n_columns;
  guint8 fields[DEBYE_LAMMPS_MAX_COLUMNS]; /* DebyeLammpsField */
  gboolean has[DEBYE_LAMMPS_N_FIELDS];
  gboolean is_scaled; /* coordinates are fractions of the box */
} DebyeLammpsColumns;

/* From the names behind "ITEM: ATOMS". Of several kinds of coordinates the plain ones are taken, then scaled,
 * unwrapped, scaled unwrapped ones, all three of one kind. FALSE with the reason. */
gboolean debye_lammps_columns_read(DebyeLammpsColumns *columns, const char *names, gsize length,
                                   char **reason);

/* The names of columns that nothing is read from, with blanks between them: “fx fy fz”. NULL: there are none. */
char *debye_lammps_columns_list_unused(const DebyeLammpsColumns *columns, const char *names, gsize length);

typedef struct {
  guint64 offset; /* of the first ITEM */
  gsize n_atoms;
  gint64 step;        /* -1: unknown */
  double time;        /* ps; NAN: unknown */
  DebyeLammpsBox box; /* Å */
  gboolean is_periodic[3];
  DebyeLammpsColumns columns;
  const DebyeLammpsUnits *units; /* NULL: not stated */
} DebyeLammpsDumpHead;

/* Reads up to the line before the first atom. Units are stated in a file's first frame only, so `head` keeps
 * those of the frame before. FALSE without an error at the end of the file. */
gboolean debye_lammps_dump_read_head(DebyeLineReader *lines, DebyeLammpsDumpHead *head, GError **error);
/* What stands behind "ITEM: ATOMS" in the line that debye_lammps_dump_read_head stopped at. */
DebyeTextField debye_lammps_dump_get_column_names(const DebyeLineReader *lines);
/* Those of the head, or the default. */
const DebyeLammpsUnits *debye_lammps_dump_get_units(const DebyeLammpsDumpHead *head);

static inline gboolean
debye_lammps_is_item(const char *line, gsize length)
{
  return length >= 5 && line[0] == 'I' && line[1] == 'T' && line[2] == 'E' && line[3] == 'M' &&
         line[4] == ':';
}
