/* SPDX-License-Identifier: MIT */
/* Which atoms are the solute: polymers and what is bound to them. The selection language's word “solute” and
 * the superposition of frames go by it. */
#pragma once

#include "topology.h"

/* One byte per atom, 1 in the solute; to be freed. Names, copies and the bonds of the files decide, never
 * positions, so that the choice is the same in every frame:
 * - polymers are proteins and nucleic acids by their residues' names, all that is bonded to them, and other
 *   molecules of three bonded residues or more;
 * - ligands and cofactors are other residues, up to one copy per ten residues of polymers (four always may
 *   be): of more copies they are a cosolvent;
 * - structural ions are those of transition metals, and Ca and Mg up to one per thirty residues of polymers.
 * Water, other monatomic ions, lipids, cryoprotectants, precipitants and buffers aren't in it unless they are
 * bonded to a polymer (water never is). Without a polymer there is no solute: all 0. */
guint8 *debye_solute_find(DebyeTopology *topology);
