/* SPDX-License-Identifier: MIT */
/* Shares any kernel's work over devices (lanes.h). A family of kernels says what its inputs and items are, how
 * a plan is set to an input, and how a run of items is executed; what is the same for all is here: whether a
 * device has the kernel and the memory, its plans, which input they are set to, that an item whose lane fails
 * is counted once, progress and reports.
 *
 * The items of an execution are n_inputs × n_items: those of the first input, then those of the second, ….
 * A family's struct begins with a DebyeSharing, what it keeps for a lane with a DebyeSharingLane. */
#pragma once

#include <pthread.h>

#include "kernel_head.h"
#include "lanes.h"

typedef struct DebyeSharing DebyeSharing;

typedef struct {
  const DebyeDeviceEntry *device;
  size_t number;                 /* among the share's devices */
  const DebyeKernelHead *kernel; /* what the family's table begins with */
  DebyeKernelPlan *plan;
  void *settings;        /* of the plan */
  uint64_t memory_limit; /* bytes; 0: what there is */
  void *values;          /* on the host, values_bytes, for the family */
  size_t values_bytes;
  size_t bad; /* what execute, or setting an input, calls INVALID: the input, unless it says another number */
  /* The input that the plan is set to, and whose, by the share's count. */
  unsigned long execution;
  size_t input;
} DebyeSharingLane;

/* Items [first, first + count) of an input. */
typedef struct {
  size_t input, first, count;
} DebyeSharingRun;

/* Functions but execute may be NULL; those that get a lane run on its thread. */
typedef struct {
  const char *task;     /* completes "CUDA can't …" */
  size_t kernel;        /* where DebyeBackend has the kernel */
  size_t size;          /* of the family's struct */
  size_t lane_size;     /* of what it keeps for a lane; 0: a DebyeSharingLane */
  size_t settings_size; /* of the kernel's settings */
  /* Where those have an `unsigned` number of cores to leave to accelerators, and a size_t that a lane may halve
   * to come by with its memory: no run has more items. 0: nowhere. */
  size_t spare_cores, chunk;
  /* All on the first device that can, the next where it fails: each is planned when its turn comes. */
  bool alone;
  /* Sets what of lane->settings, memory_limit and values_bytes depends on the device. */
  void (*adjust)(const DebyeSharing *share, DebyeSharingLane *lane);
  DebyeStatusCode (*set)(const DebyeSharing *share, DebyeSharingLane *lane, size_t input,
                         DebyeStatus *status);
  DebyeStatusCode (*execute)(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run,
                             const volatile bool *cancel, DebyeStatus *status);
  /* As DebyeLaneWork's; else the execution's progress is called. */
  void (*finished)(void *share, size_t first, size_t count, size_t n_done);
  void (*close)(DebyeSharingLane *lane); /* ends what the family keeps beside the plan */
  void (*clear)(DebyeSharing *share);    /* likewise */
} DebyeSharingFamily;

/* Called from lane threads, one at a time: `done` of `total` items are done. May be NULL. */
typedef void (*DebyeSharingProgress)(void *data, size_t done, size_t total);

typedef struct {
  size_t n_inputs, n_items; /* of each */
  double item_cost;         /* as debye_lanes_run's */
  bool apart;       /* a lane begins inputs of its own, where it can: each costs it something to set */
  bool same_inputs; /* those of the run before: lanes that are set to one stay so */
  const volatile bool *cancel;
  DebyeSharingProgress progress;
  void *data;
  size_t *bad; /* gets what INVALID is about; may be NULL */
} DebyeSharingJob;

/* Read by families. */
struct DebyeSharing {
  const DebyeSharingFamily *family;
  const char *task;
  size_t kernel;
  void *settings; /* a copy, with spare_cores set */
  uint64_t memory_limit;
  size_t values_bytes; /* of each lane */
  size_t n_lanes;
  pthread_mutex_t mutex; /* `bad`, and what execute adds to */
  DebyeLanes *lanes;
  DebyeLaneWork work;

  /* The execution under way. */
  DebyeSharingJob job;
  unsigned long execution; /* counts what has inputs of its own, from 1 */
  bool *done;              /* by item: what a lane took and gave back may partly have been done */
  size_t room, bad;
};

/* Lanes of accelerators that there will be: each keeps a core busy, which the CPU's own lane spares. */
unsigned debye_sharing_count_accelerators(const DebyeDeviceEntry *const *devices, size_t n_devices);
/* Halves *chunk (may be NULL) of the settings until a plan takes at most `limit` bytes; 0: any. Returns what it
 * takes then, UINT64_MAX where there can't be one. */
uint64_t debye_sharing_fit(const DebyeKernelHead *kernel, const DebyeDeviceEntry *device,
                           const void *settings, size_t *chunk, uint64_t limit);

/* The family's struct, zero but for what is above. NULL on exhausted memory. */
void *debye_sharing_new(const DebyeSharingFamily *family, const void *settings, uint64_t memory_limit,
                        const DebyeDeviceEntry *const *devices, size_t n_devices);
/* Plans the kernel on all devices; again, with settings that have changed. */
DebyeStatusCode debye_sharing_open(DebyeSharing *share, DebyeStatus *status);
/* Opens what debye_sharing_new gave, where the family had memory for the rest of it, too; or says why not: then it
 * is freed, and *share NULL. */
DebyeStatusCode debye_sharing_start(void *made, bool is_complete, DebyeSharing **share, DebyeStatus *status);
DebyeStatusCode debye_sharing_run(DebyeSharing *share, const DebyeSharingJob *job, DebyeStatus *status);
/* The lane's values, at least so many bytes of them: NULL on exhausted memory. */
void *debye_sharing_values(DebyeSharingLane *lane, size_t bytes);
/* One report a lane, in the order of the devices; valid until the next run. */
size_t debye_sharing_get_reports(const DebyeSharing *share, const DebyeLaneReport **reports);
void debye_sharing_free(DebyeSharing *share);

/* Writes sums of n values of n_parts arrays, added in their order, on all cores; zeros where there are no parts. */
void debye_sharing_sum_values(double *sum, const double *const *parts, size_t n, size_t n_parts);
/* Adds n values of each of n_parts arrays, that stand one after the other, in their order, on all cores. */
void debye_sharing_add_values(double *sum, const double *parts, size_t n, size_t n_parts);
void debye_sharing_add_counts(uint64_t *sum, const uint64_t *parts, size_t n, size_t n_parts);
