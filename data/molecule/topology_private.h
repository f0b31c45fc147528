/* SPDX-License-Identifier: MIT */
/* The columns of a topology, which topology.c, topology_copy.c, topology_builder.c and table_charges.c share. */
#pragma once

#include "topology.h"

/* Everything but the bonds. Immutable once a topology holds it, so that copies with other bonds share it. */
typedef struct {
  gsize n_atoms, n_residues;
  DebyeStringPool *pool;
  char *title;
  DebyeCell cell; /* all zero: none */
  guint32 *names, *types, *residues;
  guint8 *elements, *element_sources;
  float *masses;
  float *charges, *radii, *occupancies, *b_factors;
  gint32 *serials;
  guint32 *altlocs;
  guint8 *counted; /* NULL: all */
  DebyeResidue *residue_table;
  char **warnings;
} DebyeTopologyColumns;

/* Zeroed and reference-counted; a pool is made when NULL is given. */
DebyeTopologyColumns *debye_topology_columns_new(DebyeStringPool *pool);
void debye_topology_columns_unref(DebyeTopologyColumns *columns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTopologyColumns, debye_topology_columns_unref)

/* Its own, which others may share. */
DebyeTopologyColumns *debye_topology_peek_columns(DebyeTopology *self);
/* Takes the columns and the bonds, which are sorted and distinct here. */
DebyeTopology *debye_topology_new_take(DebyeTopologyColumns *columns, DebyeBond *bonds, gsize n_bonds);
