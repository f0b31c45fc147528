/* SPDX-License-Identifier: MIT */
/* S(hkl) as a map over reciprocal space, one value for each vector of the reciprocal lattice, for slices and
 * surfaces; scattering_by_lattice.c fills it for scattering_run.c. The grid's steps are 2πa*, 2πb*, 2πc* of
 * the first frame's cell: positions in the map are scattering vectors in Å⁻¹. */
#pragma once

#include "data/results/field.h"
#include "app/analysis/driver/frame_state.h"
#include "app/analysis/scattering/system/scattering_plan.h"

typedef struct _DebyeScatteringVolume DebyeScatteringVolume;

/* For indices up to `extent`. NULL with an error without the memory. */
DebyeScatteringVolume *debye_scattering_volume_new(const DebyeScatteringPlan *plan, const unsigned extent[3],
                                                   GError **error);
void debye_scattering_volume_free(DebyeScatteringVolume *volume);

/* Adds sums over frames as kernels/scattering/scattering_lattice_lanes.h gives them: half arrays of pairs of
 * species. */
void debye_scattering_volume_add(DebyeScatteringVolume *volume, const double *sums, gsize n_frames);

void debye_scattering_volume_list_state(DebyeScatteringVolume *volume, DebyeFrameState *state);

/* The mean over frames, weighted and normalised as the plan says, of the coherent part; `cell_volume` in Å³
 * is that of absolute units. Both halves. At hkl = 0, in place of the forward beam, the mean of the nearest
 * six. */
DebyeField *debye_scattering_volume_make_field(const DebyeScatteringVolume *volume, double cell_volume);
