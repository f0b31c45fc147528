/* SPDX-License-Identifier: MIT */
/* The CUDA back end's table of functions; its twin is cpu/backend_cpu.c. This module's one exported symbol is
 * debye_backend_module. */
#include <stdio.h>
#include <string.h>

#include "kernels/cuda/common/device.cuh"
#include "kernels/cuda/common/peers.cuh"
#include "kernels/potential/potential_kernel.h"
#include "kernels/chunk_threads.h"

/* The unit for 1/√ gives 16 values a clock in each multiprocessor of every generation; that is what the sum
 * runs at, a little more where a second pipe helps and a little less elsewhere. */
static double
rough_score(const cudaDeviceProp *properties, int clock_kilohertz)
{
  return 16.0 * properties->multiProcessorCount * 1e3 * clock_kilohertz;
}

/* CUDA says the same of a machine without any driver as of one whose driver is too old. */
static void
set_driver_reason(DebyeStatus *status)
{
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0)
    debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "CUDA needs NVIDIA's driver, and there is none here.");
  else
    debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                     "NVIDIA's driver is for CUDA up to %d.%d, expected %d.0 or newer.", version / 1000,
                     version % 1000 / 10, CUDART_VERSION / 1000);
}

static int
device_count(DebyeStatus *status)
{
  int count = 0; /* left untouched where there is no driver */
  cudaError_t error = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (error == cudaErrorInsufficientDriver)
    set_driver_reason(status);
  else if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0))
    debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "CUDA found no GPU.");
  else if (error != cudaSuccess)
    debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "No GPU can be used through CUDA: %s.",
                     cudaGetErrorString(error));
  else
    debye_status_ok(status);
  return error == cudaSuccess ? count : 0;
}

static DebyeStatusCode
device_info(int device, DebyeDeviceInfo *info, DebyeStatus *status)
{
  memset(info, 0, sizeof *info);
  snprintf(info->id, sizeof info->id, "cuda:%d", device);
  cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties(&properties, device);
  int clock_kilohertz = 0;
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&clock_kilohertz, cudaDevAttrClockRate, device);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "asking for the device's properties", status);
  snprintf(info->name, sizeof info->name, "%.90s", properties.name);
  info->memory_total = properties.totalGlobalMem;
  info->units = (unsigned)properties.multiProcessorCount;
  info->score = rough_score(&properties, clock_kilohertz);
  /* Not asked for here: free memory needs a context, which takes a second on a machine with many devices. */
  info->memory_free = properties.totalGlobalMem;
  return debye_status_ok(status);
}

/* What fails here fails again where work begins, and is told there. */
static void
wake(int device)
{
  if (cudaSetDevice(device) == cudaSuccess)
    cudaFree(NULL);
  cudaGetLastError();
}

#define LIST(name, Type) , .name = &debye_cuda_##name

static const DebyeBackend debye_backend_cuda = {
    .abi = DEBYE_BACKEND_ABI,
    .name = "cuda",
    .title = "CUDA",
    .device_count = device_count,
    .device_info = device_info,
    .wake = wake,
    .rest = debye_cuda_reset,
    .set_threads = debye_chunk_threads_limit,
    .potential = {&debye_cuda_direct, &debye_cuda_cutoff, &debye_cuda_multilevel,
                  &debye_cuda_ewald} DEBYE_KERNELS(LIST),
};

extern "C" __attribute__((visibility("default"))) const DebyeBackend *
debye_backend_module(void)
{
  return &debye_backend_cuda;
}
