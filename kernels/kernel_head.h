/* SPDX-License-Identifier: MIT */
/* What the table of every kernel begins with, so that lanes, tests and fakes can take any of them: how much
 * memory a plan needs, how it is made and how it ends. Contract as in backend.h. */
#pragma once

#include <stdint.h>

#include "kernels/status.h"

/* A plan is opaque: each kernel casts it to its own. */
typedef struct DebyeKernelPlan DebyeKernelPlan;

/* `settings` are those of the kernel's family. */
typedef struct {
  /* Bytes of the device that create would take, and of the host's memory what is pinned with them for copies;
   * UINT64_MAX where the problem can't be done at all. */
  uint64_t (*bytes_needed)(int device, const void *settings);
  DebyeStatusCode (*create)(int device, const void *settings, DebyeKernelPlan **plan, DebyeStatus *status);
  /* Nothing happens to NULL. */
  void (*destroy)(DebyeKernelPlan *plan);
} DebyeKernelHead;
