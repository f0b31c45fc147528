/* SPDX-License-Identifier: MIT */
/* A frame's charges on the way to the device: copied to pinned memory by all threads, and from there by the
 * bus while the host looks through them and goes on. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/potential/charges.h"

typedef struct {
  float *host, *device; /* a frame's x, then its y, z and charges: room for `room` of each */
  size_t room;
  DebyeCharges charges, on_host; /* those on the device; the same in pinned memory */
  double total;                  /* Σ|q| */
} DebyeStagedCharges;

/* Its part of a plan's list; `room` is set. */
void debye_staged_charges_list(DebyeStagedCharges *staged, DebyePlanMemory *memory);
/* Waits for the stream, where the last frame's copy may still be; the new one's is in it afterwards. INVALID
 * where a charge can't be summed; what is on the device then is not to be used. */
DebyeStatusCode debye_staged_charges_set(DebyeStagedCharges *staged, const DebyeCharges *charges,
                                         DebyeStream *stream, DebyeStatus *status);
