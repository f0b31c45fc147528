/* SPDX-License-Identifier: MIT */
/* Which atom of a residue is which of a force field's, whatever naming the file follows: the PDB's of today
 * and before 2008 ("1HB", O5*), AMBER's, CHARMM's (HN, HT1, OT1, CD of ILE), GROMACS'. */
#pragma once

#include <glib.h>

#include "charge_rows.h"

#define DEBYE_CHARGE_NAME_SIZE 8

typedef struct {
  char name[DEBYE_CHARGE_NAME_SIZE]; /* as debye_charge_site_set_name makes it */
  gboolean is_hydrogen;
  double charge; /* e; set by debye_charge_match */
  gboolean is_used;
} DebyeChargeSite;

void debye_charge_site_set_name(DebyeChargeSite *site, const char *name);

/* TRUE when the row's atoms, hydrogens too, are exactly the residue's; each then has its charge. */
gboolean debye_charge_match(const DebyeChargeRow *row, DebyeChargeSite *sites, gsize n_sites);
