/* SPDX-License-Identifier: MIT */
/* The cutoff method on a GPU, and what multilevel summation and Ewald's use it for: their short-range part,
 * added to a map on the device that holds the long-range one. */
#pragma once

#include "device.cuh"
#include "kernels/pair_function.h"

/* A plan for any pair function; settings->cutoff and ->smoothing are not looked at, the rest as for the
 * cutoff method. The functions below and debye_cuda_cutoff's destroy take it. Unlike the cutoff method's own
 * plans it has no overflow: bins hold whatever falls into them. */
DebyeStatusCode debye_cuda_cutoff_create_with(int device, const DebyePotentialSettings *settings,
                                              const DebyePairFunction *function, DebyePotentialPlan **plan,
                                              DebyeStatus *status);
/* Puts the work for a slab into `stream`: `out`, on the device, float or double as the plan says, x fastest,
 * is written, or added to where `adds`. Returns without waiting. `stop`, where not NULL, is memory
 * of the device: not 0 ends the work early. */
DebyeStatusCode debye_cuda_cutoff_enqueue(DebyePotentialPlan *plan, DebyeSlab slab, void *out, bool adds,
                                          const volatile int *stop, cudaStream_t stream, DebyeStatus *status);
/* A frame whose charges are on the device and are known to be sound: sorted there, in `stream`, after which
 * work may be enqueued. The arrays are no longer needed when the stream is through. */
DebyeStatusCode debye_cuda_cutoff_set_on_device(DebyePotentialPlan *plan, const DebyeCharges *charges,
                                                const DebyeCell *cell, cudaStream_t stream,
                                                DebyeStatus *status);
