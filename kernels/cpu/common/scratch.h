/* SPDX-License-Identifier: MIT */
/* Memory that the chunks of a parallel loop borrow: one piece a thread, so that nothing is allocated inside
 * the loop and chunks need not know their thread. */
#pragma once

#include <pthread.h>

#include "kernels/plan_memory.h"
#include "parallel.h"

typedef struct {
  pthread_mutex_t mutex;
  size_t piece_bytes;
  char *memory;  /* of all pieces */
  void **pieces; /* of which the first n_free wait */
  unsigned n_pieces, n_free;
} DebyeScratch;

/* Begins of arrays that vectors are read from. */
#define DEBYE_SCRATCH_ALIGNMENT 64

/* The next such place at or behind `memory`. */
static inline void *
debye_scratch_align(char *memory)
{
  return memory +
         (DEBYE_SCRATCH_ALIGNMENT - (uintptr_t)memory % DEBYE_SCRATCH_ALIGNMENT) % DEBYE_SCRATCH_ALIGNMENT;
}

/* So many pieces of `bytes`, aligned and all zero to begin with, in the list of a plan. */
void debye_scratch_list(DebyeScratch *scratch, unsigned n_pieces, size_t bytes, DebyePlanMemory *memory);
/* With its memory; it is cleared before that is given back. */
void debye_scratch_init(DebyeScratch *scratch);
/* Nothing happens to one that has no memory. */
void debye_scratch_clear(DebyeScratch *scratch);
/* The function clear of a plan (kernels/plan.h) that has a pool and this. */
#define DEBYE_SCRATCH_CLEAR_PLAN(Plan)   \
  static void clear(void *made)          \
  {                                      \
    Plan *plan = made;                   \
    debye_pool_free(plan->pool);         \
    debye_scratch_clear(&plan->scratch); \
  }
/* At most n_pieces at a time. */
void *debye_scratch_take(DebyeScratch *scratch);
void debye_scratch_give(DebyeScratch *scratch, void *piece);
