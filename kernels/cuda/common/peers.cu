/* SPDX-License-Identifier: MIT */
/* Remembers which devices reach which, until one is reset; called by poisson_slabs.cu and backend_cuda.cu. */
#include "peers.cuh"

#include <cuda_runtime_api.h>

#define MOST_DEVICES 64 /* of a host; those beyond are asked each time */

static bool is_asked[MOST_DEVICES][MOST_DEVICES];

/* Once for each pair: the driver calls it an error to let a device reach another twice. */
static bool
was_asked(int device, int other)
{
  return device < MOST_DEVICES && other < MOST_DEVICES &&
         __atomic_test_and_set(&is_asked[device][other], __ATOMIC_RELAXED);
}

void
debye_cuda_let_reach(int device, int other)
{
  int can_reach = 0;
  if (device == other || was_asked(device, other))
    return;
  if (cudaSetDevice(device) == cudaSuccess &&
      cudaDeviceCanAccessPeer(&can_reach, device, other) == cudaSuccess && can_reach != 0)
    cudaDeviceEnablePeerAccess(other, 0);
  (void)cudaGetLastError();
}

void
debye_cuda_reset(int device)
{
  if (cudaSetDevice(device) == cudaSuccess)
    cudaDeviceReset();
  cudaGetLastError();
  for (int other = 0; other < MOST_DEVICES && device < MOST_DEVICES; other++) {
    __atomic_clear(&is_asked[device][other], __ATOMIC_RELAXED);
    __atomic_clear(&is_asked[other][device], __ATOMIC_RELAXED);
  }
}
