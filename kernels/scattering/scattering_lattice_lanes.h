/* SPDX-License-Identifier: MIT */
/* Products of amplitudes on a reciprocal lattice, summed over frames on all devices at once
 * (scattering_lattice.h): frames shared over lanes. */
#pragma once

#include "kernels/sharing.h"
#include "scattering_lattice.h"

typedef struct {
  DebyeLatticeSettings lattice; /* sums is set, spare_cores for each lane; groups as its header says */
  uint64_t memory_limit;        /* bytes a device may take; 0: what it has */
} DebyeLatticeLanesSettings;

/* Plans stay open over many executions, until debye_sharing_free. */
DebyeStatusCode debye_lattice_lanes_create(const DebyeLatticeLanesSettings *settings,
                                           const DebyeDeviceEntry *const *devices, size_t n_devices,
                                           DebyeSharing **share, DebyeStatus *status);
/* The sums over these frames, each with its own cell: half arrays one a pair of groups (debye_lattice_pair),
 * out[pair·debye_lattice_n_values + debye_lattice_index], or by length out[pair·debye_lattice_n_lengths +
 * h² + k² + l²], written. Unless it returns OK they mean nothing.
 * INVALID names the atom or the cell; *bad_frame (may be NULL) is then the frame's index. Which lane did what
 * shows in the last digits only. */
DebyeStatusCode debye_lattice_lanes_execute(DebyeSharing *share, const DebyeScatteringFrame *frames,
                                            size_t n_frames, double *out, size_t *bad_frame,
                                            const volatile bool *cancel, DebyeStatus *status);
