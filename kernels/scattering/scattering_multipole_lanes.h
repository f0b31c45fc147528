/* SPDX-License-Identifier: MIT */
/* Averages over orientations by multipoles of a frame on all devices at once (scattering_multipole.h): values
 * of q shared over lanes. */
#pragma once

#include "kernels/sharing.h"
#include "scattering_multipole.h"

typedef struct {
  DebyeMultipoleSettings
      multipole;         /* max_q: all; spare_cores is set for each lane; groups as its header says */
  uint64_t memory_limit; /* bytes a device may take; 0: what it has */
} DebyeMultipoleLanesSettings;

/* Plans stay open over many executions, until debye_sharing_free. */
DebyeStatusCode debye_multipole_lanes_create(const DebyeMultipoleLanesSettings *settings,
                                             const DebyeDeviceEntry *const *devices, size_t n_devices,
                                             DebyeSharing **share, DebyeStatus *status);
/* Writes products[2·(pair·n_q + i)], pairs of a real and an imaginary part, and last_share[i], as
 * debye_multipole_products does for each q. Unless it returns OK they mean nothing. INVALID names an atom that
 * can't be used. */
DebyeStatusCode debye_multipole_lanes_execute(DebyeSharing *share, const DebyeScatteringFrame *frame,
                                              DebyeVec3 center, const double *q, size_t n_q, double *products,
                                              double *last_share, const volatile bool *cancel,
                                              DebyeStatus *status);
