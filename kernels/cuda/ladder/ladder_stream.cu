/* SPDX-License-Identifier: MIT */
/* The stream and the timing of the teaching variants on a GPU; used by the other files of the ladder. */
#include "ladder_parts.cuh"

#define MAX_DEVICES 16 /* whose first launches are kept */

/* Of the run whose turn it is, and of the first ones; guarded by the turns. */
static struct {
  int device;
  size_t variant;
  DebyeLadderTimes last;
  double first_launch[MAX_DEVICES][DEBYE_LADDER_N_CUDA];
} kept;

void
debye_ladder_times_begin(int device, size_t variant)
{
  kept.device = device;
  kept.variant = variant;
  kept.last = DebyeLadderTimes{};
}

void
debye_ladder_times_find(int device, size_t variant, DebyeLadderTimes *times)
{
  *times = DebyeLadderTimes{};
  debye_ladder_begin_turn();
  if (kept.device == device && kept.variant == variant)
    *times = kept.last;
  if (device >= 0 && device < MAX_DEVICES && variant < DEBYE_LADDER_N_CUDA)
    times->first_launch = kept.first_launch[device][variant];
  debye_ladder_end_turn();
}

/* Of a variant's first run: the driver brings the kernel's code to the device within that call. */
static void
note_launch(double seconds)
{
  if (kept.device < 0 || kept.device >= MAX_DEVICES || kept.variant >= DEBYE_LADDER_N_CUDA)
    return;
  double *first = &kept.first_launch[kept.device][kept.variant];
  if (*first == 0.0)
    *first = seconds;
}

cudaError_t
debye_ladder_copy_in(void *there, const void *here, size_t n_bytes, cudaStream_t stream)
{
  cudaError_t error = cudaStreamSynchronize(stream); /* what was put there before isn't the copy's */
  const double start = debye_ladder_now();
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(there, here, n_bytes, cudaMemcpyHostToDevice, stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(stream);
  kept.last.copy_in += debye_ladder_now() - start;
  return error;
}

cudaError_t
debye_ladder_copy_out(void *here, const void *there, size_t n_bytes)
{
  const double start = debye_ladder_now();
  const cudaError_t error = cudaMemcpy(here, there, n_bytes, cudaMemcpyDeviceToHost);
  kept.last.copy_out += debye_ladder_now() - start;
  return error;
}

cudaError_t
debye_ladder_copy_out_padded(const cudaMemcpy3DParms *copy)
{
  const double start = debye_ladder_now();
  const cudaError_t error = cudaMemcpy3D(copy);
  kept.last.copy_out += debye_ladder_now() - start;
  return error;
}

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
  if (stream->n_pieces == 0)
    stream->launched = debye_ladder_now();
  return *error == cudaSuccess && !stream->cancelled;
}

cudaError_t
debye_ladder_stream_ends(DebyeLadderStream *stream)
{
  cudaError_t error = cudaGetLastError();
  if (stream->n_pieces == 0 && !stream->is_limit)
    note_launch(debye_ladder_now() - stream->launched);
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
