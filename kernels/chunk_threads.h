/* SPDX-License-Identifier: MIT */
/* A loop's chunks on threads that are started for it: for work of milliseconds that a back end without a pool
 * of its own leaves to the host now and then. */
#pragma once

#include "charges.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls function(context, chunk) once for each chunk, in any order, on the calling thread and up to one other
 * for each further processor. Where the system refuses threads there are fewer. */
void debye_chunk_threads_run(size_t n_chunks, void (*function)(void *context, size_t chunk), void *context);
/* The same for those who ask for a runner. */
extern const DebyeChunkRunner debye_chunk_threads;

#ifdef __cplusplus
}
#endif
