/* SPDX-License-Identifier: MIT */
/* A frame's charges on the way to the device: looked through, copied to pinned memory by all threads, and
 * from there by the bus while the host goes on. */
#pragma once

#include "device.cuh"

typedef struct {
  float *host, *device; /* all x, all y, all z, all charges, each with room for `room` */
  size_t room;
  DebyeCharges charges, on_host; /* those on the device; the same in pinned memory */
  double total;                  /* Σ|q| */
} DebyeStagedCharges;

/* On the device. */
uint64_t debye_staged_charges_bytes(size_t max_charges);
cudaError_t debye_staged_charges_create(DebyeStagedCharges *staged, size_t max_charges);
void debye_staged_charges_clear(DebyeStagedCharges *staged);
/* Waits for the stream, where the last frame's copy may still be; the new one's is in it afterwards. INVALID
 * where a charge can't be summed. */
DebyeStatusCode debye_staged_charges_set(DebyeStagedCharges *staged, const DebyeCharges *charges,
                                         cudaStream_t stream, DebyeStatus *status);
