/* SPDX-License-Identifier: MIT */
/* From courses in time to spectra, in double: the Fourier transform of f(τ), τ = 0 … n − 1 steps, whose other
 * half is f(−τ) = f(τ)*.
 *
 *   S(ω_k) = Δ/2π Σ_{|t| < n} f(t) exp(−iω_k tΔ),   ω_k = 2πk/((2n − 1)Δ),   k = −(n − 1) … n − 1
 *
 * As many frequencies as there are times, so that nothing is made up between them, and Σ S(ω_k)·2π/((2n −
 * 1)Δ) is f(0) again but for rounding. A course costs nothing against what made it: there is no device for
 * it. */
#pragma once

#include <stddef.h>

#include "kernels/status.h"

/* 2n − 1 */
size_t debye_spectrum_length(size_t n_times);
/* ω_k, of debye_spectrum_length values; in radians per unit of the step. */
void debye_spectrum_frequencies(size_t n_times, double step, double *frequencies);
/* n_rows courses one after the other, of n_times complex pairs each, into as many rows of
 * debye_spectrum_length(n_times) real values. */
DebyeStatusCode debye_spectrum_transform(const double *f, size_t n_times, size_t n_rows, double step,
                                         double *spectra, DebyeStatus *status);
