/* SPDX-License-Identifier: MIT */
/* A slab of a map through the device in chunks of planes, several at once: each slot has a stream, a buffer
 * on the device and a pinned one on the host, so that one chunk is copied while the next are computed. Device
 * memory does not depend on the slab. */
#pragma once

#include "kernels/cuda/common/device.cuh"
#include "kernels/potential/potential_kernel.h"

typedef struct DebyeSlabPipeline DebyeSlabPipeline;

typedef struct {
  size_t points; /* of a chunk, at most, but for one layer */
  size_t layer;  /* planes that a block computes together: chunks end where layers do */
} DebyeSlabChunks;

/* Puts the work for these planes of the grid into `stream`, their values into `out` on the device. Never more
 * planes than a launch can have blocks. */
typedef DebyeStatusCode (*DebyeSlabStart)(void *context, DebyeSlab planes, void *out, cudaStream_t stream,
                                          DebyeStatus *status);

/* What is done with a slab. */
typedef struct {
  DebyeSlabStart start;
  /* Brings values from pinned memory to their place in the caller's array; NULL: copied. */
  void (*take)(void *context, DebyeSlab planes, const void *values, void *out);
  /* Ends what has been started as soon as can be, when it is no longer wanted. NULL: it is waited for, which
   * chunks are short enough for. A look of every block at a flag of the host would cost it a read across the
   * bus, ten times what a chunk of short-range sums takes. */
  void (*stop)(void *context);
  void *context;
} DebyeSlabWork;

/* Device memory, and the pipeline on the calling thread's device. */
uint64_t debye_slab_pipeline_bytes(const DebyePotentialSettings *settings, DebyeSlabChunks chunks);
DebyeStatusCode debye_slab_pipeline_create(const DebyePotentialSettings *settings, DebyeSlabChunks chunks,
                                           DebyeSlabPipeline **pipeline, DebyeStatus *status);
void debye_slab_pipeline_destroy(DebyeSlabPipeline *pipeline);
/* The whole slab into `out` on the host. */
DebyeStatusCode debye_slab_pipeline_run(DebyeSlabPipeline *pipeline, DebyeSlab slab, void *out,
                                        const DebyeSlabWork *work, const volatile bool *cancel,
                                        DebyeStatus *status);
