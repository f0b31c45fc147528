/* SPDX-License-Identifier: MIT */
/* The bonds of an mmCIF: links between named atoms (struct_conn), the bonds within each component where the
 * file lists them (chem_comp_bond), and then those along the polymers, which mmCIF never lists. */
#pragma once

#include "cif_table.h"
#include "data/molecule/topology.h"

extern const char *const debye_cif_link_columns[];
extern const char *const debye_cif_component_bond_columns[];

typedef struct _DebyeCifBonds DebyeCifBonds;

DebyeCifBonds *debye_cif_bonds_new(void);
void debye_cif_bonds_free(DebyeCifBonds *bonds);

void debye_cif_bonds_take_link(DebyeCifBonds *bonds, const DebyeCifRow *row);
void debye_cif_bonds_take_component_bond(DebyeCifBonds *bonds, const DebyeCifRow *row);
/* Each atom, in order: a row of _atom_site (see cif_site.h). */
void debye_cif_bonds_take_atom(DebyeCifBonds *bonds, const DebyeCifRow *row, const double position[3]);
/* When all rows are taken. */
void debye_cif_bonds_add_to(DebyeCifBonds *bonds, DebyeTopologyBuilder *builder);
