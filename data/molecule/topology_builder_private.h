/* SPDX-License-Identifier: MIT */
/* What a topology's builder has collected, for topology_builder.c, topology_append.c, topology_elements.c
 * and topology_residues.c. */
#pragma once

#include "topology.h"

typedef enum {
  DEBYE_COLUMN_CHARGE,
  DEBYE_COLUMN_RADIUS,
  DEBYE_COLUMN_OCCUPANCY,
  DEBYE_COLUMN_B_FACTOR,
  DEBYE_N_COLUMNS,
} DebyeOptionalColumn;

typedef struct {
  GArray *values; /* float; NULL until an atom has one */
  gsize n_given;
} DebyeOptionalValues;

struct _DebyeTopologyBuilder {
  DebyeStringPool *pool;
  char *title;
  DebyeCell cell;
  GArray *names, *types, *residues; /* guint32 */
  GArray *elements, *sources;       /* guint8; DEBYE_ELEMENT_UNKNOWN: to be decided at the end */
  GArray *masses;                   /* float; NAN: not given */
  GArray *serials;                  /* gint32; NULL until an atom has one */
  GArray *altlocs;                  /* guint32; NULL until an atom has one */
  DebyeOptionalValues optional[DEBYE_N_COLUMNS];
  GArray *residue_table; /* DebyeResidue */
  DebyeResidue residue;  /* of the atoms to come */
  gboolean residue_is_new;
  guint32 current_residue;           /* of the last atom */
  gboolean has_stated_residues;      /* a reader said where they begin */
  gboolean are_residues_unique;      /* by what set_residue is given */
  gboolean may_residues_stand_apart; /* a number came that isn't above those before it */
  GHashTable *highest_numbers;       /* of chain and segment */
  GArray *bonds;                     /* DebyeBond, by any two atoms; sorted at the end */
  gsize n_dropped_bonds;
  GPtrArray *warnings;
};

/* The residue that has been set begins with `atom`, whose residue it isn't yet. */
void debye_topology_builder_begin_residue(DebyeTopologyBuilder *builder, guint32 atom);
/* When all atoms are there: elements that no file named, and masses that are their elements' (topology_elements.c). */
void debye_topology_builder_decide_elements(DebyeTopologyBuilder *builder);
void debye_topology_builder_fill_masses(DebyeTopologyBuilder *builder);
/* Runs of atoms that are one residue, though others stand between them (topology_residues.c). */
void debye_topology_builder_join_residues(DebyeTopologyBuilder *builder);
