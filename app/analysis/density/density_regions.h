/* SPDX-License-Identifier: MIT */
/* Regions of a map's voxels that touch by faces and reach a level: its blobs. */
#pragma once

#include "data/results/field.h"

/* The number of each voxel's region of values of at least `level`, from 1 by falling number of voxels; 0: none. *n_regions
 * gets how many there are. To be freed. */
guint32 *debye_density_regions_label(const float *values, const gsize shape[3], double level,
                                     gsize *n_regions);

/* The region that a place is in, or on whose surface it is: of the eight voxels around `place` (in voxels, whose centres have
 * whole numbers) the one that reaches furthest beyond the level. Values count that are at least the level, or, of a
 * negative level, at most: below a surface at −0.1 e/Å³ are the more negative values. Its voxels are 1, others 0; to be
 * freed. NULL: none of the eight reaches the level, or the place is outside. */
guint32 *debye_density_regions_find(const float *values, const gsize shape[3], double level,
                                    const double place[3]);

/* The values of the region labelled 1, so that a surface at `level` is around it alone: its own voxels keep their values,
 * and so do those that don't reach the level; others are mirrored at it, a value at the level to just short of it. To be
 * freed; NULL without the memory. */
float *debye_density_regions_mask(const float *values, const guint32 *labels, gsize n, double level);
