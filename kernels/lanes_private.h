/* SPDX-License-Identifier: MIT */
/* What the files behind lanes.h share: the loop (lanes.c) and who takes how much (lanes_sharing.c). */
#pragma once

#include "lanes.h"

#include <pthread.h>

typedef enum { COMMAND_NONE, COMMAND_OPEN, COMMAND_RUN, COMMAND_CLOSE, COMMAND_QUIT } DebyeLaneCommand;

typedef struct {
  size_t first, count;
} DebyeLaneSpan;

typedef struct {
  DebyeLanes *lanes;
  const DebyeDeviceEntry *device;
  pthread_t thread;
  bool has_thread, is_cpu;
  bool opened; /* and neither retired nor closed */
  void *state;
  size_t part;         /* in `waiting`, that items were last taken from */
  double speed;        /* cost a second */
  double expected_end; /* of the call in progress; 0 outside of one */
  unsigned long command_seen;
} DebyeLane;

struct DebyeLanes {
  pthread_mutex_t
      finished_mutex;       /* taken before `mutex`: calls of `finished` are one at a time and in order */
  pthread_mutex_t mutex;    /* all below */
  pthread_cond_t commanded; /* a new command */
  pthread_cond_t changed;   /* a lane ended a call, gave items back, or ended its command */
  DebyeLane *lanes;
  DebyeLaneReport *reports;
  size_t n_lanes;

  DebyeLaneCommand command;
  unsigned long command_number;
  size_t n_obeying;
  const DebyeLaneWork *work;

  DebyeLaneSpan *waiting;  /* items never taken, of each part */
  size_t n_waiting, room;  /* parts; and that there is memory for */
  DebyeLaneSpan *returned; /* items of lanes that failed; each lane fails once */
  size_t n_returned;
  size_t n_working, n_done;
  double item_cost;
  const volatile bool *cancel;
  DebyeStatus end;     /* why the run stops early */
  DebyeStatus failure; /* the last of a lane */
};

double debye_lanes_now(void); /* seconds */

static inline DebyeLaneReport *
debye_lane_report(DebyeLane *lane)
{
  return &lane->lanes->reports[lane - lane->lanes->lanes];
}

/* lanes_sharing.c. All with the mutex held. */

/* The parts of a run: false where there is no memory for them. */
bool debye_lanes_set_waiting(DebyeLanes *lanes, size_t n_items);

size_t debye_lanes_n_items_left(const DebyeLanes *lanes);
/* Takes items for a call. False where there is nothing that this lane should take. */
bool debye_lane_take_items(DebyeLane *lane, DebyeLaneSpan *taken);
/* What the call tells about the speed of the lane's device. */
void debye_lane_measure(DebyeLane *lane, DebyeLaneSpan span, double seconds);
