/* SPDX-License-Identifier: MIT */
/* Divides frames, and planes of a map, among processes; called by frame_run_parts.c and
 * map_planes.c. The communication is in app/cli/process_ranks_*.c. */
#include "ranks.h"

#include <math.h>

gboolean
debye_ranks_are_several(const DebyeRanks *ranks)
{
  return ranks != NULL && ranks->n_ranks > 1;
}

/* Of n_frames those before a process' first one. */
static gsize
count_before(guint rank, guint n_ranks, const double *speeds, gsize n_frames)
{
  double before = 0.0, all = 0.0;
  if (speeds == NULL)
    return n_frames * rank / n_ranks;
  for (guint i = 0; i < n_ranks; i++) {
    before += i < rank ? speeds[i] : 0.0;
    all += speeds[i];
  }
  return rank == n_ranks ? n_frames : (gsize)rint((double)n_frames * (before / all));
}

DebyeRankShare
debye_ranks_get_share(const DebyeRanks *ranks, const double *speeds, const DebyeFrameRange *range,
                      gsize n_frames)
{
  if (!debye_ranks_are_several(ranks))
    return (DebyeRankShare){.n = n_frames, .range = *range};
  const gsize first = count_before(ranks->rank, ranks->n_ranks, speeds, n_frames);
  const gsize end = count_before(ranks->rank + 1, ranks->n_ranks, speeds, n_frames);
  DebyeRankShare share = {.first = first, .n = end - first, .range = *range};
  share.range.first = range->first + range->step * first;
  share.range.last = range->first + range->step * (end - 1);
  return share;
}

double *
debye_ranks_share_speeds(const DebyeRanks *ranks, double own)
{
  double *speeds = g_new0(double, ranks->n_ranks), least = G_MAXDOUBLE;
  speeds[ranks->rank] = own;
  ranks->sum(speeds, ranks->n_ranks);
  for (guint i = 0; i < ranks->n_ranks; i++)
    least = speeds[i] > 0.0 ? MIN(least, speeds[i]) : least;
  for (guint i = 0; i < ranks->n_ranks; i++)
    speeds[i] = speeds[i] > 0.0 ? speeds[i] : least;
  return speeds;
}
