/* SPDX-License-Identifier: MIT */
/* Small ions and molecules whose bond orders no rule gives: they are known by what they are made of. Called by
 * ligand_units.c. */
#pragma once

#include "data/molecule/ligand.h"

/* Whether all of the molecule is one of them, by elements, bonds and shape: NO3-, NO2-, N3-, SCN-, OCN-, CN-, ClO4-, SO3
 * 2-, CO2, CS2, O2, CO and NO. Then sets bond orders and formal charges as in water at pH 7; none of them has hydrogens. */
gboolean debye_ligand_species_set(DebyeLigand *ligand);
