/* SPDX-License-Identifier: MIT */
/* The loop that every long computation runs in: who takes which items, and what happens when a device fails.
 */
#include "lanes.h"

#include <pthread.h>
#include <stdio.h>
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

typedef enum { COMMAND_NONE, COMMAND_OPEN, COMMAND_RUN, COMMAND_CLOSE, COMMAND_QUIT } Command;

typedef struct {
  size_t first, count;
} Span;

typedef struct {
  DebyeLanes *lanes;
  const DebyeDeviceEntry *device;
  pthread_t thread;
  bool has_thread, is_cpu;
  bool opened; /* and neither retired nor closed */
  void *state;
  double speed;        /* cost a second */
  double expected_end; /* of the call in progress; 0 outside of one */
  unsigned long command_seen;
} Lane;

struct DebyeLanes {
  pthread_mutex_t
      finished_mutex;       /* taken before `mutex`: calls of `finished` are one at a time and in order */
  pthread_mutex_t mutex;    /* all below */
  pthread_cond_t commanded; /* a new command */
  pthread_cond_t changed;   /* a lane ended a call, gave items back, or ended its command */
  Lane *lanes;
  DebyeLaneReport *reports;
  size_t n_lanes;

  Command command;
  unsigned long command_number;
  size_t n_obeying;
  const DebyeLaneWork *work;

  Span waiting;   /* items never taken */
  Span *returned; /* items of lanes that failed; each lane fails once */
  size_t n_returned;
  size_t n_working, n_done;
  double item_cost;
  const volatile bool *cancel;
  DebyeStatus end;     /* why the run stops early */
  DebyeStatus failure; /* the last of a lane */
};

static double
now_seconds(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static DebyeLaneReport *
report_of(Lane *lane)
{
  return &lane->lanes->reports[lane - lane->lanes->lanes];
}

static void
retire(Lane *lane, const DebyeStatus *status)
{
  DebyeLaneReport *report = report_of(lane);
  lane->opened = false;
  report->retired = true;
  snprintf(report->reason, sizeof report->reason, "%s", status->text);
  lane->lanes->failure = *status;
}

/* Sharing. All with the mutex held. */

static size_t
n_items_left(const DebyeLanes *lanes)
{
  size_t n = lanes->waiting.count;
  for (size_t i = 0; i < lanes->n_returned; i++)
    n += lanes->returned[i].count;
  return n;
}

/* The work of the accelerators (or of all lanes) in sight, in seconds: what is under way and what is left. */
static double
seconds_left(const DebyeLanes *lanes, double now, bool accelerators_only, double *speed)
{
  double cost = lanes->item_cost * (double)n_items_left(lanes);
  *speed = 0.0;
  for (size_t i = 0; i < lanes->n_lanes; i++) {
    const Lane *lane = &lanes->lanes[i];
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
items_wanted(const Lane *lane)
{
  const DebyeLanes *lanes = lane->lanes;
  if (!(lanes->item_cost > 0.0))
    return 1.0;
  double speed, now = now_seconds(), rate = lane->speed / lanes->item_cost;
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

static Span
take_from(Span *span, size_t count, bool from_back)
{
  Span taken = {span->first, count < span->count ? count : span->count};
  if (from_back)
    taken.first = span->first + span->count - taken.count;
  else
    span->first += taken.count;
  span->count -= taken.count;
  return taken;
}

/* Returned items first: they are the oldest. False where there is nothing that this lane should take. */
static bool
take_items(Lane *lane, Span *taken)
{
  DebyeLanes *lanes = lane->lanes;
  size_t left = n_items_left(lanes);
  double wanted = left > 0 ? items_wanted(lane) : 0.0;
  if (!(wanted >= 1.0))
    return false;
  size_t count = wanted < (double)left ? (size_t)wanted : left;
  if (lanes->n_returned > 0) {
    Span *span = &lanes->returned[lanes->n_returned - 1];
    *taken = take_from(span, count, lane->is_cpu);
    if (span->count == 0)
      lanes->n_returned--;
  } else {
    *taken = take_from(&lanes->waiting, count, lane->is_cpu);
  }
  double seconds = lanes->item_cost * (double)taken->count / lane->speed;
  lane->expected_end = now_seconds() + seconds;
  lanes->n_working++;
  return true;
}

/* One call of `work`, without the mutex. */

static void
count_finished(Lane *lane, Span span)
{
  DebyeLanes *lanes = lane->lanes;
  pthread_mutex_lock(&lanes->finished_mutex);
  pthread_mutex_lock(&lanes->mutex);
  size_t n_done = lanes->n_done += span.count;
  report_of(lane)->items_done += span.count;
  pthread_mutex_unlock(&lanes->mutex);
  if (lanes->work->finished != NULL)
    lanes->work->finished(lanes->work->context, span.first, span.count, n_done);
  pthread_mutex_unlock(&lanes->finished_mutex);
}

static void
measure(Lane *lane, Span span, double seconds)
{
  double score = lane->device->info.score;
  if (seconds < LEAST_MEASURED_SECONDS || !(lane->lanes->item_cost > 0.0) || !(score > 0.0))
    return;
  double measured = lane->lanes->item_cost * (double)span.count / seconds;
  double speed = 0.5 * (lane->speed + fmin(fmax(measured, score / 16.0), score * 4.0));
  /* Devices of one kind are equally fast, so that equal shares end together. */
  for (size_t i = 0; i < lane->lanes->n_lanes; i++) {
    Lane *other = &lane->lanes->lanes[i];
    if (strcmp(report_of(other)->device, report_of(lane)->device) == 0)
      other->speed = speed;
  }
}

/* With the mutex held on entry and on return. */
static void
do_items(Lane *lane, Span span)
{
  DebyeLanes *lanes = lane->lanes;
  const DebyeLaneWork *work = lanes->work;
  DebyeStatus status = {0};
  pthread_mutex_unlock(&lanes->mutex);
  double start = now_seconds();
  DebyeStatusCode code =
      work->work(work->context, lane->state, span.first, span.count, lanes->cancel, &status);
  double seconds = now_seconds() - start;
  if (code == DEBYE_STATUS_OK)
    count_finished(lane, span);
  pthread_mutex_lock(&lanes->mutex);

  report_of(lane)->busy_seconds += seconds;
  lane->expected_end = 0.0;
  lanes->n_working--;
  if (code == DEBYE_STATUS_OK) {
    measure(lane, span, seconds);
  } else if (code == DEBYE_STATUS_CANCELLED || code == DEBYE_STATUS_INVALID) {
    lanes->end = status;
    lanes->end.code = code;
  } else {
    status.code = code;
    lanes->returned[lanes->n_returned++] = span;
    retire(lane, &status);
  }
  pthread_cond_broadcast(&lanes->changed);
}

/* The thread of a lane. */

static void
obey_open(Lane *lane)
{
  DebyeLanes *lanes = lane->lanes;
  DebyeStatus status = {0};
  const DebyeLaneWork *work = lanes->work;
  pthread_mutex_unlock(&lanes->mutex);
  DebyeStatusCode code = work->open(work->context, lane->device, &lane->state, &status);
  pthread_mutex_lock(&lanes->mutex);
  lane->opened = true;
  if (code == DEBYE_STATUS_OK)
    return;
  status.code = code;
  lane->state = NULL;
  retire(lane, &status);
  if (code == DEBYE_STATUS_INVALID)
    lanes->end = status;
}

/* A lane that finds nothing to take waits as long as another works: that one may fail and give its items
 * back. A CPU that declines relies on an accelerator that is not through yet, and accelerators never decline.
 */
static void
obey_run(Lane *lane)
{
  DebyeLanes *lanes = lane->lanes;
  while (lane->opened && lanes->end.code == DEBYE_STATUS_OK) {
    Span span;
    if (lanes->n_working == 0 && n_items_left(lanes) == 0)
      break;
    if (debye_is_cancelled(lanes->cancel)) {
      debye_status_set(&lanes->end, DEBYE_STATUS_CANCELLED, "Stopped.");
      break;
    }
    if (take_items(lane, &span))
      do_items(lane, span);
    else
      pthread_cond_wait(&lanes->changed, &lanes->mutex);
  }
  pthread_cond_broadcast(&lanes->changed);
}

/* A lane that retired while it worked still has its state to close. */
static void
obey_close(Lane *lane)
{
  DebyeLanes *lanes = lane->lanes;
  void *state = lane->state;
  lane->state = NULL;
  lane->opened = false;
  if (state == NULL)
    return;
  pthread_mutex_unlock(&lanes->mutex);
  lanes->work->close(lanes->work->context, state);
  pthread_mutex_lock(&lanes->mutex);
}

static void *
run_lane(void *data)
{
  Lane *lane = data;
  DebyeLanes *lanes = lane->lanes;
  Command command = COMMAND_NONE;
  pthread_mutex_lock(&lanes->mutex);
  while (command != COMMAND_QUIT) {
    while (lanes->command_number == lane->command_seen)
      pthread_cond_wait(&lanes->commanded, &lanes->mutex);
    lane->command_seen = lanes->command_number;
    command = lanes->command;
    if (command == COMMAND_OPEN)
      obey_open(lane);
    else if (command == COMMAND_RUN)
      obey_run(lane);
    else if (command == COMMAND_CLOSE)
      obey_close(lane);
    lanes->n_obeying--;
    pthread_cond_broadcast(&lanes->changed);
  }
  pthread_mutex_unlock(&lanes->mutex);
  return NULL;
}

/* Gives all lanes one command and waits until each has obeyed it. With the mutex held. */
static void
command_all(DebyeLanes *lanes, Command command)
{
  lanes->command = command;
  lanes->n_obeying = 0;
  for (size_t i = 0; i < lanes->n_lanes; i++)
    lanes->n_obeying += lanes->lanes[i].has_thread;
  lanes->command_number++;
  pthread_cond_broadcast(&lanes->commanded);
  while (lanes->n_obeying > 0)
    pthread_cond_wait(&lanes->changed, &lanes->mutex);
}

/* The public face. */

static void
init_lane(DebyeLanes *lanes, size_t i, const DebyeDeviceEntry *device)
{
  Lane *lane = &lanes->lanes[i];
  lane->lanes = lanes;
  lane->device = device;
  lane->is_cpu = strcmp(device->backend->name, "cpu") == 0;
  lane->speed = device->info.score > 0.0 ? device->info.score : 1e9;
  snprintf(lanes->reports[i].device, sizeof lanes->reports[i].device, "%s", device->info.name);
  snprintf(lanes->reports[i].id, sizeof lanes->reports[i].id, "%s", device->info.id);
}

static void
start_lane(Lane *lane)
{
  lane->has_thread = pthread_create(&lane->thread, NULL, run_lane, lane) == 0;
  if (lane->has_thread)
    return;
  DebyeStatus status;
  debye_status_set(&status, DEBYE_STATUS_NO_MEMORY, "The system gives no thread for this device.");
  retire(lane, &status);
}

DebyeLanes *
debye_lanes_new(const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  DebyeLanes *lanes = calloc(1, sizeof *lanes);
  if (lanes == NULL)
    return NULL;
  size_t room = n_devices > 0 ? n_devices : 1;
  lanes->lanes = calloc(room, sizeof *lanes->lanes);
  lanes->reports = calloc(room, sizeof *lanes->reports);
  lanes->returned = calloc(room, sizeof *lanes->returned);
  if (lanes->lanes == NULL || lanes->reports == NULL || lanes->returned == NULL) {
    free(lanes->lanes);
    free(lanes->reports);
    free(lanes->returned);
    free(lanes);
    return NULL;
  }
  pthread_mutex_init(&lanes->finished_mutex, NULL);
  pthread_mutex_init(&lanes->mutex, NULL);
  pthread_cond_init(&lanes->commanded, NULL);
  pthread_cond_init(&lanes->changed, NULL);
  pthread_mutex_lock(&lanes->mutex);
  for (size_t i = 0; i < n_devices; i++)
    init_lane(lanes, i, devices[i]);
  lanes->n_lanes = n_devices;
  for (size_t i = 0; i < n_devices; i++)
    start_lane(&lanes->lanes[i]);
  pthread_mutex_unlock(&lanes->mutex);
  return lanes;
}

void
debye_lanes_free(DebyeLanes *lanes)
{
  if (lanes == NULL)
    return;
  debye_lanes_close(lanes);
  pthread_mutex_lock(&lanes->mutex);
  command_all(lanes, COMMAND_QUIT);
  pthread_mutex_unlock(&lanes->mutex);
  for (size_t i = 0; i < lanes->n_lanes; i++)
    if (lanes->lanes[i].has_thread)
      pthread_join(lanes->lanes[i].thread, NULL);
  pthread_cond_destroy(&lanes->changed);
  pthread_cond_destroy(&lanes->commanded);
  pthread_mutex_destroy(&lanes->mutex);
  pthread_mutex_destroy(&lanes->finished_mutex);
  free(lanes->lanes);
  free(lanes->reports);
  free(lanes->returned);
  free(lanes);
}

static size_t
count_open(const DebyeLanes *lanes)
{
  size_t n = 0;
  for (size_t i = 0; i < lanes->n_lanes; i++)
    n += lanes->lanes[i].opened;
  return n;
}

static DebyeStatusCode
say_no_lane_left(const DebyeLanes *lanes, DebyeStatus *status)
{
  if (lanes->failure.code == DEBYE_STATUS_OK)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "There is no device to compute on.");
  return debye_status_set(status, lanes->failure.code,
                          "No device is left to compute on. The last one said: %.190s", lanes->failure.text);
}

DebyeStatusCode
debye_lanes_open(DebyeLanes *lanes, const DebyeLaneWork *work, DebyeStatus *status)
{
  debye_lanes_close(lanes);
  pthread_mutex_lock(&lanes->mutex);
  lanes->work = work;
  lanes->end = lanes->failure = (DebyeStatus){0};
  for (size_t i = 0; i < lanes->n_lanes; i++)
    if (lanes->lanes[i].has_thread) {
      lanes->reports[i].retired = false;
      lanes->reports[i].reason[0] = '\0';
    }
  command_all(lanes, COMMAND_OPEN);
  DebyeStatusCode code;
  if (lanes->end.code != DEBYE_STATUS_OK)
    code = debye_status_set(status, lanes->end.code, "%s", lanes->end.text);
  else
    code = count_open(lanes) > 0 ? debye_status_ok(status) : say_no_lane_left(lanes, status);
  pthread_mutex_unlock(&lanes->mutex);
  if (code != DEBYE_STATUS_OK)
    debye_lanes_close(lanes);
  return code;
}

DebyeStatusCode
debye_lanes_run(DebyeLanes *lanes, size_t n_items, double item_cost, const volatile bool *cancel,
                DebyeStatus *status)
{
  DebyeStatusCode code;
  pthread_mutex_lock(&lanes->mutex);
  lanes->waiting = (Span){0, n_items};
  lanes->n_returned = lanes->n_working = lanes->n_done = 0;
  lanes->item_cost = item_cost;
  lanes->cancel = cancel;
  lanes->end = (DebyeStatus){0};
  for (size_t i = 0; i < lanes->n_lanes; i++) {
    lanes->reports[i].items_done = 0;
    lanes->reports[i].busy_seconds = 0.0;
  }
  command_all(lanes, COMMAND_RUN);
  /* A Stop that came after the last item was taken stopped nothing. */
  if (lanes->n_done == n_items)
    code = debye_status_ok(status);
  else if (lanes->end.code != DEBYE_STATUS_OK)
    code = debye_status_set(status, lanes->end.code, "%s", lanes->end.text);
  else
    code = say_no_lane_left(lanes, status);
  pthread_mutex_unlock(&lanes->mutex);
  return code;
}

void
debye_lanes_close(DebyeLanes *lanes)
{
  pthread_mutex_lock(&lanes->mutex);
  if (lanes->work != NULL) {
    command_all(lanes, COMMAND_CLOSE);
    lanes->work = NULL;
  }
  pthread_mutex_unlock(&lanes->mutex);
}

size_t
debye_lanes_get_reports(const DebyeLanes *lanes, const DebyeLaneReport **reports)
{
  *reports = lanes->reports;
  return lanes->n_lanes;
}
