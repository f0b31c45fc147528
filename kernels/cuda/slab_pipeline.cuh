/* SPDX-License-Identifier: MIT */
/* A slab of a map through the device in chunks of planes, several at once: each slot has a stream, a buffer
 * on the device and a pinned one on the host, so that one chunk is copied while the next are computed. Device
 * memory does not depend on the slab. */
#pragma once

#include "device.cuh"

typedef struct DebyeSlabPipeline DebyeSlabPipeline;

/* Puts the work for these planes of the grid into `stream`, their values into `out` on the device. A chunk is
 * over so soon that a Stop waits for it: to look at a flag of the host costs every block a read across the
 * bus, ten times what a chunk of short-range sums takes. */
typedef DebyeStatusCode (*DebyeSlabStart)(void *context, DebyeSlab planes, void *out, cudaStream_t stream,
                                          DebyeStatus *status);

/* Device memory, and the pipeline on the calling thread's device. */
uint64_t debye_slab_pipeline_bytes(const DebyePotentialSettings *settings);
DebyeStatusCode debye_slab_pipeline_create(const DebyePotentialSettings *settings,
                                           DebyeSlabPipeline **pipeline, DebyeStatus *status);
void debye_slab_pipeline_destroy(DebyeSlabPipeline *pipeline);
/* The whole slab into `out` on the host. */
DebyeStatusCode debye_slab_pipeline_run(DebyeSlabPipeline *pipeline, DebyeSlab slab, void *out,
                                        DebyeSlabStart start, void *context, const volatile bool *cancel,
                                        DebyeStatus *status);
