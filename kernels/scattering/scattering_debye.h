/* SPDX-License-Identifier: MIT */
/* The exact average over orientations of a finite body, pair by pair in double: the Debye formula
 *
 *   ⟨A_a A_b*⟩ = Σ_{n in a} Σ_{m in b} w_n w_m sin(q r_nm)/(q r_nm)
 *
 * (P. Debye, Ann. Phys. 351 (1915) 809), w real weights of the atoms. No images, no bins: the error is that
 * of rounding, at most 1e-13 of Σ|w_n w_m|. It costs pairs × q; large bodies come from a lattice
 * (scattering_debye_lattice.h), or from moments of their distances (kernels/cpu/scattering/scattering_debye_moments.h). */
#pragma once

#include "scattering_groups.h"

/* products[pair·n_q + i] of pairs of groups a ≤ b, numbered 00, 01, …, 11, …; written. The result does not
 * depend on the number of threads. INVALID names an atom that can't be used. */
DebyeStatusCode debye_formula_products(const DebyeScatteringGroups *groups, const DebyeScatteringFrame *frame,
                                       const double *q, size_t n_q, double *products,
                                       const volatile bool *cancel, DebyeStatus *status);
