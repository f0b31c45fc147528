/* SPDX-License-Identifier: MIT */
/* Whether devices get frames as the file packs them; asked by analyses whose kernels take such frames. */
#pragma once

#include "data/trajectory/trajectory.h"
#include "kernels/registry.h"

/* `n_chosen`: of the frame's atoms, that would be sent to the devices otherwise. TRUE where the files can be left packed and a
 * frame so reaches the device sooner, by how long its parts take: decoding on all cores and sending coordinates, or
 * looking for segments, sending the bytes and decoding there. Never for the processor alone. */
gboolean debye_packed_choice(DebyeTrajectory *trajectory, gsize n_chosen,
                             const DebyeDeviceEntry *const *devices, gsize n_devices);
