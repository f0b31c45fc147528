/* SPDX-License-Identifier: MIT */
/* Implementation of stream.cuh; called by the kernels of the CUDA back end. */
#include "stream.cuh"

void
debye_stream_open(DebyeStream *stream)
{
  debye_stream_note(stream, cudaStreamCreateWithFlags(&stream->handle, cudaStreamNonBlocking));
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
debye_stream_record(DebyeStream *stream, cudaEvent_t event)
{
  if (debye_stream_is_good(stream))
    stream->error = cudaEventRecord(event, stream->handle);
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
