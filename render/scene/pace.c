/* SPDX-License-Identifier: MIT */
/* Implementation of pace.h: the level of detail of a moving picture; called by renderer.c. */
#include "pace.h"

/* µs. With what a window does besides, a picture of SLOW is still there within two frames of a display at
 * 60 Hz, and one of FAST within one. */
#define SLOW 20000
#define FAST 11000

#define LEAST_PATIENCE 4
#define MAX_PATIENCE 120

/* Where the first picture begins: a GPU is at the finest in a tenth of a second. */
#define FIRST_LEVEL 2

typedef struct {
  DebyeDetail detail;
  double cost; /* of a picture where every pixel takes a while, and triangles none */
} Level;

static const Level levels[] = {
    {{.factor = 1.0, .occlusion = TRUE, .n_layers = 4}, 2.0},
    {{.factor = 1.0, .n_layers = 4}, 1.0},
    {{.factor = 1.0 / 2.0, .coarse = TRUE, .n_layers = 2}, 1.0 / 4.0},
    {{.factor = 1.0 / 3.0, .coarse = TRUE, .n_layers = 2}, 1.0 / 9.0},
    {{.factor = 1.0 / 4.0, .coarse = TRUE, .n_layers = 2}, 1.0 / 16.0},
};

static int
get_level(const DebyePace *pace)
{
  return pace->level > 0 ? pace->level - 1 : FIRST_LEVEL;
}

DebyeDetail
debye_pace_get_detail(const DebyePace *pace)
{
  return levels[get_level(pace)].detail;
}

/* What a level should take, from what another took. */
static gint64
predict(int from, gint64 time, int to)
{
  return (gint64)((double)time * levels[to].cost / levels[from].cost);
}

/* As many steps as it should take; it failed soon after a trial: the next one waits. */
static int
coarsen(DebyePace *pace, int level, gint64 time)
{
  int next = level;
  while (next + 1 < (int)G_N_ELEMENTS(levels) && predict(level, time, next) > SLOW)
    next++;
  pace->patience = MIN(2 * pace->patience, MAX_PATIENCE);
  pace->calm = 0;
  return next;
}

static int
refine(DebyePace *pace, int level, gint64 time)
{
  if (level == 0 || predict(level, time, level - 1) > FAST) {
    pace->calm = 0;
    return level;
  }
  if (++pace->calm < pace->patience)
    return level;
  pace->calm = 0;
  return level - 1;
}

void
debye_pace_tell(DebyePace *pace, gint64 time)
{
  int level = get_level(pace), next;
  gint64 least = pace->last_time > 0 ? MIN(time, pace->last_time) : 0;
  pace->patience = MAX(pace->patience, LEAST_PATIENCE);
  if (least > SLOW)
    next = coarsen(pace, level, least);
  else
    next = refine(pace, level, time);
  pace->level = next + 1;
  pace->last_time = next == level ? time : 0;
}
