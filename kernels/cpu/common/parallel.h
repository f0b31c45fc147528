/* SPDX-License-Identifier: MIT */
/* A pool of threads that share the chunks of one loop. Not OpenMP: that oversubscribes when lanes run side by
 * side, spins while it waits, can't be cancelled and confuses ThreadSanitizer. */
#pragma once

#include <stdbool.h>

#include "kernels/chunk_threads.h"

typedef struct DebyePool DebyePool;
typedef void (*DebyePoolFunction)(void *context, size_t chunk);

/* Cores that this process may run on. */
unsigned debye_count_cores(void);

/* `threads` 0: one per core. The caller of debye_parallel_for is one of them. NULL on exhausted
 * memory; where the system refuses threads the pool has fewer. */
DebyePool *debye_pool_new(unsigned threads);
void debye_pool_free(DebyePool *pool);
/* The function clear of a plan (kernels/plan.h) that has nothing but a pool. */
#define DEBYE_POOL_CLEAR_PLAN(Plan)        \
  static void clear(void *made)            \
  {                                        \
    debye_pool_free(((Plan *)made)->pool); \
  }
unsigned debye_pool_get_threads(const DebyePool *pool); /* NULL: 1 */

/* Calls function(context, chunk) once for each chunk in [0, n_chunks), in any order and on any thread, and
 * returns when all calls have. Without a pool (NULL), or called from inside a chunk, it runs its loop on the calling
 * thread. False where `cancel` (may be NULL) became true before the last chunk was begun. */
bool debye_parallel_for(DebyePool *pool, size_t n_chunks, DebyePoolFunction function, void *context,
                        const volatile bool *cancel);
/* Runs chunks on the pool for those who ask for a runner. */
DebyeChunkRunner debye_pool_runner(DebyePool *pool);
