/* SPDX-License-Identifier: MIT */
/* Charges into the bins of the cutoff method (kernels/cutoff_bins.h) on the device itself: the host would
 * take as long as the sums. */
#pragma once

#include "device.cuh"
#include "kernels/cutoff_bins.h"

typedef struct DebyeBinSorter DebyeBinSorter;

/* Where the sorter left the atoms, until it sorts again. */
typedef struct {
  const DebyeBinnedAtom *atoms;
  const DebyeBinnedExactAtom *exact_atoms; /* NULL where not asked for */
  const uint32_t *start;
  const DebyeBinOffset *offset;
} DebyeSortedBins;

/* Where bins hold only so many atoms: which of the others the host gets. */
typedef struct {
  unsigned capacity;
  double share;                /* of all atoms, the most that the host gets; 0: no limit */
  const DebyeCharges *charges; /* the same ones, on the host */
} DebyeBinLimit;

DebyeBinSorter *debye_bin_sorter_new(void);
void debye_bin_sorter_free(DebyeBinSorter *sorter);
/* `charges`, on the device, are known to be sound; `cell` as for debye_cutoff_bins_set; `limit` NULL: bins
 * take whatever falls into them. Afterwards bins->map says how the bins lie, but for the pointers, which are
 * `sorted`'s. The work goes into `stream`, which the call waits for once, to learn how many images there are
 * and where, and once more for what is beyond a limit. The same charges give the same order. */
DebyeStatusCode debye_bin_sorter_sort(DebyeBinSorter *sorter, DebyeCutoffBins *bins,
                                      const DebyeCharges *charges, const DebyeCell *cell,
                                      const DebyeBinLimit *limit, cudaStream_t stream,
                                      DebyeSortedBins *sorted, DebyeStatus *status);
/* The atoms that the last sort left to the host, until the next. */
DebyeCharges debye_bin_sorter_overflow(const DebyeBinSorter *sorter);
