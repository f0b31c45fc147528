/* SPDX-License-Identifier: MIT */
/* What the Poisson-Boltzmann equation of a molecule in an electrolyte becomes on a grid: conductances, screening, charges and
 * boundary of poisson.h, of atoms with charges and radii. Potentials are in kT/e, lengths in Å, l₀ = e²/(4πε₀kT).
 *
 *   −∇·[ε∇φ] + κ̄²λφ = 4πl₀ Σ zᵢ δ(r − rᵢ),   κ̄² = 8πl₀ n,  n the ionic strength as a number density
 *
 * ε is `solute` within the molecule's surface and `solvent` outside; of an edge that the surface crosses the harmonic mean by
 * the exact fraction within (from 2.3 % of Born's energy to 0.2 % at 0.5 Å). λ is 1 where an ion's center can be, farther
 * than r + ion radius from every atom, else 0. Charges are spread as quadratic B-splines over 27 points. */
#pragma once

#include "kernels/surface/surface.h"
#include "poisson.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Å; l₀ at a temperature, K. */
#define DEBYE_BJERRUM_VACUUM(temperature) (167101.0 / (temperature))

typedef struct {
  DebyeSurfaceGrid grid;
  DebyeSurfaceKind surface;
  double probe;           /* Å */
  double solute, solvent; /* permittivities */
  double length;          /* l₀, Å */
  double screening;       /* κ̄², 1/Å² */
  double ion_radius;      /* Å */
} DebyePoissonMedium;

/* Arrays of the operator, as many as the grid has points, which are written. INVALID as debye_surface_init says, NO_MEMORY. */
DebyeStatusCode debye_poisson_medium_set(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                         const DebyeChunkRunner *runner, float *along[3], float *screening,
                                         DebyeStatus *status);

/* Writes the grid's outer points: the sum of each charge's Debye-Hückel potential, l₀ z exp(−κ(d − R))/(ε d(1 + κR)), R the
 * atom's radius. From every fourth point and cubic interpolation where the grid has so many. */
void debye_poisson_medium_set_boundary(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                       const float *charges, const DebyeChunkRunner *runner,
                                       double *potential);

/* Whether every atom is two steps and more within the grid, so that its charge has 27 inner points. */
bool debye_poisson_medium_contains(const DebyePoissonMedium *medium, const DebyeSpheres *spheres);
/* Adds 4πl₀z to the points about each charge that is contained. */
void debye_poisson_medium_add_charges(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                      const float *charges, float *source);

/* The reaction field at each charge, kT/e: the grid's potential there less what the charges, spread as they are, do to each
 * other and themselves on an unbounded grid of permittivity `solute`. That is the lattice Green's function's for
 * partners within four steps, and Coulomb's beyond. ½ Σ zᵢ field[i] is the reaction energy, kT. Of charges that are not
 * contained 0. */
void debye_poisson_medium_reaction(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                   const float *charges, const double *potential,
                                   const DebyeChunkRunner *runner, double *field);

#ifdef __cplusplus
}
#endif
