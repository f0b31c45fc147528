/* SPDX-License-Identifier: MIT */
/* Which atoms of a standard residue are bonded, by their names: amino acids, nucleotides and water, as AMBER,
 * CHARMM, GROMACS and the Protein Data Bank name them. For coordinates whose distances can't tell. */
#pragma once

#include "topology.h"

typedef struct _DebyeResidueTemplates DebyeResidueTemplates;

DebyeResidueTemplates *debye_residue_templates_new(DebyeTopology *topology);
void debye_residue_templates_free(DebyeResidueTemplates *templates);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeResidueTemplates, debye_residue_templates_free)

/* Fills `bonds` with those between the residue's heavy atoms, i < j. FALSE where the residue is no standard
 * one, or has a heavy atom that such a one has not, or two of one name (alternate places). */
gboolean debye_residue_templates_get_bonds(const DebyeResidueTemplates *templates, gsize residue,
                                           GArray *bonds);
/* The heavy atom that a hydrogen is bonded to: by the locants of their names (HD21 at ND2, H5' at C5'), in
 * water the oxygen. FALSE: the names don't tell. */
gboolean debye_residue_templates_find_heavy_atom(const DebyeResidueTemplates *templates, gsize residue,
                                                 guint32 hydrogen, guint32 *heavy);
/* The bond to the next residue of the chain: C–N, or O3'–P. */
gboolean debye_residue_templates_get_link(const DebyeResidueTemplates *templates, gsize residue,
                                          DebyeBond *bond);
