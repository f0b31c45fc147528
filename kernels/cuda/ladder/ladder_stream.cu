/* SPDX-License-Identifier: MIT */
/* The stream and the timing of the teaching variants on a GPU; used by the other files of the ladder. */
#include "ladder_parts.cuh"

cudaError_t
debye_ladder_stream_init(DebyeLadderStream *stream, const volatile bool *cancel)
{
  *stream = DebyeLadderStream{};
  stream->cancel = cancel;
  cudaError_t error = cudaStreamCreateWithFlags(&stream->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreate(&stream->begin);
  if (error == cudaSuccess)
    error = cudaEventCreate(&stream->end);
  for (cudaEvent_t &piece : stream->piece)
    if (error == cudaSuccess)
      error = cudaEventCreateWithFlags(&piece, cudaEventDisableTiming | cudaEventBlockingSync);
  return error;
}

void
debye_ladder_stream_clear(DebyeLadderStream *stream)
{
  for (cudaEvent_t event : {stream->begin, stream->end})
    if (event != NULL)
      cudaEventDestroy(event);
  for (cudaEvent_t piece : stream->piece)
    if (piece != NULL)
      cudaEventDestroy(piece);
  if (stream->stream != NULL)
    cudaStreamDestroy(stream->stream);
  cudaGetLastError();
}

bool
debye_ladder_stream_begins(DebyeLadderStream *stream, cudaError_t *error)
{
  if (*error == cudaSuccess && stream->n_pieces == 0)
    *error = cudaEventRecord(stream->begin, stream->stream);
  else if (*error == cudaSuccess && stream->n_pieces >= DEBYE_LADDER_PIECES)
    *error = cudaEventSynchronize(stream->piece[stream->n_pieces % DEBYE_LADDER_PIECES]);
  if (debye_is_cancelled(stream->cancel))
    stream->cancelled = true;
  return *error == cudaSuccess && !stream->cancelled;
}

cudaError_t
debye_ladder_stream_ends(DebyeLadderStream *stream)
{
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaEventRecord(stream->piece[stream->n_pieces++ % DEBYE_LADDER_PIECES], stream->stream);
  return error;
}

cudaError_t
debye_ladder_stream_finish(DebyeLadderStream *stream, double *seconds)
{
  float milliseconds = 0.0f;
  cudaError_t error = cudaSuccess;
  if (stream->n_pieces > 0)
    error = cudaEventRecord(stream->end, stream->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(stream->stream);
  if (error == cudaSuccess && stream->n_pieces > 0)
    error = cudaEventElapsedTime(&milliseconds, stream->begin, stream->end);
  *seconds = 1e-3 * milliseconds;
  return error;
}

DebyeStatusCode
debye_ladder_stream_status(const DebyeLadderStream *stream, cudaError_t error, DebyeStatus *status)
{
  if (error == cudaSuccess && stream->cancelled)
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_cuda_status(error, "running a teaching variant", status);
}
