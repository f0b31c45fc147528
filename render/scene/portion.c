/* SPDX-License-Identifier: MIT */
/* Implementation of portion.h: how much of a pass to draw at once; called by renderer.c. */
#include "portion.h"

#define FIRST_SIZE (1.0 / 16.0)
/* Smaller pieces would only repeat what each costs however small it is. */
#define LEAST_SIZE (1.0 / 32.0)

void
debye_portion_begin(DebyePortion *portion)
{
  portion->done = 0.0;
}

/* A last piece that would be a sliver is taken along. */
DebyeShare
debye_portion_next(const DebyePortion *portion)
{
  double size = portion->size > 0.0 ? portion->size : FIRST_SIZE;
  double end = portion->done + size;
  return (DebyeShare){portion->done, end > 1.0 - 0.25 * size ? 1.0 : end};
}

/* The size changes by half at most, since a single time says little on a busy machine. */
gboolean
debye_portion_tell(DebyePortion *portion, gint64 time, gint64 wanted)
{
  DebyeShare share = debye_portion_next(portion);
  double change = (double)wanted / (double)MAX(time, 1);
  portion->size = CLAMP((share.to - share.from) * CLAMP(change, 0.5, 2.0), LEAST_SIZE, 1.0);
  portion->done = share.to;
  return share.to >= 1.0;
}
