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
#include "poisson_membrane.h"

DEBYE_BEGIN_DECLS

/* Å; l₀ at a temperature, K. */
#define DEBYE_BJERRUM_VACUUM(temperature) (167101.0 / (temperature))

typedef struct {
  /* Along periodic axes it has a point more at each end than its period, as DebyePoissonSettings says. */
  DebyeSurfaceGrid grid;
  bool periodic[3];
  DebyePoissonMembrane membrane;
  DebyeSurfaceKind surface;
  double probe;           /* Å */
  double solute, solvent; /* permittivities */
  double length;          /* l₀, Å */
  double screening;       /* κ̄², 1/Å² */
  double ion_radius;      /* Å */
  bool smoothed;          /* ε as other programs have it, see debye_poisson_medium_smooth() */
} DebyePoissonMedium;

/* Maps in place of what atoms make, x fastest, as many values as the grid has points; NULL: the atoms'. */
typedef struct {
  const float *permittivity
      [3];           /* of the edge from a point to its next neighbor along each axis, above 0; all or none */
  const float *ions; /* κ̄²λ, 1/Å² */
  const float *charge; /* e/Å³ */
} DebyePoissonMaps;

/* The equation of a molecule, as many elements as the grid has points: the operator's conductances and screening, its
 * right-hand side, the boundary with the solution, and whether a point is within the molecule's surface. */
struct DebyePoissonEquation {
  float *along[3], *screening, *source;
  bool *is_inner;
  double *potential;
};

/* The potential on the grid's outer points. */
typedef enum {
  DEBYE_POISSON_DEBYE_HUECKEL, /* the charges' own, in the solvent */
  DEBYE_POISSON_ZERO,
  DEBYE_POISSON_FOCUS, /* that on a larger grid */
} DebyePoissonBoundary;

/* What a device makes an equation of by itself. Spheres as debye_surface_check() has them; the medium neither repeats nor
 * has a membrane or smoothed permittivities. */
struct DebyePoissonMolecule {
  const DebyePoissonMedium *medium;
  const DebyeSpheres *spheres;
  const float *charges;
  DebyePoissonBoundary boundary;
  const DebyeSurfaceGrid *outer; /* the larger grid, and its potential */
  const double *outer_potential;
  bool has_guess;    /* the plan's last solution is the first guess */
  bool keeps_medium; /* conductances and screening are those of the plan's last equation */
};

/* At each charge the sum of all charges' potentials in a uniform medium of permittivity 1 on an unbounded grid, over l₀. */
typedef struct {
  double *sums;  /* as many as there are charges */
  bool is_known; /* false: to be computed */
} DebyePoissonUniform;

/* Writes conductances, screening and, where it isn't NULL, is_inner. INVALID as debye_surface_init says, NO_MEMORY. */
DebyeStatusCode debye_poisson_medium_set(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                         const DebyePoissonEquation *equation, DebyeStatus *status);

/* Likewise of a surface that is there, of the medium's kind and probe. NO_MEMORY. */
DebyeStatusCode debye_poisson_medium_set_surface(const DebyePoissonMedium *medium,
                                                 const DebyeSurface *surface,
                                                 const DebyePoissonEquation *equation, DebyeStatus *status);

/* Writes conductances of another kind over those of debye_poisson_medium_set: ε is that of the edge's middle, which dots on the
 * accessible surface, 10 per Å², decide (poisson_dots.h), then the harmonic mean with the eight nearest
 * middles of edges along the other axes (R. E. Bruccoleri, J. Novotny, M. E. Davis & K. A. Sharp, J.
 * Comput. Chem. 18 (1997) 268), which APBS calls smol. NO_MEMORY. */
DebyeStatusCode debye_poisson_medium_smooth(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                            const DebyePoissonEquation *equation, DebyeStatus *status);

/* Writes what is given over what the atoms made: conductances, screening, charges. */
void debye_poisson_medium_take_maps(const DebyePoissonMedium *medium, const DebyePoissonMaps *maps,
                                    const DebyePoissonEquation *equation);
/* The boundary below, of a map of charges. NO_MEMORY. */
DebyeStatusCode debye_poisson_medium_set_map_boundary(const DebyePoissonMedium *medium, const float *charge,
                                                      double *potential, DebyeStatus *status);
/* Writes the grid's outer points: the potential on another grid that has this one within it, by cubics. */
void debye_poisson_medium_focus(const DebyePoissonMedium *medium, const DebyeSurfaceGrid *outer,
                                const double *outer_potential, double *potential);

/* Writes the grid's outer points: the sum of each charge's Debye-Hückel potential, l₀ z exp(−κ(d − R))/(ε d(1 + κR)), R the
 * atom's radius, by a tree of charges (poisson_tree.h) to 5e-5 of the sum of their amounts. From every fourth point and cubic
 * interpolation where the grid has so many. NO_MEMORY. */
DebyeStatusCode debye_poisson_medium_set_boundary(const DebyePoissonMedium *medium,
                                                  const DebyeSpheres *spheres, const float *charges,
                                                  double *potential, DebyeStatus *status);

/* Whether every atom is two steps and more within the grid, so that its charge has 27 inner points. */
bool debye_poisson_medium_contains(const DebyePoissonMedium *medium, const DebyeSpheres *spheres);
/* Adds 4πl₀z to the points about each charge; of one that isn't contained, to those that there are. */
void debye_poisson_medium_add_charges(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                      const float *charges, float *source);

/* The reaction field at each charge, kT/e, of an equation that is solved: the potential of the charges that the surface's
 * polarisation and the ions are. ½ Σ zᵢ field[i] is the reaction energy, kT. Of atoms that
 * are not contained 0; one without a charge has a field, too.
 *
 * The grid's potential at a charge, less what the charges, spread as they are, do to each other and themselves on an
 * unbounded grid of permittivity `solute`: by the lattice Green's function within six steps, and beyond by Coulomb's law with
 * its correction for the grid's steps, Σ h_a²/24·(3/d³ − 18 d_a²/d⁵ + 15 d_a⁴/d⁷). Then the polarisation within six steps is
 * moved from the grid to where it is, unless permittivities are smoothed: an edge that the surface cuts at a fraction θ
 * and that carries a flux F has the charge F(1/ε_outer − 1/ε_inner)/4πl₀ there, which the seven points' equation has
 * spread linearly over both ends. From 2.5 % of the energy of an ion of 1 Å to 0.05 % at 0.5 Å. NO_MEMORY.
 *
 * uniform: what charges do to each other on the unbounded grid, of other media on the same grid, too; NULL: not to be kept. */
DebyeStatusCode debye_poisson_medium_reaction(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                              const float *charges, const DebyePoissonEquation *equation,
                                              DebyePoissonUniform *uniform, double *field,
                                              DebyeStatus *status);

DEBYE_END_DECLS
