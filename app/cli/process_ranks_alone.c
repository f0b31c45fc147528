/* SPDX-License-Identifier: MIT */
/* The ranks of a build without MPI: one process, for main_cli.c and the commands; its twin is
 * process_ranks_mpi.c. */
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
  return (DebyeRanks){.n_ranks = 1, .n_on_node = 1};
}

gboolean
debye_process_ranks_fail(void)
{
  return TRUE;
}

void
debye_process_ranks_end(gboolean has_failed)
{
  (void)has_failed;
}
