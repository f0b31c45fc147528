/* SPDX-License-Identifier: MIT */
/* Frames brought into the order of the groups of atoms by threads of the host. */
#pragma once

#include "kernels/scattering/scattering_groups.h"

/* Writes all x of all frames, then y, then z. UINT64_MAX, or the first atom that can't be used, of frames of
 * n_atoms: frame·n_atoms + atom. */
uint64_t debye_cuda_gather_frames(const DebyeScatteringGroups *groups, size_t n_atoms,
                                  const DebyeScatteringFrame *frames, size_t n_frames, float *out);
