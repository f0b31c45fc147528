/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling (Cohen, Arkhipov, Braun & Schulten, Biophys. J. 91 (2006) 1844): in each voxel of a grid the mean of
 * exp(−E/kT) over sample points and orientations of a small rigid ligand, of one frame at a time.
 *
 * E is a sum over the ligand's sites and all images of atoms within the cutoff: A/r¹² − B/r⁶, and with charges
 * k·q·Q·(1/r − 1/cutoff). Distances below 0.01 Å count as 0.01 Å. A sample above DEBYE_LIGAND_MAX_ENERGY contributes
 * nothing. Kernels work in single precision about the voxels' places: means are good to 1e-3. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/geometry.h"
#include "kernels/kernel_head.h"

DEBYE_BEGIN_DECLS

#define DEBYE_LIGAND_MAX_SITES 32
#define DEBYE_LIGAND_MAX_KINDS 8
#define DEBYE_LIGAND_MAX_TYPES 65535
#define DEBYE_LIGAND_MAX_ORIENTATIONS 10000
#define DEBYE_LIGAND_MAX_SUBSAMPLES 8
#define DEBYE_LIGAND_MAX_CUTOFF 24.0 /* Å */
#define DEBYE_LIGAND_MAX_ENERGY 80.0 /* kT */
#define DEBYE_LIGAND_LEAST_SQUARE 1e-4
/* A pair above this rejects its sample at once. Attraction of all other atoms stays far below the difference to
 * DEBYE_LIGAND_MAX_ENERGY: 40 kT without charges, 300 kT with them. */
#define DEBYE_LIGAND_REJECTS 120.0
#define DEBYE_LIGAND_REJECTS_CHARGED 400.0
/* Voxels of a tile's edge. Work is shared in layers of tiles along the grid's third axis. */
#define DEBYE_LIGAND_TILE 4
/* What a sample costs against the Coulomb pair that devices' scores are given in: 300 to 600 on CPUs and GPUs
 * (tests/bench/RESULTS.md), although most are rejected. */
#define DEBYE_LIGAND_SAMPLE_COST 400.0

/* Arrays belong to the caller and stay as long as plans. */
typedef struct {
  DebyeGrid grid;      /* points are the centres of voxels */
  unsigned subsamples; /* along each axis of a voxel */
  double cutoff;       /* Å */
  size_t n_types, n_kinds, n_sites, n_orientations;
  const double *repulsion, *attraction; /* A in kT·Å¹² and B in kT·Å⁶, at type · n_kinds + kind */
  const uint8_t *kinds;                 /* by site */
  const double *places;  /* of sites from the sample point: (orientation · n_sites + site) · 3, Å */
  const double *charges; /* by site, e; NULL: no electrostatics */
  double coulomb;        /* kT·Å/e² */
  size_t max_atoms;      /* of a typical frame */
  unsigned spare_cores;  /* that the CPU leaves to the lanes of accelerators */
} DebyeLigandSettings;

typedef struct {
  const float *x, *y, *z; /* Å; atoms that aren't finite are left out */
  size_t n;
  const uint32_t *types;
  const float *charges;  /* e; NULL only without electrostatics */
  const DebyeCell *cell; /* whose images count; NULL: none */
} DebyeLigandFrame;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeLigandKernel {
  DebyeKernelHead head;
  /* The frame stays the caller's until it has been computed. */
  DebyeStatusCode (*set_frame)(DebyeKernelPlan *plan, const DebyeLigandFrame *frame, DebyeStatus *status);
  /* Layers [first, first + count) of tiles; `means` is of the whole grid, x fastest, and only these voxels are written. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, size_t first, size_t count, float *means,
                             const volatile bool *cancel, DebyeStatus *status);
};

static inline size_t
debye_ligand_n_tiles(const DebyeLigandSettings *settings, int axis)
{
  return (settings->grid.shape[axis] + DEBYE_LIGAND_TILE - 1) / DEBYE_LIGAND_TILE;
}

/* How far sites are from the sample point, Å. */
double debye_ligand_reach(const DebyeLigandSettings *settings);
/* The distance below which a pair rejects its sample, Å. */
double debye_ligand_hard_radius(const DebyeLigandSettings *settings, size_t type, size_t kind);
/* The distance of an atom from the sample point below which one of its pairs rejects each orientation, Å. */
double debye_ligand_certain_radius(const DebyeLigandSettings *settings, size_t type);
/* Half the diagonal of a block of so many voxels a side, Å. */
double debye_ligand_block_radius(const DebyeLigandSettings *settings, double voxels);

/* INVALID with the reason where the settings, or the frame for them, make no sense. */
DebyeStatusCode debye_ligand_settings_check(const DebyeLigandSettings *settings, DebyeStatus *status);
DebyeStatusCode debye_ligand_frame_check(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame,
                                         DebyeStatus *status);

DEBYE_END_DECLS
