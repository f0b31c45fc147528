/* SPDX-License-Identifier: MIT */
/* Signal processing of complex series a(t), t = 0 … NF − 1, in double: what becomes of an amplitude's course
 * in time, or of the fluctuation of anything else.
 *
 *   autocorrelate   f(τ) = 1/(NF − τ) Σ_t a(t)* b(t + τ), τ = 0 … NF − 1, with b = a unless another is given
 *   square          f(t) = a(t)* b(t)
 *   plain           f(t) = a(t)
 *
 * Autocorrelation is done by transforms padded with zeros to at least 2·NF − 1 points, any NF, so that
 * nothing wraps round; or, for checking, by the sum itself. A second series gives the cross-correlations that
 * partial functions are made of: F_ab + F_ba is real at τ = 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel_head.h"

DEBYE_BEGIN_DECLS

/* Frames of a series. */
#define DEBYE_SIGNAL_MAX_FRAMES ((size_t)1 << 26)

typedef enum {
  DEBYE_SIGNAL_AUTOCORRELATE,
  DEBYE_SIGNAL_SQUARE,
  DEBYE_SIGNAL_PLAIN,
} DebyeSignal;

typedef struct {
  DebyeSignal signal;
  size_t n_frames;
  size_t max_series;    /* the most that execute will be given */
  bool direct;          /* autocorrelate by the sum itself, O(NF²) */
  unsigned spare_cores; /* that the CPU leaves to the lanes of accelerators */
} DebyeCorrelationSettings;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeCorrelationKernel {
  DebyeKernelHead head;
  /* Series one after the other, n_frames complex values (real, imaginary) each; `b` NULL: a's own. Writes as
   * many to `out`, which is neither a nor b. INVALID names the series and frame that is not a number, counted
   * from 1. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, const double *a, const double *b, size_t n_series,
                             double *out, const volatile bool *cancel, DebyeStatus *status);
};

/* INVALID with the reason where the settings make no sense, or a value is not a number. */
DebyeStatusCode debye_correlation_settings_check(const DebyeCorrelationSettings *settings,
                                                 DebyeStatus *status);
DebyeStatusCode debye_correlation_series_check(const DebyeCorrelationSettings *settings, const double *a,
                                               const double *b, size_t n_series, DebyeStatus *status);
/* The length that correlations of n_frames are transformed at. */
size_t debye_correlation_length(size_t n_frames);

/* The mean of n complex values, summed pairwise. */
void debye_signal_mean(const double *f, size_t n, double mean[2]);

DEBYE_END_DECLS
