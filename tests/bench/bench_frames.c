/* SPDX-License-Identifier: MIT */
/* Frames by the clock. */
#include "bench_frames.h"

#include <math.h>
#include <stdio.h>

#include "bench_options.h"

bool
debye_bench_frames(const DebyeDeviceEntry *device, const DebyePotentialSettings *settings,
                   const DebyeCharges *charges, size_t repeat, float *map, DebyeBenchTimes *times)
{
  const DebyePotentialKernel *kernel = device->backend->potential[settings->method];
  const DebyeSlab whole = {0, settings->grid.shape[2]};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  const double begin = debye_bench_seconds();
  *times = (DebyeBenchTimes){INFINITY, INFINITY, INFINITY, 0.0};
  kernel->head.create(device->device, settings, &plan, &status);
  times->planned = debye_bench_seconds() - begin;
  for (size_t i = 0; i <= repeat && status.code == DEBYE_STATUS_OK; i++) {
    const double start = debye_bench_seconds();
    kernel->set_charges(plan, charges, &settings->cell, &status);
    const double middle = debye_bench_seconds();
    if (status.code == DEBYE_STATUS_OK)
      kernel->execute(plan, whole, map, NULL, NULL, NULL, &status);
    const double end = debye_bench_seconds();
    if (i == 0)
      continue;
    times->charges = fmin(times->charges, middle - start);
    times->map = fmin(times->map, end - middle);
    times->both = fmin(times->both, end - start);
  }
  kernel->head.destroy(plan);
  if (status.code != DEBYE_STATUS_OK)
    printf("%s: %s\n", device->info.id, status.text);
  return status.code == DEBYE_STATUS_OK;
}
