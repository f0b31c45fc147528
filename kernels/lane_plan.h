/* SPDX-License-Identifier: MIT */
/* What every lane that plans a kernel on its device does in the same way: asks whether the back end has the
 * kernel and the device the memory, counts who shares the cores, and remembers what its plan was last
 * set to. What differs from kernel to kernel, its types and what a lane keeps beside the plan, stays with the
 * files that have the lanes; the memory of that is lanes.h's (DebyeLaneWork.state_bytes). */
#pragma once

#include "lanes.h"

/* Lanes of accelerators that there will be: each keeps a core busy, which the CPU's own lane spares. */
unsigned debye_lane_count_accelerators(const DebyeDeviceEntry *const *devices, size_t n_devices);

/* UNSUPPORTED where `kernel`, the entry of the device's back end, is NULL. `task` completes "CUDA can't …". */
DebyeStatusCode debye_lane_check_kernel(const DebyeDeviceEntry *device, const void *kernel, const char *task,
                                        DebyeStatus *status);
/* NO_MEMORY where a plan would take more bytes than `limit`; 0: there is none. */
DebyeStatusCode debye_lane_check_memory(uint64_t bytes, uint64_t limit, DebyeStatus *status);
/* NO_MEMORY, and in words how much is needed. */
DebyeStatusCode debye_lane_refuse_memory(uint64_t bytes, uint64_t limit, DebyeStatus *status);

/* Which input a lane's plan is set to, so that items that share one set it once: input `index` of execution
 * `execution`, counted from 1. All zero: none. */
typedef struct {
  unsigned long execution;
  size_t index;
} DebyeLaneInput;

static inline bool
debye_lane_input_is(const DebyeLaneInput *input, unsigned long execution, size_t index)
{
  return input->execution == execution && input->index == index;
}

/* After setting it: none where that failed. Returns `code`. */
static inline DebyeStatusCode
debye_lane_input_note(DebyeLaneInput *input, unsigned long execution, size_t index, DebyeStatusCode code)
{
  *input = code == DEBYE_STATUS_OK ? (DebyeLaneInput){execution, index} : (DebyeLaneInput){0, 0};
  return code;
}
