/* SPDX-License-Identifier: MIT */
/* A stream that keeps its first error, for every kernel of the CUDA back end. After an error each of these
 * functions does nothing, so that steps are written one after the other and asked once:
 *
 *   debye_stream_upload(stream, plan->values, values, bytes);
 *   if (debye_stream_is_good(stream))
 *     sum<<<blocks, threads, 0, stream->handle>>>(plan->values, plan->sums);
 *   debye_stream_note_launch(stream);
 *   debye_stream_download(stream, sums, plan->sums, bytes);
 *   return debye_stream_finish(stream, "summing values", status); */
#pragma once

#include "device.cuh"

struct DebyeStream {
  cudaStream_t handle;
  cudaError_t error; /* the first; cudaSuccess: none */
};

/* Makes a stream of its own on the calling thread's device; all zero before. */
void debye_stream_open(DebyeStream *stream);
/* Whose kernels go before those that wait for room on the device in streams of less urgency, from 0 to 1; one
 * that is only opened has 0. */
void debye_stream_open_urgent(DebyeStream *stream, double urgency);
/* Nothing happens to one that isn't open. */
void debye_stream_close(DebyeStream *stream);
/* The function clear of a plan (kernels/plan.h) that has nothing but a stream. */
#define DEBYE_STREAM_CLEAR_PLAN(Plan)  \
  static void clear(void *made)        \
  {                                    \
    Plan *plan = (Plan *)made;         \
    cudaSetDevice(plan->device);       \
    debye_stream_close(&plan->stream); \
  }

static inline bool
debye_stream_is_good(const DebyeStream *stream)
{
  return stream->error == cudaSuccess;
}

/* Keeps an error that another call gave. Of calls that depend on the one before write: if
 * (debye_stream_is_good(stream)) debye_stream_note(stream, cudaEventRecord(…)). */
void debye_stream_note(DebyeStream *stream, cudaError_t error);
/* Keeps the error of a kernel that was launched just before. */
void debye_stream_note_launch(DebyeStream *stream);

void debye_stream_launch(DebyeStream *stream, const void *kernel, dim3 blocks, dim3 threads,
                         void **arguments);

/* An event that other streams can follow; freed by debye_event_free, which takes NULL, too. */
void debye_stream_new_event(DebyeStream *stream, cudaEvent_t *event);
void debye_event_free(cudaEvent_t event);
void debye_stream_record(DebyeStream *stream, cudaEvent_t event);
/* What follows in the stream waits for what was recorded. */
void debye_stream_follow(DebyeStream *stream, cudaEvent_t event);

/* Makes a room of the device as large as a frame needs (plan_memory.h); where it grows it is all zero. */
void debye_stream_reserve(DebyeStream *stream, DebyeRoom *room, uint64_t count, size_t size);

/* Copies and fills in the stream's order; the host's memory must stay until the stream has come there. */
void debye_stream_upload(DebyeStream *stream, void *device, const void *host, size_t bytes);
void debye_stream_download(DebyeStream *stream, void *host, const void *device, size_t bytes);
void debye_stream_clear(DebyeStream *stream, void *device, size_t bytes);

/* Waits for all that was put into the stream, also after an error: the host's memory may go then. */
void debye_stream_wait(DebyeStream *stream);
/* Sets *status by the first error, which the stream forgets, and returns its code. Does not wait. `what` as of
 * debye_cuda_status(). */
DebyeStatusCode debye_stream_report(DebyeStream *stream, const char *what, DebyeStatus *status);
/* Waits and reports. */
DebyeStatusCode debye_stream_finish(DebyeStream *stream, const char *what, DebyeStatus *status);
