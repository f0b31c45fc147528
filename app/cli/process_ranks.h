/* SPDX-License-Identifier: MIT */
/* The processes of debye-cli that mpirun started together; without it, or in a build without MPI, one. */
#pragma once

#include "app/analysis/driver/ranks.h"

/* Takes what belongs to MPI off the arguments. */
void debye_process_ranks_begin(int *argc, char ***argv);
DebyeRanks debye_process_ranks_get(void);
/* This process has failed, and the others leave when they come to exchange something. Whether it is the first of those that
 * failed, which says why. */
gboolean debye_process_ranks_fail(void);
/* Once all are done, or each that failed has said so. */
void debye_process_ranks_end(gboolean has_failed);
