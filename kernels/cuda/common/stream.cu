/* SPDX-License-Identifier: MIT */
/* Implementation of stream.cuh; called by the kernels of the CUDA back end. */
#include "stream.cuh"

void
debye_stream_open(DebyeStream *stream)
{
  debye_stream_note(stream, cudaStreamCreateWithFlags(&stream->handle, cudaStreamNonBlocking));
}

void
debye_stream_open_urgent(DebyeStream *stream, double urgency)
{
  int least = 0, greatest = 0;
  debye_stream_note(stream, cudaDeviceGetStreamPriorityRange(&least, &greatest));
  if (debye_stream_is_good(stream))
    stream->error = cudaStreamCreateWithPriority(&stream->handle, cudaStreamNonBlocking,
                                                 least + (int)(urgency * (greatest - least)));
}

void
debye_stream_close(DebyeStream *stream)
{
  if (stream->handle != NULL)
    cudaStreamDestroy(stream->handle);
  *stream = {};
}

void
debye_stream_note(DebyeStream *stream, cudaError_t error)
{
  if (stream->error == cudaSuccess)
    stream->error = error;
}

void
debye_stream_note_launch(DebyeStream *stream)
{
  if (debye_stream_is_good(stream))
    stream->error = cudaGetLastError();
}

void
debye_stream_launch(DebyeStream *stream, const void *kernel, dim3 blocks, dim3 threads, void **arguments)
{
  if (debye_stream_is_good(stream))
    stream->error = cudaLaunchKernel(kernel, blocks, threads, arguments, 0, stream->handle);
}

void
debye_stream_new_event(DebyeStream *stream, cudaEvent_t *event)
{
  if (debye_stream_is_good(stream))
    stream->error = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
}

void
debye_event_free(cudaEvent_t event)
{
  if (event != NULL)
    cudaEventDestroy(event);
}

void
debye_stream_record(DebyeStream *stream, cudaEvent_t event)
{
  if (debye_stream_is_good(stream))
    stream->error = cudaEventRecord(event, stream->handle);
}

void
debye_stream_follow(DebyeStream *stream, cudaEvent_t event)
{
  if (debye_stream_is_good(stream))
    stream->error = cudaStreamWaitEvent(stream->handle, event, 0);
}

void
debye_stream_reserve(DebyeStream *stream, DebyeRoom *room, uint64_t count, size_t size)
{
  const uint64_t before = room->bytes;
  if (!debye_stream_is_good(stream))
    return;
  if (!debye_room_reserve(room, DEBYE_MEMORY_DEVICE, count, size, &debye_cuda_memory_source)) {
    const cudaError_t error = cudaGetLastError();
    stream->error = error != cudaSuccess ? error : cudaErrorMemoryAllocation;
  }
  if (room->bytes != before)
    debye_stream_clear(stream, room->memory, room->bytes);
}

void
debye_stream_upload(DebyeStream *stream, void *device, const void *host, size_t bytes)
{
  if (debye_stream_is_good(stream) && bytes > 0)
    stream->error = cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream->handle);
}

void
debye_stream_download(DebyeStream *stream, void *host, const void *device, size_t bytes)
{
  if (debye_stream_is_good(stream) && bytes > 0)
    stream->error = cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream->handle);
}

void
debye_stream_clear(DebyeStream *stream, void *device, size_t bytes)
{
  if (debye_stream_is_good(stream) && bytes > 0)
    stream->error = cudaMemsetAsync(device, 0, bytes, stream->handle);
}

void
debye_stream_wait(DebyeStream *stream)
{
  if (stream->handle != NULL)
    debye_stream_note(stream, cudaStreamSynchronize(stream->handle));
}

DebyeStatusCode
debye_stream_report(DebyeStream *stream, const char *what, DebyeStatus *status)
{
  const cudaError_t error = stream->error;
  stream->error = cudaSuccess;
  return debye_cuda_status(error, what, status);
}

DebyeStatusCode
debye_stream_finish(DebyeStream *stream, const char *what, DebyeStatus *status)
{
  debye_stream_wait(stream);
  return debye_stream_report(stream, what, status);
}
