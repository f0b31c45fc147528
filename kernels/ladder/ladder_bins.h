/* SPDX-License-Identifier: MIT */
/* Atoms in bins as the lecture on the cutoff has them: what the drivers of the cutoff's teaching variants hand to the
 * sources (cpu/ladder/ladder_cutoff.c, cuda/ladder/ladder_cutoff.cu).
 *
 * The map is cut into regions of 8 × 8 × 8 points with spacing G, and space into bins of the same edges, B = 8·G, whose
 * faces are G/2 beyond the region's outermost points. Bins in range of a region are at most Δmax = ⌈(C − G/2)/B⌉ away from
 * its own along an axis (a cube); the list leaves those out whose nearest corner is beyond the cutoff C (the containing
 * sphere). */
#pragma once

#include "ladder.h"

DEBYE_BEGIN_DECLS

#define DEBYE_LADDER_REGION 8   /* points, and */
#define DEBYE_LADDER_CAPACITY 8 /* atoms in a bin, unless the problem says otherwise, up to */
#define DEBYE_LADDER_MAX_REGION 64
#define DEBYE_LADDER_MAX_CAPACITY 255
#define DEBYE_LADDER_MAX_REACH 7
#define DEBYE_LADDER_MAX_OFFSETS 4096 /* of constant memory; (2·7 + 1)³ are fewer */

typedef struct {
  int shape[3]; /* points */
  float step[3];
  float cutoff2, core2;
  DebyeLadderFrame frame; /* all atoms, mirrored so that steps are positive */
  int regions[3], reach[3];
  int bins[3]; /* regions, and `reach` bins before and behind */
  size_t n_regions, n_bins;
  int region, capacity;
  DebyeLadderAtom *slots; /* `capacity` of each bin, dummies behind its atoms */
  DebyeLadderAtom *overflow;
  int *head, *next; /* of chains: the first atom of each bin, and the next one of each atom; −1: none */
  int *offsets;     /* from a region's own bin to those of the list, as differences of their numbers */
  int n_offsets;
  DebyeLadderOverflow count;
} DebyeLadderBins;

/* Whether Δmax is small enough along each axis. */
bool debye_ladder_bins_can_reach(const DebyeLadderProblem *problem);
/* INVALID: it isn't. */
DebyeStatusCode debye_ladder_bins_refuse_reach(const DebyeLadderProblem *problem, DebyeStatus *status);
/* Memory of bins; SIZE_MAX where they are beyond the sizes above, or points, bins or atoms beyond what the sources count in. */
uint64_t debye_ladder_bins_bytes(const DebyeLadderProblem *problem);
/* Refuses bins out of reach, or beyond the sizes above. What is in *bins afterwards is cleared with debye_ladder_bins_clear,
 * whatever was returned. */
DebyeStatusCode debye_ladder_bins_init(DebyeLadderBins *bins, const DebyeLadderProblem *problem,
                                       DebyeStatus *status);
void debye_ladder_bins_clear(DebyeLadderBins *bins);
/* Regions of a launch, so that a Stop is seen soon: about so many tests. */
size_t debye_ladder_bins_at_once(const DebyeLadderBins *bins, bool tests_all, double tests);

DEBYE_END_DECLS
