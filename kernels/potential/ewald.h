/* SPDX-License-Identifier: MIT */
/* Smooth particle mesh Ewald for the potential: its parameters, their choice from a tolerance, and the error
 * to expect. What the back ends compute with them stands in ewald_math.h.
 *
 *   V(r) = Σ_i q_i Σ_n erfc(β d)/d  +  1/(πV) Σ_{m≠0} exp(−π²m²/β²)/m² S(m) exp(−2πi m·r)  +  constant
 *
 * with d the distance to image n of atom i and m the vectors of the reciprocal lattice (Ewald 1921). The
 * first sum runs over every image within the cutoff, however small or skew the cell: an atom counts as often
 * as its images are in range. The second is taken on a mesh that follows the cell's edges, so that a skew
 * cell is a cube to it: charges are spread with B-splines over `order` mesh points an axis, transformed,
 * multiplied, transformed back and interpolated with the same splines at the points of the map, wherever
 * those are (Essmann, Perera, Berkowitz, Darden, Lee & Pedersen, J. Chem. Phys. 103 (1995) 8577). The factors
 * are not Essmann's, which make the spline exact at mesh points, but those that make the root mean square of
 * the error of the potential least (Hockney & Eastwood; Ballenegger, Cerdà & Holm, J. Chem. Theory Comput. 8
 * (2012) 936, which also gives the error).
 *
 * The constant makes the mean over the cell zero. It is −πQ/(Vβ²) for a net charge Q, the potential of a
 * uniform background that neutralises the cell; without the background a periodic net charge has no
 * potential. Taken for the cutoff sum instead of the whole one, it is −(4πQ/V) ∫₀^rc erfc(βr) r dr, and the
 * result depends neither on β nor on where the sum is cut.
 *
 * The reciprocal part alone (`reciprocal_only`) is the potential of Gaussians of width σ = 1/(β√2) in place
 * of the charges: smooth, its mean zero too.
 *
 * Errors are root mean squares over the map, relative to the map's own. Neither is known before the charges
 * are, so charges are taken for uncorrelated, which a cell of many atoms comes close to where the errors are
 * (large wave vectors); and the map's square for that of charges screened within half an Å, which atoms with
 * opposite partial charges on their neighbours come close to: q²/V · 4π/κ with κ = 2/Å. What `choose`
 * promises is the tolerance by this estimate; tests compare it with the truth. */
#pragma once

#include "potential.h"
#include "kernels/status.h"

DEBYE_BEGIN_DECLS

#define DEBYE_EWALD_LEAST_ORDER 3
#define DEBYE_EWALD_LARGEST_ORDER 16
#define DEBYE_EWALD_LARGEST_MESH 2048
/* Below these rounding is larger. */
#define DEBYE_EWALD_LEAST_TOLERANCE_FLOAT 5e-6
#define DEBYE_EWALD_LEAST_TOLERANCE_DOUBLE 1e-11

typedef struct {
  double beta;    /* 1/Å */
  double cutoff;  /* Å; 0: the reciprocal part alone */
  unsigned order; /* of the splines: mesh points an axis that a charge is spread over */
  size_t mesh[3]; /* points along the cell's edges */
  double error;   /* estimate for the cell it was chosen for */
  double cost;    /* of a map, pairs and all else, in pairs of the direct sum */
} DebyeEwald;

/* The cheapest parameters that meet the tolerance in settings->cell. What the settings state (cutoff, order,
 * mesh, width) stays. INVALID, with the reason, where there is no cell, the settings make no sense, or the
 * tolerance can't be met: the sentence then says what can. Planned for cells 2 % longer than this one. */
DebyeStatusCode debye_ewald_choose(const DebyePotentialSettings *settings, DebyeEwald *ewald,
                                   DebyeStatus *status);
/* For a frame whose cell is another: true where the cell has outgrown the mesh, which is then made larger
 * (and `error` renewed). A mesh that the settings state is kept. */
bool debye_ewald_follow(const DebyePotentialSettings *settings, const DebyeCell *cell, DebyeEwald *ewald);

/* The one that the settings ask for, or the default. */
double debye_ewald_tolerance(const DebyePotentialSettings *settings);

DEBYE_END_DECLS
