/* SPDX-License-Identifier: MIT */
/* Turns CUDA's errors into statuses and uploads synchronously; called by every kernel of the CUDA back
 * end. */
#include "device.cuh"

#include <stdlib.h>

DebyeStatusCode
debye_cuda_status(cudaError_t error, const char *what, DebyeStatus *status)
{
  if (error == cudaSuccess)
    return debye_status_ok(status);
  /* Takes the error out of the thread's state where it is not one that ruins the whole context. */
  cudaGetLastError();
  DebyeStatusCode code = DEBYE_STATUS_DEVICE_FAILED;
  if (error == cudaErrorMemoryAllocation)
    code = DEBYE_STATUS_NO_MEMORY;
  else if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDevice ||
           error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice ||
           error == cudaErrorUnsupportedPtxVersion)
    code = DEBYE_STATUS_UNSUPPORTED;
  return debye_status_set(status, code, "CUDA failed while %s: %s (%s).", what, cudaGetErrorString(error),
                          cudaGetErrorName(error));
}

cudaError_t
debye_cuda_upload(void *device, const void *host, size_t bytes)
{
  if (bytes == 0)
    return cudaSuccess;
  cudaError_t error = cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cudaStreamPerThread);
  return error == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : error;
}

static void *
take(DebyeMemoryKind kind, size_t bytes)
{
  void *block = NULL;
  cudaError_t error = cudaSuccess;
  if (kind == DEBYE_MEMORY_HOST)
    return calloc(1, bytes);
  if (kind == DEBYE_MEMORY_PINNED)
    error = cudaHostAlloc(&block, bytes, cudaHostAllocDefault);
  else
    error = cudaMalloc(&block, bytes);
  return error == cudaSuccess ? block : NULL;
}

/* After a failure of the device these fail too; there is nothing else to do with it then. */
static void
give_back(DebyeMemoryKind kind, void *block)
{
  if (kind == DEBYE_MEMORY_HOST)
    free(block);
  else if (kind == DEBYE_MEMORY_PINNED)
    cudaFreeHost(block);
  else
    cudaFree(block);
  if (kind != DEBYE_MEMORY_HOST)
    cudaGetLastError();
}

static DebyeStatusCode
choose_device(int device, DebyeStatus *status)
{
  return debye_cuda_status(cudaSetDevice(device), "choosing the device", status);
}

static DebyeStatusCode
no_memory(DebyeStatus *status)
{
  const cudaError_t error = cudaGetLastError();
  return debye_cuda_status(error != cudaSuccess ? error : cudaErrorMemoryAllocation,
                           "taking memory for a plan", status);
}

const DebyeMemorySource debye_cuda_memory_source = {take, give_back, choose_device, no_memory};
