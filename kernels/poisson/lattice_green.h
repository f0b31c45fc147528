/* SPDX-License-Identifier: MIT */
/* The lattice Green's function: what the grid's own Poisson equation gives at a distance of whole steps from a unit source in
 * an unbounded uniform medium, Σ_f c_f (g_i − g_f) = δ, with conductances c along each axis:
 *
 *   g(n) = ∫_0^∞ Π_a e^(−2c_a t) I_{n_a}(2c_a t) dt
 *
 * (M. L. Glasser & J. Boersma, J. Phys. A 33 (2000) 5017, for the cubic lattice, where g(0) = 0.252731…/c.) Far away it is
 * Coulomb's. */
#pragma once

/* Steps along an axis, at most. */
#define DEBYE_LATTICE_GREEN_REACH 10

typedef struct {
  double at[DEBYE_LATTICE_GREEN_REACH + 1][DEBYE_LATTICE_GREEN_REACH + 1][DEBYE_LATTICE_GREEN_REACH + 1];
} DebyeLatticeGreen;

/* Conductances above 0; relative error 1e-9. */
void debye_lattice_green_init(DebyeLatticeGreen *green, const double conductance[3]);
