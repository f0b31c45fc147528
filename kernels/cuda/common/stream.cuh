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
/* Nothing happens to one that isn't open. */
void debye_stream_close(DebyeStream *stream);

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

/* Copies and fills in the stream's order; the host's memory must stay until the stream has come there. */
void debye_stream_upload(DebyeStream *stream, void *device, const void *host, size_t bytes);
void debye_stream_download(DebyeStream *stream, void *host, const void *device, size_t bytes);
void debye_stream_clear(DebyeStream *stream, void *device, size_t bytes);
void debye_stream_record(DebyeStream *stream, cudaEvent_t event);

/* Waits for all that was put into the stream, also after an error: the host's memory may go then. */
void debye_stream_wait(DebyeStream *stream);
/* Sets *status by the first error, which the stream forgets, and returns its code. Does not wait. `what` as of
 * debye_cuda_status(). */
DebyeStatusCode debye_stream_report(DebyeStream *stream, const char *what, DebyeStatus *status);
/* Waits and reports. */
DebyeStatusCode debye_stream_finish(DebyeStream *stream, const char *what, DebyeStatus *status);
