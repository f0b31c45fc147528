/* SPDX-License-Identifier: MIT */
/* A block of atoms on a device as series: each atom's places in time one after the other, atoms in the order
 * of their groups. */
#pragma once

#include "device.cuh"
#include "kernels/scattering_self.h"

typedef struct {
  float *position[3]; /* on the device: [atom · row + frame] */
  size_t row, n_frames, n_atoms, max_atoms, n_groups;
  uint32_t *order;   /* on the host: the atom of the caller's block */
  size_t *group_end; /* on the host */
  uint32_t *device_order;
  float *frames; /* one axis as the caller has it */
} DebyeSeriesBlock;

uint64_t debye_series_block_bytes(size_t max_atoms, size_t n_frames);
DebyeStatusCode debye_series_block_init(DebyeSeriesBlock *series, size_t max_atoms, size_t n_frames,
                                        size_t n_groups, DebyeStatus *status);
void debye_series_block_clear(DebyeSeriesBlock *series);
/* A block that was checked. Returns when its series are on the device. */
DebyeStatusCode debye_series_block_set(DebyeSeriesBlock *series, const DebyeSelfBlock *block,
                                       cudaStream_t stream, DebyeStatus *status);
