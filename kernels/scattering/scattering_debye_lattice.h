/* SPDX-License-Identifier: MIT */
/* The Debye formula of a large body from its amplitudes on a reciprocal lattice (scattering_lattice.h), without
 * looking at pairs.
 *
 * Distances between atoms end at a reach D, so that any even function w of r that is 1 up to D may stand in
 * the formula, and one that is 0 from L − D on sees nothing of the body's images in a cube of side L > 2D:
 *
 *   Σ_nm w_n w_m sin(q r_nm)/(q r_nm) = Σ_k |F(k)|² K_q(|k|),   over the cube's reciprocal lattice, exactly,
 *   K_q(k) = 4π/L³ ∫ w(r) sin(qr)/(qr) sin(kr)/(kr) r² dr = 2π/(L³ q k) · (W(q − k) − W(q + k)),
 *
 * W being w's transform. Here w is a step at L/2 that is smoothed by a narrow function of half the width
 * T/2 = L/2 − D whose transform is β/sinh β · sinh(s)/s with s² = β² − (uT/2)² (J. F. Kaiser's, in: Kuo &
 * Kaiser, System Analysis by Digital Computer, Wiley 1966): it falls to 2β exp(−β) at u = 2β/T, where the
 * lattice ends beyond the largest q. It costs some mesh of (D q)³ points instead of all pairs. */
#pragma once

#include "scattering_lattice.h"

typedef struct {
  double reach, q_max; /* D; no q beyond */
  double side;         /* L */
  double beta;
  unsigned extent;      /* of the lattice, along each axis */
  double tolerance;     /* of its amplitudes */
  bool holds_tolerance; /* not where rounding, or the most indices that there may be, stand in the way */
} DebyeFormulaLattice;

/* For bodies with no distance beyond `reach` Å, at q up to q_max. The error of the sum is at most some tolerance·Σw². */
DebyeFormulaLattice debye_formula_lattice(double reach, double q_max, double tolerance, size_t n_atoms);
/* What the amplitudes of a group of so many atoms cost, in points of the mesh that are passed; and the bytes of them all, or
 * those of the host where other devices have the mesh and the amplitudes. */
double debye_formula_lattice_count_points(const DebyeFormulaLattice *lattice, size_t n_atoms);
double debye_formula_lattice_count_bytes(const DebyeFormulaLattice *lattice, size_t n_groups, size_t n_atoms,
                                         size_t n_q);
double debye_formula_lattice_count_host_bytes(const DebyeFormulaLattice *lattice, size_t n_groups,
                                              size_t n_atoms, size_t n_q);
/* How many weights K_q(|k|) a frame's sum takes. */
double debye_formula_lattice_count_weights(const DebyeFormulaLattice *lattice, size_t n_q);

/* The weights K_q(|k|) of some q, made once for many frames. */
typedef struct DebyeFormulaFold DebyeFormulaFold;

/* q is borrowed as long as the fold lives. */
DebyeStatusCode debye_formula_fold_create(const DebyeFormulaLattice *lattice, const double *q, size_t n_q,
                                          DebyeFormulaFold **fold, DebyeStatus *status);
/* products[pair·n_q + i], written, from sums over the lattice by length (DebyeLatticeSettings.by_length), one pair after the
 * other. The result does not depend on the number of threads. One execution at a time. */
DebyeStatusCode debye_formula_fold_execute(const DebyeFormulaFold *fold, const double *sums, size_t n_pairs,
                                           double *products, const volatile bool *cancel,
                                           DebyeStatus *status);
void debye_formula_fold_free(DebyeFormulaFold *fold); /* NULL: nothing */
