/* SPDX-License-Identifier: MIT */
/* Cavities of a map of free energies and the lowest ways from each to bulk: a table of cavities, one of ways, and the maps
 * that draw them. */
#pragma once

#include "data/results/result.h"
#include "ligands_flood.h"

typedef struct {
  double level; /* cavities are regions below it; in the map's unit, as all free energies here */
  double kt;
  gboolean has_bulk;
  DebyeVec3
      bulk; /* Å: a point in bulk; else that is what is at the edge of the grid, or the largest region of a periodic one;
                     what touches it within kT belongs to it */
  const char *unit;
  const float *errors; /* of the terrain's values; NULL: none */
} DebyeLigandsCavityOptions;

/* Adds to a result the tables "cavities" (the lowest first; barrier: from the lowest voxel to the highest of the lowest way to
 * bulk, its error from both) and "paths" (voxel by voxel), and the maps "barrier_to_bulk" (of each voxel, the highest value on
 * its lowest way) and "pathways" (1 on the ways, falling off beside them) and "pathway_energy" (of the nearest voxel of a
 * way, to colour that). Notes say what bulk is, and what isn't connected. */
void debye_ligands_cavities_add(DebyeResult *result, const DebyeLigandsTerrain *terrain,
                                const DebyeLigandsCavityOptions *options);
