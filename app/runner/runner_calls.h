/* SPDX-License-Identifier: MIT */
/* Calls the functions of a loaded source on a case, as the ladder's drivers do (kernels/cpu/ladder/direct.h has the
 * signatures). */
#pragma once

#include "runner_buffers.h"
#include "runner_case.h"

/* Any of the signatures. */
typedef void DebyeRunnerFunction(void);

#define DEBYE_RUNNER_MAX_FUNCTIONS 3

typedef struct {
  DebyeRunnerCase about;
  DebyeRunnerBuffer inputs[DEBYE_RUNNER_MAX_INPUTS], output, scratch;
  DebyeRunnerFunction *functions[DEBYE_RUNNER_MAX_FUNCTIONS]; /* of its family; NULL: not there */
  int block_atoms;                                            /* of scattering; 0: all are one series */
  int batch_frames;                                           /* of a density; 0: as many as there are */
} DebyeRunnerRun;

typedef enum {
  DEBYE_RUNNER_FLOATS_OUT,
  DEBYE_RUNNER_COUNTS_OUT, /* uint64_t */
  DEBYE_RUNNER_VOXELS_OUT, /* uint32_t */
} DebyeRunnerOutput;

/* What differs between the families. */
typedef struct {
  const char *functions[DEBYE_RUNNER_MAX_FUNCTIONS]; /* in the order that they are called */
  unsigned needed;                                   /* those of them that a source must have: bits */
  const char *inputs[DEBYE_RUNNER_MAX_INPUTS], *output, *scratch;
  DebyeRunnerOutput type;
  bool has_empty_scratch; /* it is 0 before the first call; else a source may rely on nothing in it */
} DebyeRunnerFamilyRow;

extern const DebyeRunnerFamilyRow debye_runner_families[DEBYE_RUNNER_N_FAMILIES];

/* Looks its functions up in an opened library, and what its macros say. FALSE: one that it must have is not there. */
bool debye_runner_find_functions(DebyeRunnerRun *run, void *library);
/* Of scattering: atoms whose series are computed together, rows of the scratch that they take, and the length of one. */
int debye_runner_block_atoms(const DebyeRunnerRun *run);
int debye_runner_block_rows(const DebyeRunnerRun *run);
int debye_runner_series_length(const DebyeRunnerRun *run);
/* Once functions and macros are known: a scratch that they make smaller is so long, so that whoever reaches beyond is seen. */
void debye_runner_fit_scratch(DebyeRunnerRun *run);
#define DEBYE_RUNNER_MOST_THREADS 256
/* Stack of a thread of the pool: what a kernel's local arrays, of all functions that it is in, may take together. */
#define DEBYE_RUNNER_STACK_BYTES ((size_t)1 << 20)

/* Makes the threads that debye_runner_call shares the case among, as none can be made once calls are locked; none for 1.
 * How many there are: fewer than were asked for if the machine lets it have no more. */
int debye_runner_threads_start(int n_threads);
typedef enum {
  DEBYE_RUNNER_SIDE_BY_SIDE, /* by as many threads as were started */
  DEBYE_RUNNER_IN_TURN,      /* one share after the other */
  DEBYE_RUNNER_FIRST_SHARE,  /* that one alone */
} DebyeRunnerSharing;

/* All of the case, shared among so many threads. */
void debye_runner_call(DebyeRunnerRun *run, int n_threads, DebyeRunnerSharing sharing);
