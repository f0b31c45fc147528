/* SPDX-License-Identifier: MIT */
/* Histograms of displacements: for each lag τ and group of atoms, how many of the pairs of times (t, t + τ)
 * of its atoms have |r(t + τ) − r(t)| in each bin. That is the self part of the van Hove function G_s(r, τ),
 * and from it follow, in one pass over pairs of times and for every q at once and exactly averaged over
 * orientations, F_s(q, τ) = ⟨sin(qd)/(qd)⟩ (displacement_function.h); beside it the sums of d² and d⁴, for
 * the mean square displacement and the non-Gaussian parameter.
 *
 * Bin k is [k·Δr, (k + 1)·Δr); displacements from n_bins·Δr on are counted as `beyond`. Counts are exact: the
 * displacement is that of the float positions in double (displacement_math.h), so they are the same on every
 * device. Sums of d² and d⁴ add squares in float, a few at a time, in double: their relative error is at most
 * 3e-7 and they don't depend on the number of threads. */
#pragma once

#include "kernels/kernel_head.h"
#include "scattering_self.h"

DEBYE_BEGIN_DECLS

#define DEBYE_DISPLACEMENT_MAX_BINS ((size_t)1 << 20)

typedef struct {
  size_t n_frames;
  const uint32_t *lags; /* ascending, each below n_frames; copied by create; NULL: all */
  size_t n_lags;        /* of `lags`; n_frames where that is NULL */
  double bin_width;     /* Å */
  size_t n_bins;
  size_t n_groups;
  size_t max_atoms;     /* of one block */
  unsigned spare_cores; /* that the CPU leaves to the lanes of accelerators */
} DebyeDisplacementSettings;

/* The caller's arrays, by group and lag (its index in the list): written, not added. */
typedef struct {
  uint64_t *counts; /* [(group·n_lags + lag)·n_bins + bin] */
  uint64_t *beyond; /* [group·n_lags + lag] */
  double *square;   /* Σ d², Å² */
  double *fourth;   /* Σ d⁴, Å⁴ */
} DebyeDisplacementSums;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeDisplacementKernel {
  DebyeKernelHead head;
  /* As DebyeSelfKernel's; lengths are not looked at. */
  DebyeStatusCode (*set_block)(DebyeKernelPlan *plan, const DebyeSelfBlock *block, DebyeStatus *status);
  /* Lags [first, first + count) of the list, and only these of the caller's arrays, which hold all. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, size_t first, size_t count, DebyeDisplacementSums *sums,
                             const volatile bool *cancel, DebyeStatus *status);
};

/* INVALID with the reason where the settings, or the block's groups, make no sense. */
DebyeStatusCode debye_displacement_settings_check(const DebyeDisplacementSettings *settings,
                                                  DebyeStatus *status);
DebyeStatusCode debye_displacement_block_check(const DebyeDisplacementSettings *settings,
                                               const DebyeSelfBlock *block, DebyeStatus *status);
/* The list's lag, in frames; and how many pairs of times of one atom the first `n_lags` lags have. */
size_t debye_displacement_lag(const DebyeDisplacementSettings *settings, size_t index);
double debye_displacement_pairs(const DebyeDisplacementSettings *settings, size_t n_lags);

DEBYE_END_DECLS
