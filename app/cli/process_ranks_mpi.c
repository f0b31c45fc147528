/* SPDX-License-Identifier: MIT */
/* Processes that communicate through MPI (process_ranks.h), for main_cli.c and the commands of analyses; its twin is
 * process_ranks_alone.c. The state is MPI's own, and whether one of the processes has failed. */
#include "process_ranks.h"

#include <mpi.h>
#include <stdlib.h>

/* MPI counts in int. */
#define MAX_AT_ONCE ((gsize)1 << 24)

static int
get_rank(void)
{
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static int
get_n_ranks(void)
{
  int n_ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  return n_ranks;
}

void
debye_process_ranks_begin(int *argc, char ***argv)
{
  int level;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
  debye_process_ranks_get();
}

/* --- Failing together --- */

/* Before anything is exchanged each process says whether it is well. The first one that isn't, of all; their number where all
 * are. */
static int
find_failed(gboolean is_well)
{
  int first = is_well ? get_n_ranks() : get_rank();
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return first;
}

/* Another process has failed and tells why: nothing that this one could still do would be of use. */
static void
agree(void)
{
  if (find_failed(TRUE) == get_n_ranks())
    return;
  MPI_Finalize();
  exit(EXIT_FAILURE);
}

gboolean
debye_process_ranks_fail(void)
{
  return get_n_ranks() == 1 || find_failed(FALSE) == get_rank();
}

void
debye_process_ranks_end(gboolean has_failed)
{
  if (!has_failed && get_n_ranks() > 1)
    agree();
  MPI_Finalize();
}

/* --- Exchanging --- */

static void
reduce(double *values, gsize n, MPI_Op operation)
{
  agree();
  for (gsize first = 0; first < n; first += MAX_AT_ONCE)
    MPI_Allreduce(MPI_IN_PLACE, values + first, (int)MIN(n - first, MAX_AT_ONCE), MPI_DOUBLE, operation,
                  MPI_COMM_WORLD);
}

static void
sum(double *values, gsize n)
{
  reduce(values, n, MPI_SUM);
}

static void
least(double *values, gsize n)
{
  reduce(values, n, MPI_MIN);
}

static GStrv
gather(const char *text)
{
  const int n_ranks = get_n_ranks();
  int length = (int)strlen(text);
  g_autofree int *lengths = g_new(int, n_ranks), *places = g_new0(int, n_ranks);
  agree();
  MPI_Allgather(&length, 1, MPI_INT, lengths, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 1; i < n_ranks; i++)
    places[i] = places[i - 1] + lengths[i - 1];
  g_autofree char *all = g_malloc((gsize)places[n_ranks - 1] + (gsize)lengths[n_ranks - 1] + 1);
  MPI_Allgatherv(text, length, MPI_CHAR, all, lengths, places, MPI_CHAR, MPI_COMM_WORLD);
  GStrv texts = g_new0(char *, n_ranks + 1);
  for (int i = 0; i < n_ranks; i++)
    texts[i] = g_strndup(all + places[i], (gsize)lengths[i]);
  return texts;
}

/* --- Who is who --- */

static void
find_node(DebyeRanks *ranks)
{
  MPI_Comm node;
  int rank = 0, n = 1;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &n);
  MPI_Comm_free(&node);
  ranks->node_rank = (guint)rank;
  ranks->n_on_node = (guint)n;
}

DebyeRanks
debye_process_ranks_get(void)
{
  static DebyeRanks ranks;
  if (ranks.n_ranks > 0)
    return ranks;
  ranks = (DebyeRanks){.rank = (guint)get_rank(), .n_ranks = (guint)get_n_ranks(), .n_on_node = 1};
  if (ranks.n_ranks == 1)
    return ranks;
  ranks.sum = sum;
  ranks.least = least;
  ranks.gather = gather;
  find_node(&ranks);
  return ranks;
}
