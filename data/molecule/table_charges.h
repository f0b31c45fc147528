/* SPDX-License-Identifier: MIT */
/* Charges for a system whose file has none, from a force field's table: for proteins, nucleic acids, water
 * and ions. What a residue is comes from its name; its form (end of a chain, protonation, disulfide) from the
 * atoms that are there. A residue whose atoms, hydrogens included, are not exactly those of a form gets no
 * charges at all: half a residue's charges would be wrong by whole units. */
#pragma once

#include "topology.h"

typedef enum {
  DEBYE_CHARGE_TABLE_AMBER,  /* ff14SB, OL15, OL3, TIP3P */
  DEBYE_CHARGE_TABLE_CHARMM, /* CHARMM36, TIP3P */
  DEBYE_CHARGE_TABLE_PARSE,  /* PARSE: proteins, RNA and water; no ions */
} DebyeChargeTable;

typedef enum {
  DEBYE_CHARGED_NONE,
  DEBYE_CHARGED_PROTEIN,
  DEBYE_CHARGED_NUCLEIC,
  DEBYE_CHARGED_WATER,
  DEBYE_CHARGED_ION,
  DEBYE_CHARGED_OTHER, /* by somebody else than the table */
  DEBYE_CHARGED_KINDS,
} DebyeChargedKind;

typedef struct {
  guint8 *kinds; /* DebyeChargedKind of each atom: where its charge comes from */
  gsize n_atoms[DEBYE_CHARGED_KINDS], n_residues[DEBYE_CHARGED_KINDS];
  double total_charge;                      /* e */
  const char *sources[DEBYE_CHARGED_KINDS]; /* of the charges; static strings */
  /* Messages: one for each kind, with the source of its charges, then for each name of residues without
   * charges
   * ("3 residues LIG (the first is number 301) without charges: …"); NULL-terminated. */
  char **sentences;
} DebyeChargeReport;

void debye_charge_report_clear(DebyeChargeReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeChargeReport, debye_charge_report_clear)

/* A copy of the topology with the table's charges in place of its own; atoms that get none have 0. `report`
 * is filled, and belongs to the caller. */
DebyeTopology *debye_topology_with_table_charges(DebyeTopology *self, DebyeChargeTable table,
                                                 DebyeChargeReport *report);
/* Likewise with the table's radii in place of the topology's own; an atom without a charge has none (0), and so has an ion
 * that the table has no radius for. */
DebyeTopology *debye_topology_with_table_parameters(DebyeTopology *self, DebyeChargeTable table,
                                                    DebyeChargeReport *report);
