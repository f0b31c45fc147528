/* SPDX-License-Identifier: MIT */
/* Multilevel summation of the potential: its parameters, their choice from a tolerance, and the error to
 * expect (Skeel, Tezcan & Hardy, J. Comput. Chem. 23 (2002) 673; Hardy, Stone & Schulten, Parallel Comput. 35
 * (2009) 164; with B-splines Hardy, Wolff, Xia, Schulten & Skeel, J. Chem. Phys. 144 (2016) 114112).
 *
 *   1/d = (1/d − g₀(d)) + (g₀ − g₁)(d) + (g₁ − g₂)(d) + … + g_top(d),   g_l(d) = 2⁻ˡ g₀(d/2ˡ)
 *
 * g₀ is 1/d beyond the cutoff a and smooth within. The first term is summed over the pairs within the cutoff.
 * Each other one varies so slowly that charges and potential can be taken on a lattice, each level's with
 * twice the spacing of the one before: charges are spread with B-splines over `order` points an axis and
 * handed up from lattice to lattice; on each a stencil of finite size gives the level's potential, which is
 * handed down and added; the map's points are interpolated from the finest with the same splines. A spline is
 * a sum of splines of half its width, so handing up and down costs no accuracy at all. The work is
 * proportional to atoms and points.
 *
 * Splitting. g₀(d) = F(d/a)/d with F(x) = ∫₀ˣψ/∫₀¹ψ, ψ a window that ends at 1: the transform of g₀ is
 * 4π/k² ψ̂(ka). The Taylor splittings of the papers are the windows (1 − x²)ᵏ. What a lattice can't resolve is
 * what the window lets through at large k, so Kaiser's window is taken, I₀(β√(1 − x²)): of all that end at 1
 * it is close to the one with least of it. Its series in 1 − x² is a polynomial in d², as the cutoff sum
 * wants it.
 *
 * The stencil is not the kernel at the lattice's points, interpolated. It is the one of all of its size that
 * makes the root mean square of the error of the potential least (multilevel_stencil.h), a quarter to a half
 * less.
 *
 * Boundaries. Open: lattices reach beyond atoms and map as far as splines need. Along periodic axes lattices
 * close on themselves; there the finest has m·2ᵏ points. The top level's lattice is so small that every point
 * sums all of it, with a kernel that knows the boundary exactly. Periodic along three axes: Ewald's sum over
 * wave vectors but zero, so that the map's mean over the cell is zero and a net charge has a uniform
 * neutralising background. Along two, parallel to a plane of area A: a net charge Q gives −2πQ|z|/A far away,
 * z the distance along the plane's normal. Along one, of length L: −2(Q/L) ln(ρ/Å) far away, ρ the distance
 * from the axis. What a net charge adds to that is infinite and left out; a neutral layer's or wire's is the
 * limit of its sums over images taken evenly to all sides.
 *
 * Errors are root mean squares over the map, relative to the map's own, which is estimated as for Ewald's
 * method (ewald.h): charges uncorrelated where the errors are, screened within half an Å where the map's
 * square is. They are what the finest level makes, times √2 for those above, whose share falls with the
 * charges' correlation; but not for a crystal whose spacing is close to a level's: of that there is an
 * estimate of its own, and what would miss the tolerance by it is refused, too. With splines of order 4 it
 * is the larger one. */
#pragma once

#include "multilevel_frame.h"
#include "pair_function.h"

DEBYE_BEGIN_DECLS

/* Below this rounding in float lattices shows; in double it is the least that the table of errors reaches. */
#define DEBYE_MULTILEVEL_LEAST_TOLERANCE 2e-5

/* The cheapest parameters that meet the tolerance. What the settings state (cutoff, order) stays. INVALID,
 * with the reason, where the settings make no sense or the tolerance can't be met. */
DebyeStatusCode debye_multilevel_choose(const DebyePotentialSettings *settings, DebyeMultilevel *multilevel,
                                        DebyeStatus *status);

/* 1/d − g₀(d). */
DebyePairFunction debye_multilevel_pair_function(const DebyeMultilevel *multilevel);
/* ψ̂(x)/ψ̂(0), and the mean of x² over the window. */
double debye_multilevel_window(double beta, double x);
double debye_multilevel_window_square(double beta);

DEBYE_END_DECLS
