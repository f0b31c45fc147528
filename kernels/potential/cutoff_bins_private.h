/* SPDX-License-Identifier: MIT */
/* What cutoff_bins.c, cutoff_layout.c and cutoff_region.c share. */
#pragma once

#include "cutoff_bins.h"

/* Beyond that an index no longer fits, and nobody means it. */
#define DEBYE_MAX_BIN_IMAGES 4e9

/* Makes room for `n` elements where there is less: a quarter more than asked, since frames differ. What the
 * array held is lost. `array` is the address of a pointer. */
bool debye_bins_reserve(void *array, size_t *allocated, size_t n, size_t size);
DebyeStatusCode debye_bins_no_memory(double n_atoms, DebyeStatus *status);

/* cutoff_region.c */

/* The volume that the map can see, Å³. */
double debye_bin_region_volume(const DebyeTurnedGrid *grid, double cutoff);

/* cutoff_layout.c */

extern const DebyeBinBox debye_bin_box_empty;
void debye_bin_box_extend(DebyeBinBox *box, double x, double y, double z);
