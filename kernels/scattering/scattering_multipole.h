/* SPDX-License-Identifier: MIT */
/* Averages over orientations without vectors, by multipoles: for each q the mean of A_a A_b* of pairs of
 * groups of atoms, w real weights of the atoms (A as in scattering_amplitude.h).
 *
 *   sphere     exp(iq·r) = 4π Σ_lm i^l j_l(qr) Y_lm*(r) Y_lm(q): the mean over all directions of q is
 *              4π Σ_{l ≤ L} Σ_m B_lm^a B_lm^b*, B_lm = Σ_n w_n j_l(qr_n) Y_lm*(r_n)
 *   cylinder   turning about an axis, with a part k of q along it: Σ_{|m| ≤ L} B_m^a B_m^b*,
 *              B_m = Σ_n w_n exp(ikz_n) J_m(√(q² − k²)ρ_n) exp(−imφ_n)
 *
 * The coefficients B are the kernel's. r is measured from a center: the mean does not depend on it, but L has
 * to exceed q times the largest distance from it by some, so that it is best in the middle. What was left out
 * is told by the part of the last order. All in double; B is off by at most 1e-13·Σ|w|, and the same to the
 * last bit for any number of threads. H. B. Stuhrmann, Acta Cryst. A26 (1970) 297. */
#pragma once

#include "kernels/kernel_head.h"
#include "multipole_math.h"
#include "scattering_groups.h"

DEBYE_BEGIN_DECLS

typedef struct {
  DebyeMultipole multipole;
  size_t n_atoms;               /* of every frame */
  DebyeScatteringGroups groups; /* borrowed as long as the plan lives */
  size_t max_q;                 /* the most that execute will be given */
  unsigned spare_cores;         /* that the CPU leaves to the lanes of accelerators */
} DebyeMultipoleSettings;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeMultipoleKernel {
  DebyeKernelHead head;
  /* The atoms of all that follows, until others are set; borrowed. INVALID names an atom that can't be used. */
  DebyeStatusCode (*set_frame)(DebyeKernelPlan *plan, const DebyeScatteringFrame *frame, DebyeVec3 center,
                               DebyeStatus *status);
  /* Writes out[2·((i·n_groups + group)·n_harmonics + k)], a real and an imaginary part of B at q[i], in 1/Å, k
   * as debye_multipole_of_order numbers them; of an empty group zeros. Unless it returns OK `out` means nothing. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, const double *q, size_t n_q, double *out,
                             const volatile bool *cancel, DebyeStatus *status);
};

/* Coefficients of a group at a q. */
size_t debye_multipole_n_harmonics(const DebyeMultipole *multipole);

/* INVALID with the reason where settings, atoms or q make no sense. */
DebyeStatusCode debye_multipole_settings_check(const DebyeMultipoleSettings *settings, DebyeStatus *status);
DebyeStatusCode debye_multipole_frame_check(const DebyeMultipoleSettings *settings,
                                            const DebyeScatteringFrame *frame, DebyeStatus *status);
DebyeStatusCode debye_multipole_q_check(const DebyeMultipoleSettings *settings, const double *q, size_t n_q,
                                        DebyeStatus *status);

/* The mean products at one q of the coefficients there, one group after the other: products[2·pair·stride], a
 * real and an imaginary part, pairs of groups a ≤ b numbered 00, 01, …, 11, …. Returns what the last order
 * adds to the sum over all pairs, as a share of it. */
double debye_multipole_products(const DebyeMultipole *multipole, size_t n_groups, const double *coefficients,
                                size_t stride, double *products);

DEBYE_END_DECLS
