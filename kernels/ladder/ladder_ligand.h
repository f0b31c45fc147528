/* SPDX-License-Identifier: MIT */
/* The problem of ligand sampling's teaching variants: atoms in bins, as a lecture's listing reads them; called by both back
 * ends' drivers. */
#pragma once

#include "ladder.h"

DEBYE_BEGIN_DECLS

/* Samples along each axis of a voxel, at most. */
#define DEBYE_LADDER_SUBSAMPLES 3

/* Bins are half a cutoff wide; those of samples have two more on all sides. Along x and y atoms are from the corner of
 * all bins, along z too, and voxel (i, j, k) is at margin + (i·step[0], j·step[1], k·step[2]). */
typedef struct {
  size_t shape[3];
  float step[3];
  int subsamples;
  float margin, edge, cutoff2;
  int bins[3];
  size_t n_atoms, n_bins; /* atoms: those that are in bins, sorted by them, x fastest */
  float *atoms;           /* x, y, z and the square of the distance below which a pair rejects its sample */
  float *pairs;           /* A and B of A/r¹² − B/r⁶ in kT */
  int *start;             /* n_bins + 1 */
} DebyeLadderMatter;

/* INVALID with the reason where variant or problem make no sense. */
DebyeStatusCode debye_ladder_ligand_check(const DebyeLadderKernel *ladder, size_t variant,
                                          const DebyeLadderLigand *ligand, DebyeStatus *status);
/* Of a checked problem. What is in *matter afterwards is cleared with debye_ladder_matter_clear, whatever was returned. */
DebyeStatusCode debye_ladder_matter_init(DebyeLadderMatter *matter, const DebyeLadderLigand *ligand,
                                         DebyeStatus *status);
void debye_ladder_matter_clear(DebyeLadderMatter *matter);
/* Evaluations: pairs of a sample that no atom rejects and an atom within its cutoff. */
double debye_ladder_matter_evaluations(const DebyeLadderMatter *matter);
/* Planes of a launch, so that a Stop is seen soon. */
size_t debye_ladder_ligand_planes_at_once(const DebyeLadderMatter *matter, double tests);
/* The production kernel of a back end on this problem, which was checked: the seconds are those of sampling, without sorting
 * atoms. */
DebyeStatusCode debye_ladder_ligand_ours(const DebyeLigandKernel *kernel, int device,
                                         const DebyeLadderLigand *ligand, float *means, double *seconds,
                                         const volatile bool *cancel, DebyeStatus *status);

DEBYE_END_DECLS
