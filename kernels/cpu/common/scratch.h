/* SPDX-License-Identifier: MIT */
/* Memory that the chunks of a parallel loop borrow: one piece a thread, so that nothing is allocated inside
 * the loop and chunks need not know their thread. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  pthread_mutex_t mutex;
  void **pieces; /* of which the first n_free wait */
  unsigned n_pieces, n_free;
} DebyeScratch;

/* Pieces of `bytes`, aligned to 64. False on exhausted memory; clear in any case. */
bool debye_scratch_init(DebyeScratch *scratch, unsigned n_pieces, size_t bytes);
void debye_scratch_clear(DebyeScratch *scratch);
/* At most n_pieces at a time. */
void *debye_scratch_take(DebyeScratch *scratch);
void debye_scratch_give(DebyeScratch *scratch, void *piece);
