/* SPDX-License-Identifier: MIT */
/* Scattering amplitudes of some frames on all devices at once (scattering_amplitude.h): frames, and blocks of
 * vectors where frames are few, shared over lanes. */
#pragma once

#include "kernels/sharing.h"
#include "scattering_amplitude.h"

typedef struct {
  DebyeAmplitudeSettings amplitude; /* spare_cores is set for each lane; groups as its header says */
  uint64_t memory_limit;            /* bytes a device may take; 0: what it has */
} DebyeAmplitudeLanesSettings;

/* Plans stay open over many executions, until debye_sharing_free. */
DebyeStatusCode debye_amplitude_lanes_create(const DebyeAmplitudeLanesSettings *settings,
                                             const DebyeDeviceEntry *const *devices, size_t n_devices,
                                             DebyeSharing **share, DebyeStatus *status);
/* Writes out[2·((frame·n_groups + group)·n_vectors + vector)], a real and an imaginary part. Unless it
 * returns OK that means nothing. INVALID names the atom; *bad_frame (may be NULL) is then the frame's index. */
DebyeStatusCode debye_amplitude_lanes_execute(DebyeSharing *share, const DebyeVec3 *q, size_t n_vectors,
                                              const DebyeScatteringFrame *frames, size_t n_frames,
                                              double *out, size_t *bad_frame, const volatile bool *cancel,
                                              DebyeStatus *status);
