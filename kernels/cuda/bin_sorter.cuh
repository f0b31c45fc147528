/* SPDX-License-Identifier: MIT */
/* Charges into the bins of the cutoff method (kernels/cutoff_bins.h) on the device itself, where they are
 * there already: the host would take ten times as long as the sums. */
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

/* Roughly the device memory for so many charges. */
uint64_t debye_bin_sorter_bytes(size_t max_charges, bool exact);
DebyeBinSorter *debye_bin_sorter_new(void);
void debye_bin_sorter_free(DebyeBinSorter *sorter);
/* `charges`, on the device, are known to be sound; `cell` as for debye_cutoff_bins_set. Afterwards bins->map
 * says how the bins lie, but for the pointers, which are `sorted`'s. The work goes into `stream`, which the
 * call waits for once, to learn how many images there are and where. The same charges give the same order. */
DebyeStatusCode debye_bin_sorter_sort(DebyeBinSorter *sorter, DebyeCutoffBins *bins,
                                      const DebyeCharges *charges, const DebyeCell *cell, cudaStream_t stream,
                                      DebyeSortedBins *sorted, DebyeStatus *status);
