/* SPDX-License-Identifier: MIT */
/* Divides frames among processes; called by scattering_run.c. The communication is in app/cli/ranks_*.c. */
#include "ranks.h"

DebyeRankShare
debye_ranks_get_share(const DebyeRanks *ranks, const DebyeFrameRange *range, gsize n_frames)
{
  guint rank = ranks != NULL ? ranks->rank : 0, n_ranks = ranks != NULL ? ranks->n_ranks : 1;
  gsize first = n_frames * rank / n_ranks, end = n_frames * (rank + 1) / n_ranks;
  DebyeRankShare share = {.first = first, .n = end - first, .range = *range};
  if (n_ranks == 1)
    return share;
  share.range.first = range->first + range->step * first;
  share.range.last = range->first + range->step * (end - 1);
  return share;
}
