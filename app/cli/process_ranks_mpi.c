/* SPDX-License-Identifier: MIT */
/* Processes that communicate through MPI (process_ranks.h), for main_cli.c and the commands of analyses; its twin is
 * process_ranks_alone.c. The state is MPI's own. */
#include "process_ranks.h"

#include <mpi.h>

/* MPI counts in int. */
#define MAX_AT_ONCE ((gsize)1 << 24)

void
debye_process_ranks_begin(int *argc, char ***argv)
{
  int level;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
}

static void
sum(double *values, gsize n)
{
  for (gsize first = 0; first < n; first += MAX_AT_ONCE)
    MPI_Allreduce(MPI_IN_PLACE, values + first, (int)MIN(n - first, MAX_AT_ONCE), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
}

DebyeRanks
debye_process_ranks_get(void)
{
  int rank = 0, n_ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  return (DebyeRanks){.rank = (guint)rank, .n_ranks = (guint)n_ranks, .sum = n_ranks > 1 ? sum : NULL};
}

void
debye_process_ranks_end(int status)
{
  if (status != 0 && debye_process_ranks_get().n_ranks > 1)
    MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
}
