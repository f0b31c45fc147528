/* SPDX-License-Identifier: MIT */
/* The processes of debye-cli that mpirun started together; without it, or in a build without MPI, one. */
#pragma once

#include "app/analysis/driver/ranks.h"

G_BEGIN_DECLS

/* Takes what belongs to MPI off the arguments. */
void debye_process_ranks_begin(int *argc, char ***argv);
DebyeRanks debye_process_ranks_get(void);
/* Where this process failed the others are ended, too: they would wait for its sums. */
void debye_process_ranks_end(int status);

G_END_DECLS
