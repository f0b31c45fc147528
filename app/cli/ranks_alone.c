/* SPDX-License-Identifier: MIT */
/* A build without MPI: one process, see ranks.h; its twin is ranks_mpi.c. */
#include "ranks.h"

void
debye_ranks_begin(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
}

DebyeRanks
debye_ranks_get(void)
{
  return (DebyeRanks){.n_ranks = 1};
}

void
debye_ranks_end(int status)
{
  (void)status;
}
