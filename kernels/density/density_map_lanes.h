/* SPDX-License-Identifier: MIT */
/* Density maps on all devices at once, for the analysis of densities: frames shared over lanes, some at a time. */
#pragma once

#include "density_map.h"
#include "kernels/sharing.h"

typedef struct {
  DebyeDensitySettings density; /* spare_cores is set for each lane */
  uint64_t memory_limit;        /* bytes a lane may take on its device, and on the host; 0: what there is */
} DebyeDensityLanesSettings;

DebyeStatusCode debye_density_lanes_create(const DebyeDensityLanesSettings *settings,
                                           const DebyeDeviceEntry *const *devices, size_t n_devices,
                                           DebyeSharing **share, DebyeStatus *status);
/* The sums of these frames, written (not added), as the kernel's fetch gives them. Unless it returns OK they mean
 * nothing. */
DebyeStatusCode debye_density_lanes_execute(DebyeSharing *share, const DebyeDensityFrame *frames,
                                            size_t n_frames, int64_t *sums, const volatile bool *cancel,
                                            DebyeSharingProgress progress, void *data, DebyeStatus *status);
