/* SPDX-License-Identifier: MIT */
/* Lanes: one device with one host thread each, sharing one queue of work items. Accelerators take items from the front,
 * the CPU from the back. A lane that lacks memory or fails gives its item back and retires with its reason; another lane
 * repeats the item. Only when no lane is left and items remain has the whole failed. Inputs are const and outputs of
 * items are disjoint, so any item can be done again, by any lane, with the same result within the kernel's tolerance.
 *
 * The CPU lane's kernels are themselves parallel (cpu/parallel.h). Cancel and progress are looked at in this loop only. */
#pragma once

#include "registry.h"

typedef struct DebyeLanes DebyeLanes;

typedef struct {
  char device[96];        /* name */
  char id[24];
  size_t items_done;
  double busy_seconds;
  bool retired;
  char reason[248];       /* why it retired; empty otherwise */
} DebyeLaneReport;

/* What to do. All functions get `context`; open/work/close of one lane run on that lane's thread. */
typedef struct {
  void *context;
  size_t n_items;
  /* Plans the kernel on the lane's device. Not OK: the lane retires with that reason. *lane_state is the lane's own. */
  DebyeStatusCode (*open)(void *context, const DebyeDeviceEntry *device, void **lane_state, DebyeStatus *status);
  DebyeStatusCode (*work)(void *context, void *lane_state, size_t item, const volatile bool *cancel,
                          DebyeStatus *status);
  void (*close)(void *context, void *lane_state);
  /* Called from lane threads, one at a time, after each item (item finished) with the number done. May be NULL. */
  void (*finished)(void *context, size_t item, size_t n_done);
} DebyeLaneWork;

/* Threads are started once and wait between runs. */
DebyeLanes *debye_lanes_new(const DebyeDeviceEntry *const *devices, size_t n_devices);
void debye_lanes_free(DebyeLanes *lanes);

/* Opens every lane for this kind of work (plans stay open over many debye_lanes_run), runs, closes. */
DebyeStatusCode debye_lanes_open(DebyeLanes *lanes, const DebyeLaneWork *work, DebyeStatus *status);
/* All items of the opened work, each exactly once counted as done. `cancel` may be set by any thread. Returns OK,
 * CANCELLED, INVALID (an item says its arguments are wrong), or the last failure when no lane is left. */
DebyeStatusCode debye_lanes_run(DebyeLanes *lanes, size_t n_items, const volatile bool *cancel, DebyeStatus *status);
void debye_lanes_close(DebyeLanes *lanes);

/* One report a lane, in the order of the devices; valid until the next run. */
size_t debye_lanes_get_reports(const DebyeLanes *lanes, const DebyeLaneReport **reports);
