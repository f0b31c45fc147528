/* SPDX-License-Identifier: MIT */
/* A slab of a map through the device in chunks of planes, several at once: each slot has a stream, a buffer
 * on the device and a pinned one on the host, so that one chunk is copied while the next are computed. Device
 * memory does not depend on the slab. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/potential/potential_kernel.h"

#define DEBYE_SLAB_SLOTS 4

typedef struct {
  size_t points; /* of a chunk, at most, but for one layer */
  size_t layer;  /* planes that a block computes together: chunks end where layers do */
} DebyeSlabChunks;

typedef struct {
  DebyeStream stream;
  cudaEvent_t done;
  char *device, *host;
  DebyeSlab planes; /* of the grid; count 0: free */
} DebyeSlabSlot;

/* Part of a plan. */
typedef struct {
  size_t plane_bytes, layer, chunk_planes, n_slots;
  DebyeSlabSlot slots[DEBYE_SLAB_SLOTS];
} DebyeSlabPipeline;

/* What is done with a slab. */
typedef struct {
  /* Puts the work for these planes of the grid into `stream`, their values into `out` on the device. Never
   * more planes than a launch can have blocks. */
  void (*start)(void *context, DebyeSlab planes, void *out, DebyeStream *stream);
  /* Brings values from pinned memory to their place in the caller's array; NULL: copied. */
  void (*take)(void *context, DebyeSlab planes, const void *values, void *out);
  /* Ends what has been started as soon as can be, when it is no longer wanted. NULL: it is waited for, which
   * chunks are short enough for. A look of every block at a flag of the host would cost it a read across the
   * bus, ten times what a chunk of short-range sums takes. */
  void (*stop)(void *context);
  void *context;
  const char *what; /* as of debye_cuda_status() */
} DebyeSlabWork;

/* Sizes, and with these the plan's list. */
void debye_slab_pipeline_set_up(DebyeSlabPipeline *pipeline, const DebyePotentialSettings *settings,
                                DebyeSlabChunks chunks);
void debye_slab_pipeline_list(DebyeSlabPipeline *pipeline, DebyePlanMemory *memory);
/* Its streams, on the calling thread's device; closed also after a failure. */
DebyeStatusCode debye_slab_pipeline_open(DebyeSlabPipeline *pipeline, DebyeStatus *status);
void debye_slab_pipeline_close(DebyeSlabPipeline *pipeline);
/* The whole slab into `out` on the host. */
DebyeStatusCode debye_slab_pipeline_run(DebyeSlabPipeline *pipeline, DebyeSlab slab, void *out,
                                        const DebyeSlabWork *work, const volatile bool *cancel,
                                        DebyeStatus *status);
