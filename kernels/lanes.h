/* SPDX-License-Identifier: MIT */
/* Lanes: one device with one host thread each, sharing one queue of work items. Accelerators take items from
 * the front, the CPU from the back. A lane that lacks memory or fails gives its items back and retires with
 * its reason; another lane repeats them. Only when no lane is left and items remain has the whole failed.
 * Inputs are const and outputs of items are disjoint, so any item can be done again, by any lane, with the
 * same result within the kernel's tolerance.
 *
 * A lane takes a run of consecutive items at a time: large while much is left, so that a device is kept full,
 * smaller towards the end, so that all finish together. What a lane can do in a second is first its device's
 * score and then what was measured. The CPU beside a fast device takes only what it can finish before that
 * device is through.
 *
 * The CPU lane's kernels are themselves parallel (cpu/common/parallel.h). Cancel and progress are looked at
 * in this loop only. */
#pragma once

#include "registry.h"

typedef struct DebyeLanes DebyeLanes;

typedef struct {
  char device[96]; /* name */
  char id[24];
  size_t items_done;
  double busy_seconds;
  bool retired;
  char reason[248];                   /* why it retired; empty otherwise */
  char message[DEBYE_STATUS_MESSAGE]; /* the same as data */
} DebyeLaneReport;

/* What to do. All functions get `context`; open/work/close of one lane run on that lane's thread. */
typedef struct {
  void *context;
  /* Bytes of a lane's own state, which its open, work and close get: zeroed before open, freed after close. */
  size_t state_bytes;
  /* Plans the kernel on the lane's device, `number` among all. Not OK: the lane is closed and retires with that reason. */
  DebyeStatusCode (*open)(void *context, const DebyeDeviceEntry *device, size_t number, void *lane_state,
                          DebyeStatus *status);
  /* Items [first, first + count). */
  DebyeStatusCode (*work)(void *context, void *lane_state, size_t first, size_t count,
                          const volatile bool *cancel, DebyeStatus *status);
  /* Once after each open, also after one that failed: what that did not come to is still zero. */
  void (*close)(void *context, void *lane_state);
  /* Called from lane threads, one at a time, after each run of items with the number of all done. May be
   * NULL. */
  void (*finished)(void *context, size_t first, size_t count, size_t n_done);
  /* Where so many consecutive items share an input that a lane must bring to its device first: a lane stays
   * with such a part as long as there is something left of it, and begins one of its own where it can. Read
   * by each debye_lanes_run. 0: all items share theirs. */
  size_t part_items;
  /* One lane at a time, the first that is left: the others wait for it to fail. */
  bool alone;
} DebyeLaneWork;

/* Threads are started once and wait between runs. NULL on exhausted memory. */
DebyeLanes *debye_lanes_new(const DebyeDeviceEntry *const *devices, size_t n_devices);
void debye_lanes_free(DebyeLanes *lanes);

/* Opens every lane for this kind of work; plans stay open over many debye_lanes_run, until debye_lanes_close.
 * Not OK where no lane could be opened, or one said INVALID. `work` is borrowed until then. */
DebyeStatusCode debye_lanes_open(DebyeLanes *lanes, const DebyeLaneWork *work, DebyeStatus *status);
/* All items of the opened work, each exactly once counted as done. `item_cost` is roughly what one item
 * costs, in the pairs of DebyeDeviceInfo.score; 0 where unknown: items are then taken one by one. `cancel`
 * may be set by any thread. Returns OK, CANCELLED, INVALID (an item says its arguments are wrong), or the
 * last failure when no lane is left. */
DebyeStatusCode debye_lanes_run(DebyeLanes *lanes, size_t n_items, double item_cost,
                                const volatile bool *cancel, DebyeStatus *status);
void debye_lanes_close(DebyeLanes *lanes);

/* One report a lane, in the order of the devices; valid until the next run. */
size_t debye_lanes_get_reports(const DebyeLanes *lanes, const DebyeLaneReport **reports);
