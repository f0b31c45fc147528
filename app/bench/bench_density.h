/* SPDX-License-Identifier: MIT */
/* Atoms as dense as water that move in a cube of voxels, which counting them is timed on: used by bench_case_density.c and
 * bench_ladder_density.c. */
#pragma once

#include "kernels/ladder/ladder_density.h"

#include <glib.h>

#define DEBYE_BENCH_DENSITY_VOXELS (64.0 * 64.0 * 64.0) /* of 1 Å³ */
#define DEBYE_BENCH_DENSITY_MAX_VOXELS (256.0 * 256.0 * 256.0)

typedef struct {
  float *places; /* x, then y and z, of one frame after the other */
  DebyeLadderDensity density;
} DebyeBenchDensity;

/* A cube of about so many voxels and a tenth as many atoms, in 256 frames or, of many atoms, in fewer. NULL: no memory. */
DebyeBenchDensity *debye_bench_density_new(double n_voxels);
void debye_bench_density_free(DebyeBenchDensity *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeBenchDensity, debye_bench_density_free)
/* Atoms of frames, of which an evaluation is one. */
double debye_bench_density_count(const DebyeBenchDensity *self);
/* Of what a loop in double counts, the share that isn't where it should be. */
double debye_bench_density_find_error(const DebyeBenchDensity *self, const uint32_t *counts,
                                      gboolean is_occupancy);
