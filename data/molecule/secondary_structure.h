/* SPDX-License-Identifier: MIT */
/* Helices and strands by the pattern of backbone hydrogen bonds: Kabsch and Sander, Biopolymers 22, 2577
 * (1983). */
#pragma once

#include "backbone.h"

typedef enum {
  DEBYE_STRUCTURE_LOOP,
  DEBYE_STRUCTURE_BEND,
  DEBYE_STRUCTURE_TURN,
  DEBYE_STRUCTURE_HELIX_PI,
  DEBYE_STRUCTURE_HELIX_3_10,
  DEBYE_STRUCTURE_BRIDGE,
  DEBYE_STRUCTURE_STRAND,
  DEBYE_STRUCTURE_HELIX_ALPHA,
} DebyeStructure;

/* One DebyeStructure a unit of the backbone. Nucleotides, and residues without N, C or O, are loops. Amide
 * hydrogens that the file leaves out stand 1 Å from N, opposite the C=O before. Distances are the shortest in
 * the frame's cell, so that a protein that the cell has cut is recognised, too. The time is linear in the
 * number of residues. */
guint8 *debye_secondary_structure_assign(const DebyeBackbone *backbone, DebyeTopology *topology,
                                         const DebyeFrame *frame);
gboolean debye_secondary_structure_is_helix(DebyeStructure structure);
