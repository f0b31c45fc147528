/* SPDX-License-Identifier: MIT */
/* Excluded pairs' nearest images, taken away from the counts. */
#pragma once

#include "pair_plan.h"

/* Members of classes and lists of an exclusion in one chunk. */
#define DEBYE_PAIR_EXCLUSION_CHUNK 1024

/* Exclusions [begin, end): numbers below the classes' members are members, those from there on are atoms
 * with lists. */
typedef struct {
  const DebyeCpuPairPlan *plan;
  uint64_t *counts;
  size_t begin, end;
} DebyePairExcluding;

/* For debye_parallel_for; the context is a DebyePairExcluding. */
void debye_pair_exclude_chunk(void *excluding, size_t chunk);
