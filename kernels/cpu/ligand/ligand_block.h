/* SPDX-License-Identifier: MIT */
/* The samples of one voxel, one table per instruction set; ligand_map.c calls it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/common/cpu_level.h"
#include "kernels/ligand/ligand_map.h"

/* Atoms in reach of a tile at most. */
#define DEBYE_LIGAND_CANDIDATES 32768
#define DEBYE_LIGAND_NEAR 512
/* Those that can reject one of its samples, of which some more would only save time. */
#define DEBYE_LIGAND_CLOSE 2048
#define DEBYE_LIGAND_LANES 16

/* What samples need of the settings, in single precision. */
typedef struct {
  unsigned subsamples;
  size_t n_kinds, n_sites, n_orientations;
  float step[3][3]; /* of samples */
  float square;     /* of the cutoff */
  float inverse;    /* of the cutoff */
  float reach;      /* of sites, Å */
  float inner;      /* of a voxel's sample points from its centre, Å */
  unsigned edge;    /* of a group of voxels that atoms are gathered for at once */
  float whole;      /* of a group: half its diagonal, Å */
  float cutoff;
  const float *repulsion, *attraction;
  const float *hard;      /* squares of hard radii, by type and kind */
  const float *hard_most; /* radii, by type */
  const float *certain;   /* radii of sample points that no orientation survives, by type */
  const uint8_t *kinds;
  const float *places;
  const float *charges; /* times the constant of Coulomb's law; NULL: none */
} DebyeLigandSamples;

/* From the tile's centre, Å. */
typedef struct {
  float x, y, z, charge;
  uint32_t type;
} DebyeLigandCandidate;

/* A thread's own. */
typedef struct {
  size_t n, n_close;
  DebyeLigandCandidate candidates[DEBYE_LIGAND_CANDIDATES];
  DebyeLigandCandidate close[DEBYE_LIGAND_CLOSE];
  /* Of a group of voxels, from its centre, filled up to whole vectors; only if a sample needed them. */
  float about[3];
  bool is_gathered;
  size_t n_atoms;
  _Alignas(64) float x[DEBYE_LIGAND_CANDIDATES + DEBYE_LIGAND_LANES];
  _Alignas(64) float y[DEBYE_LIGAND_CANDIDATES + DEBYE_LIGAND_LANES];
  _Alignas(64) float z[DEBYE_LIGAND_CANDIDATES + DEBYE_LIGAND_LANES];
  _Alignas(64) float charge[DEBYE_LIGAND_CANDIDATES + DEBYE_LIGAND_LANES];
  _Alignas(64) float repulsion[DEBYE_LIGAND_MAX_KINDS][DEBYE_LIGAND_CANDIDATES + DEBYE_LIGAND_LANES];
  _Alignas(64) float attraction[DEBYE_LIGAND_MAX_KINDS][DEBYE_LIGAND_CANDIDATES + DEBYE_LIGAND_LANES];
  /* Of a voxel, from its centre. */
  size_t n_near;
  DebyeLigandCandidate near[DEBYE_LIGAND_NEAR];
  float order[DEBYE_LIGAND_NEAR];
} DebyeLigandPiece;

typedef struct {
  /* The mean of exp(−E/kT) over the voxel whose centre is there, from the tile's. The piece says what group it is of. */
  float (*voxel)(const DebyeLigandSamples *samples, DebyeLigandPiece *piece, const float centre[3]);
} DebyeLigandBlock;

DEBYE_DECLARE_LEVELS(DebyeLigandBlock, debye_ligand_block)
