/* SPDX-License-Identifier: MIT */
/* A pool of threads that share the chunks of one loop. Not OpenMP: that oversubscribes when lanes run side by
 * side, spins while it waits, can't be cancelled and confuses ThreadSanitizer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct DebyePool DebyePool;
typedef void (*DebyePoolFunction)(void *context, size_t chunk);

/* Cores that this process may run on. */
unsigned debye_count_cores(void);

/* `threads` 0: one per core. The caller of debye_parallel_for is one of them. NULL on exhausted
 * memory; where the system refuses threads the pool has fewer. */
DebyePool *debye_pool_new(unsigned threads);
void debye_pool_free(DebyePool *pool);
unsigned debye_pool_get_threads(const DebyePool *pool);

/* Calls function(context, chunk) once for each chunk in [0, n_chunks), in any order and on any thread, and
 * returns when all calls have. Called from inside a chunk it runs its loop on the calling thread. False where
 * `cancel` (may be NULL) became true before the last chunk was begun. */
bool debye_parallel_for(DebyePool *pool, size_t n_chunks, DebyePoolFunction function, void *context,
                        const volatile bool *cancel);
