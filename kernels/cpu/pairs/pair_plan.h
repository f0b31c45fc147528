/* SPDX-License-Identifier: MIT */
/* The plan of pair histograms on the CPU, and the scratch that its threads count into; its twin is
 * cuda/pairs/pair_plan.cuh. */
#pragma once

#include "kernels/cpu/common/scratch.h"
#include "kernels/pairs/pair_histogram.h"
#include "kernels/plan.h"
#include "pair_block.h"
#include "pair_tiles.h"

/* What one thread writes, in a piece of the plan's scratch. */
typedef struct {
  DebyePairDoubt *doubts;
  uint32_t *histogram; /* DEBYE_PAIR_COPIES × (n_bins + DEBYE_PAIR_WASTE), all zero between chunks */
  uint64_t n_since;    /* pairs since the histogram was emptied */
} DebyePairScratch;

typedef struct {
  DebyePairSettings settings;
  DebyeGroupPair *pairs;
  double *edge2;
  DebyePairBins bins;
  uint32_t *histogram_of; /* of groups (a, b), n_groups × n_groups; n_pairs where none was asked for */
  size_t *first_task;     /* of each pair; one entry more */
  unsigned n_threads;
  DebyePool *pool;
  const DebyePairBlockLoops *loops;
  DebyePairTiles tiles;
  float *unpacked; /* x, y, z of all atoms of a packed frame */
  DebyeScratch scratch;
} DebyeCpuPairPlan;

/* Of DebyePairSettings. */
extern const DebyePlanKind debye_cpu_pair_plan_kind;

/* How a piece of plan->scratch is used. */
DebyePairScratch debye_pair_scratch_lay_out(void *piece);
/* Adds the scratch's histogram to `counts`, which other threads may add to as well. */
void debye_pair_scratch_empty(const DebyeCpuPairPlan *plan, DebyePairScratch *scratch, uint64_t *counts);

/* Copies of the histogram that there are for so many bins. */
unsigned debye_pair_copies(size_t n_bins);
/* Adds to the bin of a squared distance in double, where it is in one. */
void debye_pair_count_exact(const DebyeCpuPairPlan *plan, uint64_t *counts, double square, uint64_t by);
