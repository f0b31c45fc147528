/* SPDX-License-Identifier: MIT */
/* The profile of one frame: what is in each bin, divided by the bin's volume in that frame. */
#pragma once

#include "density_plan.h"
#include "density_points.h"

/* Adds to `values`, n_bins of them. By distance to atoms the volumes of bins have no formula: `values` then gets sums that
 * aren't divided, and `volumes` (Å³, n_bins) the volumes as some thousand points spread evenly over the cell show them. */
void debye_density_profile_add(const DebyeDensityPlan *plan, const DebyeDensityPoints *points,
                               const DebyeFrame *frame, double *values, double *volumes);
