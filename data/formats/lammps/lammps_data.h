/* SPDX-License-Identifier: MIT */
/* The frame of a LAMMPS data file: a title, a header of counts and a box, and sections of rows. */
#pragma once

#include "lammps_box.h"
#include "lammps_units.h"
#include "data/files/text_fields.h"

typedef struct {
  gsize n_atoms, n_bonds, n_types;
  DebyeLammpsBox box;            /* Å */
  const DebyeLammpsUnits *units; /* NULL: not stated */
} DebyeLammpsDataHeader;

typedef enum {
  DEBYE_LAMMPS_SECTION_NONE, /* not a section's heading */
  DEBYE_LAMMPS_SECTION_OTHER,
  DEBYE_LAMMPS_SECTION_ATOMS,
  DEBYE_LAMMPS_SECTION_VELOCITIES,
  DEBYE_LAMMPS_SECTION_MASSES,
  DEBYE_LAMMPS_SECTION_BONDS,
  DEBYE_LAMMPS_SECTION_TYPE_LABELS,
} DebyeLammpsSection;

/* The title's line must be next. Stops at the first section's heading, or at the end of the file. */
gboolean debye_lammps_data_read_header(DebyeLineReader *lines, DebyeLammpsDataHeader *header,
                                       DebyeLammpsSection *section, GError **error);
/* Which section the line begins. */
DebyeLammpsSection debye_lammps_data_get_section(const char *line, gsize length);
/* Goes on to the next heading; DEBYE_LAMMPS_SECTION_NONE at the end of the file. After a section whose rows
 * were all read, another row is an error. */
gboolean debye_lammps_data_next_section(DebyeLineReader *lines, DebyeLammpsSection *section, GError **error);

/* A line in front of its comment, and the comment without its #. */
DebyeTextField debye_lammps_data_get_content(const char *line, gsize length);
DebyeTextField debye_lammps_data_get_comment(const char *line, gsize length);

/* The fields of the next row, at least `n_least`; lines that are empty or a comment are passed. Returns their
 * number, 0 with an error. `what` is "an atom". */
gsize debye_lammps_data_next_row(DebyeLineReader *lines, const char *what, DebyeTextField *fields,
                                 gsize n_least, gsize capacity, GError **error);
