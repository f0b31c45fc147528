/* SPDX-License-Identifier: MIT */
/* A loop's chunks on threads that all callers share: for work of a tenth of a millisecond and more that a
 * back end without a pool of its own leaves to the host now and then. */
#pragma once

#include <stddef.h>

#include "shared_math.h"

DEBYE_BEGIN_DECLS

/* Calls function(context, chunk) for all chunks, on whatever threads. */
typedef struct {
  void (*run)(void *runner, size_t n_chunks, void (*function)(void *context, size_t chunk), void *context);
  void *runner;
} DebyeChunkRunner;

/* On the calling thread where `runner` is NULL. */
void debye_chunks_run(const DebyeChunkRunner *runner, size_t n_chunks,
                      void (*function)(void *context, size_t chunk), void *context);

/* Threads that a loop has at most, its caller's with them, and that all loops together have beside their
 * callers' one less; 0: one per core. Holds for loops that begin later. Each module of a back end has
 * threads of its own. */
void debye_chunk_threads_limit(unsigned threads);
/* How many threads may work, the caller among them. */
unsigned debye_chunk_threads_count(void);

/* Calls function(context, chunk) once for each chunk on the calling thread and up to 15 others, which begin
 * them in their order. Returns when all calls have. May be called by several threads at a time, and from inside a chunk.
 * Threads are started when they are first needed and sleep in between; a caller who is done before they are
 * awake does not wait for them. Where the system refuses threads there are fewer. */
void debye_chunk_threads_run(size_t n_chunks, void (*function)(void *context, size_t chunk), void *context);
/* The same for those who ask for a runner. */
extern const DebyeChunkRunner debye_chunk_threads;

/* Copies memory that does not overlap, larger pieces by several threads: one alone brings some 13 GB/s from
 * pinned memory. */
void debye_chunk_threads_copy(void *to, const void *from, size_t bytes);

DEBYE_END_DECLS
