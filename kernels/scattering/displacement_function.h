/* SPDX-License-Identifier: MIT */
/* What follows from a histogram of displacements: the incoherent intermediate scattering function for any q,
 * the self part of the van Hove function, the mean square displacement and the non-Gaussian parameter.
 * `counts` is one row: one lag of one group. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The bins (Å) that keep F_s's error below the tolerance up to q_max (1/Å): (qΔr)²/24 is the error of taking
 * a smooth distribution at the middle of its bins. */
double debye_displacement_bin_width(double q_max, double tolerance);

/* The mean of sin(qr)/(qr) over each bin's shell: what a bin's displacements count for. */
void debye_displacement_weights(double q, double bin_width, size_t n_bins, double *weights);
/* F_s(q, τ) = ⟨sin(qd)/(qd)⟩ = Σ counts·weights/Σ counts; without a displacement 0. */
double debye_displacement_average(const uint64_t *counts, const double *weights, size_t n_bins);

/* ⟨d²⟩ in Å², and α₂ = 3⟨d⁴⟩/(5⟨d²⟩²) − 1 (Rahman, Phys. Rev. 136 (1964) A405), 0 for a Gaussian; of n
 * displacements with these sums. 0 where nothing moves. */
double debye_displacement_mean_square(double square, double n);
double debye_displacement_non_gaussian(double square, double fourth, double n);
