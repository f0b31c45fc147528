/* SPDX-License-Identifier: MIT */
/* The matter that ligand sampling is timed on, and its exact means; called by the benchmark and the class room. */
#include "bench_ligand.h"

#include <math.h>

#define CUTOFF 10.0 /* Å */
#define SUBSAMPLES 3
#define COMPARED 20
#define LEAST_MEAN 1e-8f
#define TRIES 20000
#define SEED 20060915

DebyeBenchLigand *
debye_bench_ligand_new(double n_voxels)
{
  DebyeBenchLigand *self = g_new0(DebyeBenchLigand, 1);
  const gsize edge = (gsize)MAX(lround(cbrt(MIN(n_voxels, DEBYE_BENCH_LIGAND_MAX_VOXELS))), 4);
  const gsize side = (gsize)ceil((double)edge / DEBYE_MATTER_STEP), n = debye_ladder_matter_count(side);
  self->places = g_new(float, 3 * n);
  self->types = g_new(uint32_t, n);
  debye_ladder_matter_place(side, self->places, self->places + n, self->places + 2 * n, self->types);
  debye_ladder_matter_pair(false, self->repulsion, self->attraction);
  self->frame = (DebyeLigandFrame){
      .x = self->places, .y = self->places + n, .z = self->places + 2 * n, .n = n, .types = self->types};
  self->settings = (DebyeLigandSettings){.grid = {.origin = {0.5, 0.5, 0.5},
                                                  .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                                                  .shape = {edge, edge, edge}},
                                         .subsamples = SUBSAMPLES,
                                         .cutoff = CUTOFF,
                                         .n_types = DEBYE_MATTER_TYPES,
                                         .n_kinds = 1,
                                         .n_sites = 1,
                                         .n_orientations = 1,
                                         .repulsion = self->repulsion,
                                         .attraction = self->attraction,
                                         .kinds = &self->kind,
                                         .places = self->place,
                                         .max_atoms = n};
  return self;
}

void
debye_bench_ligand_free(DebyeBenchLigand *self)
{
  g_free(self->places);
  g_free(self->types);
  g_free(self);
}

double
debye_bench_ligand_count(const DebyeBenchLigand *self, const DebyeGrid *grid)
{
  DebyeLigandSettings settings = self->settings;
  const DebyeLadderLigand ligand = {&settings, &self->frame};
  DebyeLadderMatter matter;
  settings.grid = *grid;
  const DebyeStatusCode code = debye_ladder_matter_init(&matter, &ligand, NULL);
  const double evaluations = code == DEBYE_STATUS_OK ? debye_ladder_matter_evaluations(&matter) : NAN;
  debye_ladder_matter_clear(&matter);
  return evaluations;
}

/* kT, of the ligand at a place. */
static double
sum_energy(const DebyeBenchLigand *self, DebyeVec3 place)
{
  double energy = 0.0;
  for (gsize i = 0; i < self->frame.n; i++) {
    const DebyeVec3 d = debye_vec3((double)self->frame.x[i] - place.x, (double)self->frame.y[i] - place.y,
                                   (double)self->frame.z[i] - place.z);
    const double square = debye_vec3_dot(d, d), sixth = pow(MAX(square, DEBYE_LIGAND_LEAST_SQUARE), -3.0);
    if (square < CUTOFF * CUTOFF)
      energy += (self->repulsion[self->types[i]] * sixth - self->attraction[self->types[i]]) * sixth;
  }
  return energy;
}

static double
find_mean(const DebyeBenchLigand *self, const DebyeGrid *grid, const gsize at[3])
{
  double sum = 0.0;
  for (int s = 0; s < SUBSAMPLES * SUBSAMPLES * SUBSAMPLES; s++) {
    const int of[3] = {s % SUBSAMPLES, s / SUBSAMPLES % SUBSAMPLES, s / SUBSAMPLES / SUBSAMPLES};
    double place[3];
    for (int axis = 0; axis < 3; axis++)
      place[axis] = (double)at[axis] + ((double)of[axis] - 0.5 * (SUBSAMPLES - 1)) / SUBSAMPLES;
    const double energy = sum_energy(self, debye_grid_point(grid, place[0], place[1], place[2]));
    sum += energy < DEBYE_LIGAND_MAX_ENERGY ? exp(-energy) : 0.0;
  }
  return sum / (SUBSAMPLES * SUBSAMPLES * SUBSAMPLES);
}

double
debye_bench_ligand_find_error(const DebyeBenchLigand *self, const DebyeGrid *grid, const float *means)
{
  const gsize n = debye_grid_n_points(grid);
  g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
  double worst = NAN;
  for (int try = 0, found = 0; try < TRIES && found < COMPARED; try++) {
    const gsize voxel = (gsize)g_rand_double_range(random, 0.0, (double)n);
    if (!(means[voxel] > LEAST_MEAN))
      continue;
    const gsize at[3] = {voxel % grid->shape[0], voxel / grid->shape[0] % grid->shape[1],
                         voxel / grid->shape[0] / grid->shape[1]};
    const double exact = find_mean(self, grid, at);
    worst = fmax(worst, fabs((double)means[voxel] - exact) / exact);
    found++;
  }
  return worst;
}
