/* SPDX-License-Identifier: MIT */
/* A frame's charges on the way to the device: copied to pinned memory by all threads, and from there by the
 * bus while the host looks through them and goes on. Of packed frames only the places are on the way, and unpacked
 * there; charges are there already. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/cuda/common/unpacking.cuh"
#include "kernels/potential/charges.h"

typedef struct {
  float *host, *device; /* a frame's x, then its y, z and charges: room for `room` of each */
  size_t room;
  DebyeCharges charges, on_host; /* those on the device; the same in pinned memory */
  double total;                  /* Σ|q| */
  /* Of packed frames: their atoms, whose charges are these and on the device those. */
  DebyePackedAtoms atoms;
  const float *charge;
  float *charge_on_device;
  double packed_total;
  DebyeCudaPacked packed;
} DebyeStagedCharges;

void debye_staged_charges_set_up(DebyeStagedCharges *staged, const DebyePotentialSettings *settings);
/* Its part of a plan's list. */
void debye_staged_charges_list(DebyeStagedCharges *staged, DebyePlanMemory *memory);
/* With the list's memory; closed also after a failure. */
void debye_staged_charges_open(DebyeStagedCharges *staged, DebyeStream *stream);
void debye_staged_charges_close(DebyeStagedCharges *staged);
/* Waits for the stream, where the last frame's copy may still be; the new one's is in it afterwards. INVALID
 * where a charge can't be summed; what is on the device then is not to be used. */
DebyeStatusCode debye_staged_charges_set(DebyeStagedCharges *staged, const DebyeCharges *charges,
                                         DebyeStream *stream, DebyeStatus *status);
/* The same of a packed frame. `to_host`: places are wanted in pinned memory, too, where they are when the stream has come
 * there. */
DebyeStatusCode debye_staged_charges_set_packed(DebyeStagedCharges *staged,
                                                const DebyePackedCoordinates *packed, bool to_host,
                                                DebyeStream *stream, DebyeStatus *status);
