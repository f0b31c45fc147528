/* SPDX-License-Identifier: MIT */
/* Xenon in made-up matter, which ligand sampling is timed on: used by bench_case_ligand.c and bench_ladder_planes.c. */
#pragma once

#include "kernels/ladder/ladder_ligand.h"
#include "kernels/ladder/ladder_matter.h"

#include <glib.h>

#define DEBYE_BENCH_LIGAND_VOXELS (32.0 * 32.0 * 32.0) /* of 1 Å³, 27 samples each */
#define DEBYE_BENCH_LIGAND_MAX_VOXELS (128.0 * 128.0 * 128.0)

typedef struct {
  float *places; /* x, then y and z */
  uint32_t *types;
  double repulsion[DEBYE_MATTER_TYPES], attraction[DEBYE_MATTER_TYPES], place[3];
  uint8_t kind;
  DebyeLigandSettings settings;
  DebyeLigandFrame frame;
} DebyeBenchLigand;

/* A cube of about so many voxels, at most DEBYE_BENCH_LIGAND_MAX_VOXELS, filled with matter. */
DebyeBenchLigand *debye_bench_ligand_new(double n_voxels);
void debye_bench_ligand_free(DebyeBenchLigand *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeBenchLigand, debye_bench_ligand_free)
/* Pairs of a sample that nothing rejects and an atom within its cutoff, of which an evaluation is one; NAN: no memory. */
double debye_bench_ligand_count(const DebyeBenchLigand *self, const DebyeGrid *grid);
/* The largest relative difference to the sum in double among some voxels of this grid that aren't empty; NAN: there are
 * none. */
double debye_bench_ligand_find_error(const DebyeBenchLigand *self, const DebyeGrid *grid, const float *means);
