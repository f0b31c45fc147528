/* SPDX-License-Identifier: MIT */
/* Averages over orientations without vectors, by multipoles: for each q the mean of A_a A_b* of pairs of
 * groups of atoms, w real weights of the atoms (A as in scattering_amplitude.h).
 *
 *   sphere     exp(iq·r) = 4π Σ_lm i^l j_l(qr) Y_lm*(r) Y_lm(q): the mean over all directions of q is
 *              4π Σ_{l ≤ L} Σ_m B_lm^a B_lm^b*, B_lm = Σ_n w_n j_l(qr_n) Y_lm*(r_n)
 *   cylinder   turning about an axis, with a part k of q along it: Σ_{|m| ≤ L} B_m^a B_m^b*,
 *              B_m = Σ_n w_n exp(ikz_n) J_m(√(q² − k²)ρ_n) exp(−imφ_n)
 *
 * r is measured from `center`: the mean does not depend on it, but L has to exceed q times the largest
 * distance from it by some, so that it is best in the middle. What was left out is told by the part of the
 * last order. All in double. H. B. Stuhrmann, Acta Cryst. A26 (1970) 297. */
#pragma once

#include "scattering_groups.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  unsigned order; /* L, at most DEBYE_BESSEL_MAX_ORDER */
  bool cylindrical;
  DebyeVec3 axis; /* of the cylinder, unit length */
  double axial;   /* k, 1/Å; |k| ≤ every q */
} DebyeMultipole;

/* products[2·(pair·n_q + i)], pairs of a real and an imaginary part, pairs of groups a ≤ b numbered 00, 01,
 * …, 11, …; written. last_share[i] (may be NULL) is what the last order adds to the sum over all pairs, as a
 * share of it. INVALID names an atom that can't be used. */
DebyeStatusCode debye_multipole_products(const DebyeMultipole *multipole, const DebyeScatteringGroups *groups,
                                         const DebyeScatteringFrame *frame, DebyeVec3 center, const double *q,
                                         size_t n_q, double *products, double *last_share,
                                         const volatile bool *cancel, DebyeStatus *status);

#ifdef __cplusplus
}
#endif
