/* SPDX-License-Identifier: MIT */
/* Charges into the bins of the cutoff method (kernels/potential/cutoff_bins.h) on the device itself: the host
 * would take as long as the sums. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/potential/cutoff_bins.h"

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

typedef struct {
  const DebyeCutoffBins *bins; /* whose sizes are known */
  bool has_limit;              /* whether it will be given one */
} DebyeBinSorterSettings;

extern const DebyePlanKind debye_bin_sorter_kind;

/* Begins a frame: puts into `stream` what finds out how many images there are, and where. `charges`, on the
 * device and borrowed until they are sorted, are known to be sound; `cell` as for debye_cutoff_bins_set. */
DebyeStatusCode debye_bin_sorter_count(DebyeBinSorter *sorter, const DebyeCutoffBins *bins,
                                       const DebyeCharges *charges, const DebyeCell *cell,
                                       DebyeStream *stream, DebyeStatus *status);
/* Waits for that, in the same stream, and puts the rest of the frame's work into it; `limit` NULL: bins take
 * whatever falls into them, else it is waited for once more. Afterwards bins->map says how the bins lie, but
 * for the pointers, which are `sorted`'s. The same charges give the same order. */
DebyeStatusCode debye_bin_sorter_sort(DebyeBinSorter *sorter, DebyeCutoffBins *bins,
                                      const DebyeBinLimit *limit, DebyeStream *stream,
                                      DebyeSortedBins *sorted, DebyeStatus *status);
/* The atoms that the last sort left to the host, until the next. */
DebyeCharges debye_bin_sorter_overflow(const DebyeBinSorter *sorter);
