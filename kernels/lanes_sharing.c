/* SPDX-License-Identifier: MIT */
/* Decides how many items a lane takes at a time, and which; called by lanes.c. It goes by what its device and
 * the others do in a second. */
#include "lanes_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A call shorter than the first loses to start-up and drain what sharing gains; one longer than the second
 * makes progress coarse. */
#define SHORTEST_SECONDS 0.1
#define LONGEST_SECONDS 0.4
/* The CPU takes what it finishes in this part of the time that the accelerators still need, so that being
 * slower than expected it still doesn't delay the end. */
#define CPU_PART 0.7
/* A CPU below this part of the accelerators' speed only takes what they can't: its threads beside theirs,
 * which feed the devices, cost more than it adds (measured: 16 cores are 2.7 % of an H200, and made a map 6 %
 * slower). */
#define LEAST_CPU_SPEED 0.05
/* A shorter call measures its overhead, not the device. */
#define LEAST_MEASURED_SECONDS 0.01
/* Less than this share of a part is not left over: another lane would have to bring its input first. */
#define LEAST_REST 8

double
debye_lanes_now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

size_t
debye_lanes_n_items_left(const DebyeLanes *lanes)
{
  size_t n = 0;
  for (size_t i = 0; i < lanes->n_waiting; i++)
    n += lanes->waiting[i].count;
  for (size_t i = 0; i < lanes->n_returned; i++)
    n += lanes->returned[i].count;
  return n;
}

/* The work of the accelerators (or of all lanes) in sight, in seconds: what is under way and what is left. */
static double
seconds_left(const DebyeLanes *lanes, double now, bool accelerators_only, double *speed)
{
  double cost = lanes->item_cost * (double)debye_lanes_n_items_left(lanes);
  *speed = 0.0;
  for (size_t i = 0; i < lanes->n_lanes; i++) {
    const DebyeLane *lane = &lanes->lanes[i];
    if (!lane->opened || (accelerators_only && lane->is_cpu))
      continue;
    *speed += lane->speed;
    if (lane->expected_end > now)
      cost += lane->speed * (lane->expected_end - now);
  }
  return *speed > 0.0 ? cost / *speed : 0.0;
}

/* How many items the lane should take now, of those left. 0: better none, while others work. */
static double
items_wanted(const DebyeLane *lane)
{
  const DebyeLanes *lanes = lane->lanes;
  if (!(lanes->item_cost > 0.0))
    return 1.0;
  double speed, now = debye_lanes_now(), rate = lane->speed / lanes->item_cost;
  double share = seconds_left(lanes, now, false, &speed) * rate;
  /* Alone, or as good as alone, there is nobody to share the rest with. */
  double wanted = speed < (1.0 + LEAST_CPU_SPEED) * lane->speed ? share : share / 2.0;
  if (!lane->is_cpu || speed <= lane->speed)
    wanted = fmax(wanted, fmin(share, SHORTEST_SECONDS * rate));
  wanted = fmin(wanted, LONGEST_SECONDS * rate);
  if (lane->is_cpu) {
    double others = seconds_left(lanes, now, true, &speed);
    if (speed > 0.0 && lane->speed < LEAST_CPU_SPEED * speed)
      return 0.0;
    if (speed > 0.0 && (wanted = fmin(fmax(wanted, 1.0), CPU_PART * others * rate)) < 1.0)
      return 0.0;
  }
  return fmax(ceil(wanted - 0.5), 1.0);
}

static DebyeLaneSpan
take_from(DebyeLaneSpan *span, size_t count, bool from_back)
{
  DebyeLaneSpan taken = {span->first, count < span->count ? count : span->count};
  if (from_back)
    taken.first = span->first + span->count - taken.count;
  else
    span->first += taken.count;
  span->count -= taken.count;
  return taken;
}

bool
debye_lanes_set_waiting(DebyeLanes *lanes, size_t n_items)
{
  const size_t part = lanes->work->part_items > 0 ? lanes->work->part_items : n_items;
  const size_t n = n_items > 0 ? (n_items + part - 1) / part : 1;
  if (n > lanes->room) {
    free(lanes->waiting);
    lanes->waiting = calloc(n, sizeof *lanes->waiting);
    lanes->room = lanes->waiting != NULL ? n : 0;
  }
  lanes->n_waiting = lanes->room > 0 ? n : 0;
  for (size_t i = 0; i < lanes->n_waiting; i++) {
    const size_t first = i * part, left = n_items - first;
    lanes->waiting[i] = (DebyeLaneSpan){first, left < part ? left : part};
  }
  return lanes->n_waiting > 0;
}

static bool
is_begun(const DebyeLanes *lanes, size_t part)
{
  for (size_t i = 0; i < lanes->n_lanes; i++)
    if (lanes->lanes[i].part == part)
      return true;
  return false;
}

/* The part that a lane goes on with: its own, one that no lane has, or that with most left; accelerators look
 * from the front, the CPU from the back. There is one with items. */
static size_t
choose_part(const DebyeLane *lane)
{
  const DebyeLanes *lanes = lane->lanes;
  const size_t n = lanes->n_waiting;
  size_t best = n;
  if (lane->part < n && lanes->waiting[lane->part].count > 0)
    return lane->part;
  for (size_t i = 0; i < n; i++) {
    const size_t part = lane->is_cpu ? n - 1 - i : i, left = lanes->waiting[part].count;
    if (left == 0)
      continue;
    if (!is_begun(lanes, part))
      return part;
    if (best == n || left > lanes->waiting[best].count)
      best = part;
  }
  return best;
}

static DebyeLaneSpan
take_from_part(DebyeLane *lane, size_t count)
{
  DebyeLanes *lanes = lane->lanes;
  lane->part = choose_part(lane);
  DebyeLaneSpan *span = &lanes->waiting[lane->part];
  const size_t part = lanes->n_waiting > 1 ? lanes->work->part_items : 0;
  if (span->count < count + part / LEAST_REST)
    count = span->count;
  return take_from(span, count, lane->is_cpu);
}

static bool
is_first_left(const DebyeLane *lane)
{
  const DebyeLane *first = lane->lanes->lanes;
  while (!first->opened)
    first++;
  return first == lane;
}

/* Returned items first: they are the oldest. */
bool
debye_lane_take_items(DebyeLane *lane, DebyeLaneSpan *taken)
{
  DebyeLanes *lanes = lane->lanes;
  if (lanes->work->alone && !is_first_left(lane))
    return false;
  size_t left = debye_lanes_n_items_left(lanes);
  double wanted = left > 0 ? items_wanted(lane) : 0.0;
  if (!(wanted >= 1.0))
    return false;
  size_t count = wanted < (double)left ? (size_t)wanted : left;
  if (lanes->n_returned > 0) {
    DebyeLaneSpan *span = &lanes->returned[lanes->n_returned - 1];
    *taken = take_from(span, count, lane->is_cpu);
    if (span->count == 0)
      lanes->n_returned--;
  } else {
    *taken = take_from_part(lane, count);
  }
  double seconds = lanes->item_cost * (double)taken->count / lane->speed;
  lane->expected_end = debye_lanes_now() + seconds;
  lanes->n_working++;
  return true;
}

void
debye_lane_measure(DebyeLane *lane, DebyeLaneSpan span, double seconds)
{
  double score = lane->device->info.score;
  if (seconds < LEAST_MEASURED_SECONDS || !(lane->lanes->item_cost > 0.0) || !(score > 0.0))
    return;
  double measured = lane->lanes->item_cost * (double)span.count / seconds;
  double speed = 0.5 * (lane->speed + fmin(fmax(measured, score / 16.0), score * 4.0));
  /* Devices of one kind are equally fast, so that equal shares end together. */
  for (size_t i = 0; i < lane->lanes->n_lanes; i++) {
    DebyeLane *other = &lane->lanes->lanes[i];
    if (strcmp(debye_lane_report(other)->device, debye_lane_report(lane)->device) == 0)
      other->speed = speed;
  }
}
