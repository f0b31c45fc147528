/* SPDX-License-Identifier: MIT */
/* Implementation of lanes.h: the loop that every long computation runs in, who takes which items, and what
 * happens when a device fails. */
#include "lanes_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
retire(DebyeLane *lane, const DebyeStatus *status)
{
  DebyeLaneReport *report = debye_lane_report(lane);
  lane->opened = false;
  report->retired = true;
  snprintf(report->reason, sizeof report->reason, "%s", status->text);
  memcpy(report->message, status->message, sizeof report->message);
  lane->lanes->failure = *status;
}

/* Counts the items of one call of `work` and reports them; called without the mutex. */

static void
count_finished(DebyeLane *lane, DebyeLaneSpan span)
{
  DebyeLanes *lanes = lane->lanes;
  pthread_mutex_lock(&lanes->finished_mutex);
  pthread_mutex_lock(&lanes->mutex);
  size_t n_done = lanes->n_done += span.count;
  debye_lane_report(lane)->items_done += span.count;
  pthread_mutex_unlock(&lanes->mutex);
  if (lanes->work->finished != NULL)
    lanes->work->finished(lanes->work->context, span.first, span.count, n_done);
  pthread_mutex_unlock(&lanes->finished_mutex);
}

/* Executes items; the mutex is held on entry and on return. */
static void
do_items(DebyeLane *lane, DebyeLaneSpan span)
{
  DebyeLanes *lanes = lane->lanes;
  const DebyeLaneWork *work = lanes->work;
  DebyeStatus status = {0};
  pthread_mutex_unlock(&lanes->mutex);
  double start = debye_lanes_now();
  DebyeStatusCode code =
      work->work(work->context, lane->state, span.first, span.count, lanes->cancel, &status);
  double seconds = debye_lanes_now() - start;
  if (code == DEBYE_STATUS_OK)
    count_finished(lane, span);
  pthread_mutex_lock(&lanes->mutex);

  debye_lane_report(lane)->busy_seconds += seconds;
  lane->expected_end = 0.0;
  lanes->n_working--;
  if (code == DEBYE_STATUS_OK) {
    debye_lane_measure(lane, span, seconds);
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

/* A lane's own state, without the mutex. */

static void
close_state(DebyeLane *lane)
{
  const DebyeLaneWork *work = lane->lanes->work;
  work->close(work->context, lane->state);
  free(lane->state);
  lane->state = NULL;
}

static DebyeStatusCode
open_state(DebyeLane *lane, DebyeStatus *status)
{
  const DebyeLaneWork *work = lane->lanes->work;
  lane->state = calloc(1, work->state_bytes > 0 ? work->state_bytes : 1);
  if (lane->state == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  const DebyeStatusCode code =
      work->open(work->context, lane->device, (size_t)(lane - lane->lanes->lanes), lane->state, status);
  if (code != DEBYE_STATUS_OK)
    close_state(lane);
  return code;
}

/* The thread of a lane. */

static void
obey_open(DebyeLane *lane)
{
  DebyeLanes *lanes = lane->lanes;
  DebyeStatus status = {0};
  pthread_mutex_unlock(&lanes->mutex);
  const DebyeStatusCode code = open_state(lane, &status);
  pthread_mutex_lock(&lanes->mutex);
  lane->opened = true;
  if (code == DEBYE_STATUS_OK)
    return;
  status.code = code;
  retire(lane, &status);
  if (code == DEBYE_STATUS_INVALID)
    lanes->end = status;
}

/* A lane that finds nothing to take waits as long as another works: that one may fail and give its items
 * back. A CPU that declines relies on an accelerator that is not through yet, and accelerators never decline.
 */
static void
obey_run(DebyeLane *lane)
{
  DebyeLanes *lanes = lane->lanes;
  while (lane->opened && lanes->end.code == DEBYE_STATUS_OK) {
    DebyeLaneSpan span;
    if (lanes->n_working == 0 && debye_lanes_n_items_left(lanes) == 0)
      break;
    if (debye_is_cancelled(lanes->cancel)) {
      debye_status_set(&lanes->end, DEBYE_STATUS_CANCELLED, "Stopped.");
      break;
    }
    if (debye_lane_take_items(lane, &span))
      do_items(lane, span);
    else
      pthread_cond_wait(&lanes->changed, &lanes->mutex);
  }
  pthread_cond_broadcast(&lanes->changed);
}

/* A lane that retired while it worked still has its state to close. */
static void
obey_close(DebyeLane *lane)
{
  DebyeLanes *lanes = lane->lanes;
  lane->opened = false;
  if (lane->state == NULL)
    return;
  pthread_mutex_unlock(&lanes->mutex);
  close_state(lane);
  pthread_mutex_lock(&lanes->mutex);
}

static void *
run_lane(void *data)
{
  DebyeLane *lane = data;
  DebyeLanes *lanes = lane->lanes;
  DebyeLaneCommand command = COMMAND_NONE;
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
command_all(DebyeLanes *lanes, DebyeLaneCommand command)
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
  DebyeLane *lane = &lanes->lanes[i];
  lane->lanes = lanes;
  lane->device = device;
  lane->is_cpu = debye_device_is_cpu(device);
  lane->speed = device->info.score > 0.0 ? device->info.score : 1e9;
  snprintf(lanes->reports[i].device, sizeof lanes->reports[i].device, "%s", device->info.name);
  snprintf(lanes->reports[i].id, sizeof lanes->reports[i].id, "%s", device->info.id);
}

static void
start_lane(DebyeLane *lane)
{
  lane->has_thread = pthread_create(&lane->thread, NULL, run_lane, lane) == 0;
  if (lane->has_thread)
    return;
  DebyeStatus status;
  debye_status_set(&status, DEBYE_STATUS_NO_MEMORY, "The system can't start a thread for this device.");
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
  free(lanes->waiting);
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
                          "No device is left to compute on. The last one reported: %s",
                          lanes->failure.message);
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
    code = debye_status_set(status, lanes->end.code, "%s", lanes->end.message);
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
  if (!debye_lanes_set_waiting(lanes, n_items)) {
    pthread_mutex_unlock(&lanes->mutex);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory to share the work.");
  }
  lanes->n_returned = lanes->n_working = lanes->n_done = 0;
  lanes->item_cost = item_cost;
  lanes->cancel = cancel;
  lanes->end = (DebyeStatus){0};
  for (size_t i = 0; i < lanes->n_lanes; i++) {
    lanes->lanes[i].part = lanes->n_waiting;
    lanes->reports[i].items_done = 0;
    lanes->reports[i].busy_seconds = 0.0;
  }
  command_all(lanes, COMMAND_RUN);
  /* A Stop that came after the last item was taken stopped nothing. */
  if (lanes->n_done == n_items)
    code = debye_status_ok(status);
  else if (lanes->end.code != DEBYE_STATUS_OK)
    code = debye_status_set(status, lanes->end.code, "%s", lanes->end.message);
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
