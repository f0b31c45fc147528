/* SPDX-License-Identifier: MIT */
/* The short-range part of multilevel summation and of Ewald's method on a GPU: the cutoff method
 * (potential_cutoff.cu) with another pair function. Its values stay on the device, where the long-range part
 * is added to them. Its twin is cpu/potential/cutoff_short_range.h. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/potential/pair_function.h"
#include "kernels/potential/potential_kernel.h"

/* A plan for any pair function; settings->cutoff and ->smoothing are not looked at, the rest as for the
 * cutoff method. The functions below and debye_cuda_cutoff's destroy take it. Unlike the cutoff method's own
 * plans it has no overflow: bins hold whatever falls into them. */
DebyeStatusCode debye_cuda_cutoff_create_with(int device, const DebyePotentialSettings *settings,
                                              const DebyePairFunction *function, DebyeKernelPlan **plan,
                                              DebyeStatus *status);
/* What that takes. */
uint64_t debye_cuda_cutoff_bytes_with(int device, const DebyePotentialSettings *settings,
                                      const DebyePairFunction *function);
/* A frame, in two steps, so that the caller has something else done while the device counts. Charges on the
 * device, known to be sound, and borrowed until `stream` is through: their images are counted in it. */
DebyeStatusCode debye_cuda_cutoff_begin_frame(DebyeKernelPlan *plan, const DebyeCharges *charges,
                                              const DebyeCell *cell, DebyeStream *stream,
                                              DebyeStatus *status);
/* Waits for the stream, the same one, and puts into it what sorts the images into bins: slabs may be enqueued
 * behind it. */
DebyeStatusCode debye_cuda_cutoff_end_frame(DebyeKernelPlan *plan, DebyeStream *stream, DebyeStatus *status);
/* Puts the work for a slab into `stream`: `out`, on the device, float or double as the plan says, x fastest,
 * is written. Returns without waiting. */
void debye_cuda_cutoff_enqueue(DebyeKernelPlan *plan, DebyeSlab slab, void *out, DebyeStream *stream);
