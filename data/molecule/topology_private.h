/* SPDX-License-Identifier: MIT */
/* The columns of a topology, which topology.c, topology_copy.c, topology_builder.c and table_charges.c share. */
#pragma once

#include "topology.h"

/* A value an atom each, all NULL where no file has them but names, types, residues, elements and masses; counted NULL: all
 * do. Each has a function debye_topology_get_NAME. */
#define DEBYE_TOPOLOGY_COLUMNS(COLUMN) \
  COLUMN(guint32, names)               \
  COLUMN(guint32, types)               \
  COLUMN(guint32, residues)            \
  COLUMN(guint8, elements)             \
  COLUMN(guint8, element_sources)      \
  COLUMN(float, masses)                \
  COLUMN(float, charges)               \
  COLUMN(float, radii)                 \
  COLUMN(float, occupancies)           \
  COLUMN(float, b_factors)             \
  COLUMN(gint32, serials)              \
  COLUMN(guint32, altlocs)             \
  COLUMN(guint8, counted)

/* Everything but the bonds. Immutable once a topology holds it, so that copies with other bonds share it. */
typedef struct {
  gsize n_atoms, n_residues;
  DebyeStringPool *pool;
  char *title;
  DebyeCell cell; /* all zero: none */
#define MEMBER(Type, name) Type *name;
  DEBYE_TOPOLOGY_COLUMNS(MEMBER)
#undef MEMBER
  DebyeResidue *residue_table;
  char **warnings;
} DebyeTopologyColumns;

/* Zeroed and reference-counted; a pool is made when NULL is given. */
DebyeTopologyColumns *debye_topology_columns_new(DebyeStringPool *pool);
void debye_topology_columns_unref(DebyeTopologyColumns *columns);

/* Its own, which others may share. */
DebyeTopologyColumns *debye_topology_peek_columns(DebyeTopology *self);
/* Takes the columns and the bonds, which are sorted and distinct here. */
DebyeTopology *debye_topology_new_take(DebyeTopologyColumns *columns, DebyeBond *bonds, gsize n_bonds);
