/* SPDX-License-Identifier: MIT */
/* The atoms of a dump whose frames hold different ones, as atoms are deposited, evaporate or react: those of any
 * frame, found by their ids or by their labels; and rows of atoms. Private to the reader of dumps. */
#pragma once

#include "data/formats/atom_labels.h"
#include "lammps_atoms.h"
#include "lammps_dump.h"
#include "lammps_ids.h"

/* At the row where an atom is met first. */
typedef gboolean (*DebyeLammpsNewAtomFunc)(const DebyeLineReader *lines, const DebyeLammpsDumpHead *head,
                                           gpointer data, GError **error);

typedef struct {
  gsize n_frames;              /* that are looked at, at most */
  gsize n_atoms;               /* that are enough */
  DebyeLammpsNewAtomFunc take; /* NULL: only the ids are wanted */
  gpointer data;
  DebyeProgressFunc progress; /* NULL: nobody asks */
  gpointer progress_data;
} DebyeLammpsUnion;

/* The ids of all atoms and their number; NULL with an error: a frame without ids, a row that is none. */
DebyeLammpsIds *debye_lammps_union_find(const DebyeLammpsUnion *wanted, DebyeInput *input, gsize *n_atoms,
                                        GError **error);

/* The same of a dump without ids: atoms are counted by type and order. NULL with an error. */
DebyeAtomLabels *debye_lammps_union_find_labels(const DebyeLammpsUnion *wanted, DebyeInput *input,
                                                GError **error);

/* The next field of an atom's line, which must be there. */
gboolean debye_lammps_require_field(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                                    const char **cursor, gsize column, DebyeTextField *field, GError **error);
/* The id of an atom's line, whose columns have one. */
gboolean debye_lammps_read_id(const DebyeLineReader *lines, const DebyeLammpsColumns *columns, gint64 *id,
                              GError **error);

/* What atoms of an atom's kind are called: its type, or its element; empty where no column says. */
gboolean debye_lammps_read_label(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                                 DebyeTextField *label, GError **error);

/* Adds the atom of the current line with its names, mass and charge. FALSE with an error. */
gboolean debye_lammps_row_read(const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                               DebyeLammpsAtoms *atoms, GError **error);
