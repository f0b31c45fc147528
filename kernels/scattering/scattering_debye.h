/* SPDX-License-Identifier: MIT */
/* The exact average over orientations of a finite body, pair by pair in double: the Debye formula
 *
 *   ⟨A_a A_b*⟩ = Σ_{n in a} Σ_{m in b} w_n w_m sin(q r_nm)/(q r_nm)
 *
 * (P. Debye, Ann. Phys. 351 (1915) 809), w real weights of the atoms. No images, no bins: the error is that
 * of rounding, at most 1e-13 of Σ|w_n w_m|. It costs pairs × q; for large bodies distances are counted in
 * bins first (pair_histogram.h) and debye_formula_of_counts makes the same of the counts. */
#pragma once

#include "scattering_groups.h"

#ifdef __cplusplus
extern "C" {
#endif

/* products[pair·n_q + i] of pairs of groups a ≤ b, numbered 00, 01, …, 11, …; written. The result does not
 * depend on the number of threads. INVALID names an atom that can't be used. */
DebyeStatusCode debye_formula_products(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
                                       const double *q, size_t n_q, double *products,
                                       const volatile bool *cancel, DebyeStatus *status);

/* Σ_k counts[k] sin(q r_k)/(q r_k) with r_k the middles of bins of `width` from 0 on, into sums[n_q]. A pair
 * is off by half a bin at most, by chance: the error is about q·width/√12 of a term's slope. The
 * result does not depend on the number of threads. */
DebyeStatusCode debye_formula_of_counts(const double *counts, size_t n_bins, double width, const double *q,
                                        size_t n_q, double *sums, DebyeStatus *status);

#ifdef __cplusplus
}
#endif
