/* SPDX-License-Identifier: MIT */
/* Compares bonds from distances with those of standard residues, for bonds.c: if frames are coarse, stretched or
 * overlap, distances give bonds that don't exist and miss others. */
#pragma once

#include "topology.h"

typedef struct {
  gsize n_listed;       /* of the file */
  gsize n_of_distances; /* beside those */
  gsize n_of_templates; /* in place of what distances said, or left out */
  gsize n_doubtful;     /* standard residues whose distances don't fit */
  guint32 first_doubtful;
} DebyeBondSources;

/* `guessed` (of DebyeBond, sorted) with the bonds of each standard residue as its template has them where
 * the distances differ, and without bonds that only an overlap of standard residues makes. Sorted; fills
 * n_of_distances and what follows it in *sources. */
GArray *debye_bond_sources_settle(DebyeTopology *topology, const GArray *guessed, DebyeBondSources *sources);
