/* SPDX-License-Identifier: MIT */
/* What poisson_molecule.cu makes of a molecule: the operator, the right-hand side and the boundary
 * of poisson.h on a GPU; and its plan's memory for that. Its twins are
 * kernels/poisson/poisson_medium.c, poisson_charges.c and poisson_boundary.c. */
#pragma once

#include "kernels/cuda/surface/surface.cuh"
#include "kernels/poisson/poisson_medium.h"
#include "poisson_grid.cuh"

/* A charge where it is, and what the boundary sees of it: z exp(κR)/(1 + κR). */
struct DebyeCudaPoissonCharge {
  float x, y, z, charge;
  float seen;
};

/* Of a map to the host, in parts. */
struct DebyeCudaPoissonTransfer {
  unsigned *n_bad, *n_bad_on_host; /* outer points that aren't finite; the second is pinned */
  float *stage;                    /* parts of it, pinned (poisson_map.cu) */
  unsigned *mark, *arrived; /* not 0; the second is pinned, by part: a copy of the first once it is there */
};

struct DebyeCudaPoissonMolecule {
  DebyeCudaSurfaceMaker maker;
  DebyeCudaSurface surface;
  DebyeRoom charges_on_host, charges, outer; /* the first is pinned */
  double *lattice;                           /* the boundary at the points of its sides that are summed */
  uint8_t *flags;                            /* DEBYE_POISSON_INNER and the like */
  DebyeCudaPoissonUncut *uncut;
  uint32_t *n_cut;       /* edges that the surface cuts */
  DebyeRoom spread;      /* of each charge what the points about it have, of all charges: float, 27 */
  DebyeSurfaceGrid grid; /* where they are spread, */
  size_t n_charges;      /* so many */
  DebyeCudaPoissonTransfer transfer;
  cudaEvent_t stages[DEBYE_POISSON_N_STAGES + 1];
  bool has_medium;
};

/* poisson_medium.cu: conductances and flags. `keys` and `scratch` have one value for each point. */
void debye_cuda_poisson_set_medium(const DebyeCudaPoissonMolecule *self, const DebyePoissonMedium *medium,
                                   const DebyeSpheres *spheres, const DebyeCudaPoissonGrid *grid,
                                   unsigned long long *keys, float *scratch, DebyeStream *stream);
/* Spreads charges that are uploaded. keys: as above; all 0 then. */
void debye_cuda_poisson_spread_charges(DebyeCudaPoissonMolecule *self, const DebyePoissonMedium *medium,
                                       size_t n_charges, unsigned long long *keys, DebyeStream *stream);
/* The source of charges that are spread: 0 on outer points. */
void debye_cuda_poisson_place_charges(const DebyeCudaPoissonMolecule *self, float *source,
                                      DebyeStream *stream);
/* One byte for each point: whether it is within the surface. */
void debye_cuda_poisson_find_inner(const DebyeCudaPoissonMolecule *self, size_t n, bool *is_inner,
                                   DebyeStream *stream);

/* poisson_boundary.cu: the grid's outer points. */
size_t debye_cuda_poisson_lattice_size(const size_t shape[3]);
/* Those of the planes of the molecule's grid that the other has, from number `begin` on. */
void debye_cuda_poisson_set_boundary(DebyeCudaPoissonMolecule *self, const DebyePoissonMolecule *molecule,
                                     const DebyeCudaPoissonGrid *grid, int begin,
                                     const DebyeCudaPoissonPotential *potential, DebyeStream *stream);
