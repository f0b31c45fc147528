/* SPDX-License-Identifier: MIT */
/* Ligand sampling on all devices at once: layers of tiles of several frames shared over lanes. */
#pragma once

#include "kernels/sharing.h"
#include "ligand_map.h"

typedef struct {
  DebyeLigandSettings ligand; /* spare_cores is set for each lane */
  uint64_t memory_limit;      /* bytes a lane may take on its device, and on the host; 0: what there is */
} DebyeLigandLanesSettings;

DebyeStatusCode debye_ligand_lanes_create(const DebyeLigandLanesSettings *settings,
                                          const DebyeDeviceEntry *const *devices, size_t n_devices,
                                          DebyeSharing **share, DebyeStatus *status);
/* The maps of the frames one after the other. Unless it returns OK they mean nothing. */
DebyeStatusCode debye_ligand_lanes_execute(DebyeSharing *share, const DebyeLigandFrame *frames,
                                           size_t n_frames, float *means, const volatile bool *cancel,
                                           DebyeSharingProgress progress, void *data, DebyeStatus *status);
