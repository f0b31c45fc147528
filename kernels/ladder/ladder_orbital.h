/* SPDX-License-Identifier: MIT */
/* The problem of the orbital's teaching variants: a basis as arrays that a lecture's listing reads; called by both back
 * ends' drivers. */
#pragma once

#include "ladder.h"

DEBYE_BEGIN_DECLS

/* What the sources have room for: primitives of a shell, and of an atom primitives (as many coefficients) and shells. */
#define DEBYE_LADDER_SHELL_PRIMITIVES 32
#define DEBYE_LADDER_ATOM_PRIMITIVES 64
#define DEBYE_LADDER_ATOM_SHELLS 32
/* Points of a strip of the CPU's sources at most, by which a row of factors is longer. */
#define DEBYE_LADDER_STRIP 16

/* Places are from the grid's first point, where point (i, j, k) stands at (i·step[0], j·step[1], k·step[2]). */
typedef struct {
  size_t shape[3];
  float step[3];
  size_t n_atoms, n_shells, n_primitives, n_functions;
  float *atoms;        /* x, y, z and the square of the longest reach */
  int *first_shell;    /* n_atoms + 1 */
  int *shells;         /* n_shells + 1 times degree, first primitive, first coefficient */
  float *primitives;   /* exponent, weight, square of its reach: the farthest of a shell first */
  float *coefficients; /* in the order of debye_orbital_monomial() */
} DebyeLadderBasis;

/* INVALID with the reason where variant or problem make no sense. */
DebyeStatusCode debye_ladder_orbital_check(const DebyeLadderKernel *ladder, size_t variant,
                                           const DebyeLadderOrbital *orbital, DebyeStatus *status);
/* Of a checked problem. What is in *basis afterwards is cleared with debye_ladder_basis_clear, whatever was returned. */
DebyeStatusCode debye_ladder_basis_init(DebyeLadderBasis *basis, const DebyeLadderOrbital *orbital,
                                        DebyeStatus *status);
void debye_ladder_basis_clear(DebyeLadderBasis *basis);
/* Evaluations: pairs of a grid point and a Gaussian that reaches so far. */
double debye_ladder_basis_evaluations(const DebyeLadderBasis *basis);
/* Planes of a launch, so that a Stop is seen soon. */
size_t debye_ladder_orbital_planes_at_once(const DebyeLadderBasis *basis, double evaluations);
/* The production kernel of a back end on this problem, which was checked: the seconds are those of its maps, of which only
 * the last is fetched. */
DebyeStatusCode debye_ladder_orbital_ours(const DebyeOrbitalKernel *kernel, int device,
                                          const DebyeLadderOrbital *orbital, float *map, double *seconds,
                                          const volatile bool *cancel, DebyeStatus *status);

DEBYE_END_DECLS
