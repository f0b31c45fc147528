/* SPDX-License-Identifier: MIT */
/* Calls the functions of a loaded source on a case, as the ladder's drivers do (kernels/cpu/ladder/direct.h has the
 * signatures). */
#pragma once

#include "runner_buffers.h"
#include "runner_case.h"

/* Any of the signatures. */
typedef void DebyeRunnerFunction(void);

typedef struct {
  DebyeRunnerCase about;
  DebyeRunnerBuffer inputs[DEBYE_RUNNER_MAX_INPUTS], output, scratch;
  /* prepare_slice and sum_slice; sum_regions and sum_overflow; count_pairs. NULL: not there */
  DebyeRunnerFunction *first, *second;
} DebyeRunnerRun;

extern const char *const debye_runner_inputs[DEBYE_RUNNER_N_FAMILIES][DEBYE_RUNNER_MAX_INPUTS];

/* Looks its functions up in an opened library. FALSE: the one that counts is not there. */
bool debye_runner_find_functions(DebyeRunnerRun *run, void *library);
#define DEBYE_RUNNER_MOST_THREADS 256
/* Stack of a thread of the pool: what a kernel's local arrays, of all functions that it is in, may take together. */
#define DEBYE_RUNNER_STACK_BYTES ((size_t)1 << 20)

/* Makes the threads that debye_runner_call shares the case among, as none can be made once calls are locked; none for 1.
 * How many there are: fewer than were asked for if the machine lets it have no more. */
int debye_runner_threads_start(int n_threads);
/* All of the case: by so many threads at the same time, that many as were started, or, in_turn, one after the other. */
void debye_runner_call(DebyeRunnerRun *run, int n_threads, bool in_turn);
