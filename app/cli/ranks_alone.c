/* SPDX-License-Identifier: MIT */
/* The single process of a build without MPI (ranks.h), for main_cli.c and the commands of analyses; its twin
 * is ranks_mpi.c. */
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
