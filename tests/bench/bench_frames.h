/* SPDX-License-Identifier: MIT */
/* What the benchmarks of methods with a plan a frame share: the time that frames take from the host's charges
 * to the host's map. */
#pragma once

#include "kernels/registry.h"
#include "kernels/potential/potential_kernel.h"

/* Seconds; the best of some frames, after one that makes what a plan makes only once. */
typedef struct {
  double charges, map, both, planned;
} DebyeBenchTimes;

/* False, with the reason printed, where the device can't. */
bool debye_bench_frames(const DebyeDeviceEntry *device, const DebyePotentialSettings *settings,
                        const DebyeCharges *charges, size_t repeat, float *map, DebyeBenchTimes *times);
