/* SPDX-License-Identifier: MIT */
/* A frame's atoms, with all images that samples can reach, sorted into the tiles of the grid and as far around it as the
 * cutoff goes. Both back ends sort here, in atoms' order, so that they sum in the same one. */
#pragma once

#include "kernels/plan_memory.h"
#include "ligand_map.h"

DEBYE_BEGIN_DECLS

/* From the corner of its bin, Å. */
typedef struct {
  float x, y, z, charge;
} DebyeLigandAtom;

typedef struct {
  double reach;       /* Å: cutoff and the farthest site */
  double index[3][3]; /* rows: from a place to voxels, along each axis */
  double corner[3];   /* of the grid */
  double step[3][3];  /* of bins: DEBYE_LIGAND_TILE voxels */
  double around[3];   /* how far that is, in bins */
  int64_t margin[3], shape[3];
  uint32_t *start; /* n_bins + 1 */
  DebyeRoom atoms; /* DebyeLigandAtom, bin by bin, x fastest */
  DebyeRoom codes; /* uint32_t: type and, from bit 16 on, the bin's number along x */
  size_t n_atoms, n_bins;
  DebyeMemoryKind kind;
} DebyeLigandBins;

/* Bins of the grid; the settings were checked. false: they are too many. */
bool debye_ligand_bins_init(DebyeLigandBins *bins, const DebyeLigandSettings *settings);
void debye_ligand_bins_list(DebyeLigandBins *bins, const DebyeLigandSettings *settings, DebyeMemoryKind kind,
                            DebyePlanMemory *memory);
/* false: there is no memory. */
bool debye_ligand_bins_set(DebyeLigandBins *bins, const DebyeLigandSettings *settings,
                           const DebyeLigandFrame *frame, const DebyeMemorySource *source);

/* The first of a row of bins, along x from `bin`. */
static inline size_t
debye_ligand_bins_at(const DebyeLigandBins *bins, int64_t x, int64_t y, int64_t z)
{
  return (size_t)((z * bins->shape[1] + y) * bins->shape[0] + x);
}

DEBYE_END_DECLS
