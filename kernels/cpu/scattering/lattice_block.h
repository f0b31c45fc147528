/* SPDX-License-Identifier: MIT */
/* Atoms spread on the mesh of the reciprocal lattice on the CPU, one version for each precision and instruction set. Who
 * calls them: scattering_lattice.c. */
#pragma once

#include "kernels/cpu/common/cpu_level.h"
#include "kernels/scattering/lattice_spread.h"

/* An atom in mesh units, from 0 to the mesh's length along each axis. */
typedef struct {
  double place[3];
  double weight;
} DebyeLatticeAtom;

typedef struct {
  /* Adds the atoms to those of the mesh's planes that are from first_plane up to end_plane. `mesh` is of float
   * or double, x fastest. */
  void (*spread)(const DebyeLatticeSpread *spread, const DebyeLatticeAtom *atoms, size_t n,
                 size_t first_plane, size_t end_plane, void *mesh);
} DebyeLatticeBlock;

DEBYE_DECLARE_PRECISIONS(DebyeLatticeBlock, debye_lattice_block)
