/* SPDX-License-Identifier: MIT */
/* Charges in a tree of boxes, so that sums over all of them cost the logarithm of their number: a box that is far away stands
 * for its charges by proxies at its Chebyshev points, which have their interpolated charge (L. Wang, R. Krasny & S. Tlupova,
 * Commun. Comput. Phys. 28 (2020) 1415). That holds for every kernel that is smooth far away: what is summed, the caller says.
 *
 * A box is far where its half diagonal is at most `opening` times the distance of its middle. At an opening of 0.5 and degree 6
 * the error of Σ q/d is below 2e-7 of Σ |q|/d, and that of Σ q exp(−κd)/d below 5e-5 of Σ |q|
 * exp(−κd)/d near the charges, whatever κ is: what is far beyond 1/κ counts little. Degree 8 errs
 * by 1e-8 of Coulomb's sum (tests/kernels/test_poisson_sums.c). */
#pragma once

#include "kernels/surface/sphere_bins.h"

#define DEBYE_POISSON_TREE_MAX_DEGREE 8

/* Charges at places, Å. */
typedef struct {
  const double *x, *y, *z, *charge;
  size_t n;
} DebyePoissonSources;

typedef struct {
  unsigned degree; /* of the interpolation along each axis, 1 … MAX_DEGREE */
  double opening;  /* in (0, 1) */
} DebyePoissonTreeSettings;

typedef struct DebyePoissonTreeNode DebyePoissonTreeNode;

typedef struct {
  DebyePoissonTreeSettings settings;
  DebyePoissonTreeNode *nodes; /* the first is the root; children stand behind their parent */
  size_t n_nodes;
  double *places[4]; /* x, y, z and charge of the charges, by boxes; then of the proxies */
} DebyePoissonTree;

/* Charges of 0 are left out. Time n log n, on the calling thread. False, with nothing in it, on exhausted memory. */
bool debye_poisson_tree_init(DebyePoissonTree *tree, const DebyePoissonTreeSettings *settings,
                             const DebyeSpheres *spheres, const double *charges);
void debye_poisson_tree_clear(DebyePoissonTree *tree);

/* Calls function with charges and proxies that together stand for all charges as they are seen from a place. Proxies of a box
 * are used only where all of the box is farther than `apart` along some axis. */
void debye_poisson_tree_visit(const DebyePoissonTree *tree, DebyeVec3 at, const double apart[3],
                              void (*function)(void *context, const DebyePoissonSources *sources,
                                               bool are_proxies),
                              void *context);
