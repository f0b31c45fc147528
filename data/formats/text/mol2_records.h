/* SPDX-License-Identifier: MIT */
/* Tripos Mol2 by its record types: molecules one after the other, each with counts, atoms, bonds,
 * substructures and perhaps a crystal's cell. */
#pragma once

#include "data/geometry.h"
#include "data/files/text_fields.h"

typedef struct {
  guint64 offset; /* of its @<TRIPOS>MOLECULE */
  gsize n_atoms, n_bonds;
  gsize n_atoms_found, n_bonds_found;
  gboolean has_charges; /* its charge type isn't NO_CHARGES */
  DebyeCell cell;       /* Å */
  gboolean has_cell;
  char *name;
} DebyeMol2Molecule;

void debye_mol2_molecule_clear(DebyeMol2Molecule *molecule);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeMol2Molecule, debye_mol2_molecule_clear)

/* What is done with a row; NULL: it is passed. */
typedef gboolean (*DebyeMol2RowFunc)(const DebyeLineReader *lines, const DebyeTextField *fields,
                                     gsize n_fields, gpointer data, GError **error);

typedef struct {
  DebyeMol2RowFunc atom; /* at least 6 fields: id, name, x, y, z, type, residue's id, its name, charge */
  DebyeMol2RowFunc bond; /* at least 4: id, two atoms, type */
  DebyeMol2RowFunc substructure; /* at least 2: id, name, root, type, dictionary, chain, residue's type */
} DebyeMol2Rows;

/* Goes through a file molecule by molecule. */
typedef struct {
  DebyeLineReader *lines;
  gboolean at_molecule; /* the line is the heading of the next one */
} DebyeMol2Reader;

/* Reads one molecule; the sections before the first are passed. FALSE without an error at the end. */
gboolean debye_mol2_read_molecule(DebyeMol2Reader *reader, DebyeMol2Molecule *molecule,
                                  const DebyeMol2Rows *rows, gpointer data, GError **error);

/* SYBYL's types are an element and, behind a dot, a hybridisation: "C.ar", "N.pl3", "Cl", "Du"
 * (element 0). FALSE: it is another program's, as AMBER's, whose "CA" is no calcium: case tells, for
 * SYBYL writes "Ca". Then no type of the molecule is SYBYL's. */
gboolean debye_mol2_parse_type(DebyeTextField type, guint8 *element);

#define DEBYE_MOL2_HEADING "@<TRIPOS>"
