/* SPDX-License-Identifier: MIT */
/* Blobs of a density map, regions of voxels above a level that touch by faces, and who is in them: which residues, in which
 * frames, how long. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "density_plan.h"

G_BEGIN_DECLS

/* Of the map that the setting “blobs” names, over the plan's frames. */
DebyeResult *debye_density_blobs_run(DebyeDensityPlan *plan, const DebyeRunInput *input, GError **error);

/* The number of each voxel's blob, from 1 by falling number of voxels; 0:
 * none. *n_blobs gets how many there are. To be freed. */
guint32 *debye_density_blobs_label(const float *values, const gsize shape[3], double level, gsize *n_blobs);

G_END_DECLS
