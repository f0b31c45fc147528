/* SPDX-License-Identifier: MIT */
/* The atoms of a LAMMPS file, collected in the file's order and put into a topology in that of their ids. */
#pragma once

#include "lammps_ids.h"
#include "lammps_units.h"
#include "data/molecule/topology.h"

/* Texts are codes of the pool; 0: not given. */
typedef struct {
  gint64 id;
  guint32 type, name, element;
  gint32 molecule;
  float mass, charge, radius; /* as in the file; NAN: not given */
} DebyeLammpsAtom;

typedef struct {
  GArray *atoms; /* DebyeLammpsAtom */
  DebyeStringPool *pool;
  gboolean has_ids, has_molecules;
  const guint8 *n_bonds;   /* of each atom by ascending id; NULL: the file has no bonds */
  const gint32 *molecules; /* of each atom by ascending id, in place of the file's; NULL: the file's own */
} DebyeLammpsAtoms;

void debye_lammps_atoms_init(DebyeLammpsAtoms *atoms);
void debye_lammps_atoms_clear(DebyeLammpsAtoms *atoms);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeLammpsAtoms, debye_lammps_atoms_clear)

/* The ids' numbers; NULL with the id that comes twice. */
DebyeLammpsIds *debye_lammps_atoms_make_ids(const DebyeLammpsAtoms *atoms, gint64 *twice);
/* Sorts the atoms by id and adds them. `units` NULL: the file doesn't say, and the default is taken. */
void debye_lammps_atoms_build(DebyeLammpsAtoms *atoms, const DebyeLammpsUnits *units,
                              DebyeTopologyBuilder *builder);
