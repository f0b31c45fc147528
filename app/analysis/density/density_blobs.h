/* SPDX-License-Identifier: MIT */
/* Blobs of a density map, regions of voxels above a level that touch by faces, and who is in them: which residues, in which
 * frames, how long. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "density_plan.h"

/* Of the map that the setting “blobs” names, over the plan's frames. */
DebyeResult *debye_density_blobs_run(DebyeDensityPlan *plan, const DebyeRunInput *input, GError **error);
