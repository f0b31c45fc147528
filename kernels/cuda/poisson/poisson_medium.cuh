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
  bool *is_inner;
  uint32_t *n_cut; /* edges that the surface cuts */
  DebyeCudaPoissonTransfer transfer;
  cudaEvent_t stages[DEBYE_POISSON_N_STAGES + 1];
  bool has_medium;
};

/* poisson_medium.cu: conductances, screening and is_inner. `keys` and `scratch` have one value for each point. */
void debye_cuda_poisson_set_medium(const DebyeCudaPoissonMolecule *self, const DebyePoissonMedium *medium,
                                   const DebyeSpheres *spheres, const DebyeCudaPoissonGrid *grid,
                                   unsigned long long *keys, float *scratch, DebyeStream *stream);
/* The source, of charges that are uploaded. keys: as above; all 0 then. */
void debye_cuda_poisson_add_charges(const DebyeCudaPoissonMolecule *self, const DebyePoissonMedium *medium,
                                    size_t n_charges, unsigned long long *keys, float *source,
                                    DebyeStream *stream);

/* poisson_boundary.cu: the grid's outer points. */
size_t debye_cuda_poisson_lattice_size(const size_t shape[3]);
void debye_cuda_poisson_set_boundary(DebyeCudaPoissonMolecule *self, const DebyePoissonMolecule *molecule,
                                     const DebyeCudaPoissonPotential *potential, DebyeStream *stream);
