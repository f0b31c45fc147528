/* SPDX-License-Identifier: MIT */
/* The problem of the density's teaching variants: atoms of frames in the voxels of a grid; called by both back ends'
 * drivers. */
#pragma once

#include "ladder.h"

DEBYE_BEGIN_DECLS

/* INVALID with the reason where variant or problem make no sense. */
DebyeStatusCode debye_ladder_density_check(const DebyeLadderKernel *ladder, size_t variant,
                                           const DebyeLadderDensity *density, DebyeStatus *status);
size_t debye_ladder_density_n_voxels(const DebyeLadderDensity *density);
/* Frames of a call or launch that looks at about so many atoms, so that a Stop is seen soon; at most `most` where that isn't
 * 0. */
size_t debye_ladder_density_frames_at_once(const DebyeLadderDensity *density, double atoms, size_t most);
/* What the production kernel is told: the occupancy of these voxels, by frames that have one view, which is set here. */
DebyeDensitySettings debye_ladder_density_settings(const DebyeLadderDensity *density);
void debye_ladder_density_set_frames(const DebyeLadderDensity *density, DebyeDensityView *view,
                                     DebyeDensityFrame *frames);
/* The production kernel of a back end on this problem, which was checked: occupancy, and the seconds are those of frames that
 * are on the device already. */
DebyeStatusCode debye_ladder_density_ours(const DebyeDensityKernel *kernel, int device,
                                          const DebyeLadderDensity *density, uint32_t *counts,
                                          double *seconds, const volatile bool *cancel, DebyeStatus *status);

DEBYE_END_DECLS
