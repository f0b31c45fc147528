/* SPDX-License-Identifier: MIT */
/* A build without MPI: one process, see process_ranks.h; its twin is process_ranks_mpi.c. */
#include "process_ranks.h"

void
debye_process_ranks_begin(int *argc, char ***argv)
{
  (void)argc;
  (void)argv;
}

DebyeRanks
debye_process_ranks_get(void)
{
  return (DebyeRanks){.n_ranks = 1};
}

void
debye_process_ranks_end(int status)
{
  (void)status;
}
