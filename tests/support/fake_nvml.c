/* SPDX-License-Identifier: MIT */
/* NVIDIA's management library without a GPU, for test_bench.c: app/bench/bench_power.c finds it as libnvidia-ml.so.1. The
 * device at the address that fake_cuda.c gives for its first one takes 500 W and runs at 1980 MHz. */
#include <string.h>
#include <time.h>

#define NOT_FOUND 6
#define MILLIWATTS 500000
#define MEGAHERTZ 1980

/* As the library has them. */
#pragma GCC visibility push(default)

int
nvmlInit_v2(void)
{
  return 0;
}

int
nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device)
{
  *device = device;
  return strcmp(address, "0000:19:00.0") == 0 ? 0 : NOT_FOUND;
}

int
nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  *millijoules = (unsigned long long)now.tv_sec * MILLIWATTS +
                 (unsigned long long)now.tv_nsec / 1000000ull * (MILLIWATTS / 1000);
  return device != NULL ? 0 : NOT_FOUND;
}

int
nvmlDeviceGetClockInfo(void *device, int kind, unsigned *megahertz)
{
  *megahertz = MEGAHERTZ;
  return device != NULL && kind == 1 ? 0 : NOT_FOUND;
}
