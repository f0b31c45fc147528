/* SPDX-License-Identifier: MIT */
/* Reciprocal lattices of many frames on all devices at once: S(hkl) summed over frames, and chosen amplitudes
 * of each, frames shared over lanes. */
#pragma once

#include "lanes.h"
#include "scattering_lattice.h"

typedef struct DebyeLatticeSeries DebyeLatticeSeries;

typedef struct {
  DebyeLatticeSettings lattice; /* spare_processors is set for each lane */
  uint64_t memory_limit;        /* bytes a device may take; 0: what it has */
} DebyeLatticeSeriesSettings;

/* Called from lane threads, one at a time: `done` of `total` frames. May be NULL. */
typedef void (*DebyeLatticeProgress)(void *data, size_t done, size_t total);

/* Plans stay open over many executions, until destroy. `chosen` of the settings is borrowed as long. */
DebyeStatusCode debye_lattice_series_create(const DebyeLatticeSeriesSettings *settings,
                                            const DebyeDeviceEntry *const *devices, size_t n_devices,
                                            DebyeLatticeSeries **series, DebyeStatus *status);
/* Writes chosen[2·((frame·n_groups + group)·n_chosen + i)] (may be NULL) and adds to the sums. What was done
 * before it was cancelled or failed is in the sums, and in their number of frames, but which frames these are
 * is not known. INVALID names the atom; *bad_frame (may be NULL) is then the frame's index in this call. */
DebyeStatusCode debye_lattice_series_execute(DebyeLatticeSeries *series, const DebyeScatteringFrame *frames,
                                             size_t n_frames, double *chosen, size_t *bad_frame,
                                             const volatile bool *cancel, DebyeLatticeProgress progress,
                                             void *data, DebyeStatus *status);
/* The half array of a pair of groups (debye_lattice_pair), summed over so many frames; valid until the next
 * execution. NULL where the settings want no sums. */
const double *debye_lattice_series_get_sums(const DebyeLatticeSeries *series, size_t pair);
size_t debye_lattice_series_get_n_frames(const DebyeLatticeSeries *series);
size_t debye_lattice_series_get_reports(const DebyeLatticeSeries *series, const DebyeLaneReport **reports);
void debye_lattice_series_destroy(DebyeLatticeSeries *series);
