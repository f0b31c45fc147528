/* SPDX-License-Identifier: MIT */
/* What cutoff_bins.c, cutoff_layout.c and cutoff_region.c share. */
#pragma once

#include "cutoff_bins.h"

/* Beyond that an index no longer fits, and nobody means it. */
#define DEBYE_MAX_BIN_IMAGES 4e9

/* cutoff_region.c */

DebyeStatusCode debye_bins_no_memory(double n_atoms, DebyeStatus *status);
/* The volume that the map can see, Å³. */
double debye_bin_region_volume(const DebyeTurnedGrid *grid, double cutoff);

/* cutoff_layout.c */

/* As many rows of bins as a block may look at where bins have their usual size. */
uint64_t debye_bin_usual_offsets(const DebyeCutoffBins *bins);
extern const DebyeBinBox debye_bin_box_empty;
void debye_bin_box_extend(DebyeBinBox *box, double x, double y, double z);
