/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling by a plain loop; test_ligand_map.c and bench_ligand.c compare kernels with it. */
#include "oracle_ligand.h"

#include <math.h>

/* Images that samples of the tests can reach, on each side. */
#define IMAGES 2

static double
pair_energy(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame, size_t atom, size_t site,
            DebyeVec3 d)
{
  const double square = debye_vec3_dot(d, d), cutoff = settings->cutoff;
  if (!(square < cutoff * cutoff))
    return 0.0;
  const double inverse = 1.0 / fmax(square, DEBYE_LIGAND_LEAST_SQUARE), cube = inverse * inverse * inverse;
  const size_t pair = frame->types[atom] * settings->n_kinds + settings->kinds[site];
  double energy = settings->repulsion[pair] * cube * cube - settings->attraction[pair] * cube;
  if (settings->charges != NULL)
    energy += settings->coulomb * settings->charges[site] * (double)frame->charges[atom] *
              (sqrt(inverse) - 1.0 / cutoff);
  return energy;
}

static double
site_energy(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame, size_t site, DebyeVec3 place)
{
  const int images = frame->cell != NULL ? IMAGES : 0;
  double energy = 0.0;
  for (size_t atom = 0; atom < frame->n; atom++)
    for (int a = -images; a <= images; a++)
      for (int b = -images; b <= images; b++)
        for (int c = -images; c <= images; c++) {
          DebyeVec3 r = debye_vec3((double)frame->x[atom], (double)frame->y[atom], (double)frame->z[atom]);
          if (images > 0) {
            r = debye_vec3_add(r, debye_vec3_scale(frame->cell->a, a));
            r = debye_vec3_add(r, debye_vec3_scale(frame->cell->b, b));
            r = debye_vec3_add(r, debye_vec3_scale(frame->cell->c, c));
          }
          energy += pair_energy(settings, frame, atom, site, debye_vec3_subtract(r, place));
        }
  return energy;
}

static double
sample_energy(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame, size_t orientation,
              DebyeVec3 sample)
{
  double energy = 0.0;
  for (size_t site = 0; site < settings->n_sites; site++) {
    const double *p = settings->places + 3 * (orientation * settings->n_sites + site);
    energy += site_energy(settings, frame, site, debye_vec3_add(sample, debye_vec3(p[0], p[1], p[2])));
  }
  return energy;
}

double
debye_oracle_ligand(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame, size_t voxel)
{
  const DebyeGrid *grid = &settings->grid;
  const double i = (double)(voxel % grid->shape[0]), j = (double)(voxel / grid->shape[0] % grid->shape[1]),
               k = (double)(voxel / grid->shape[0] / grid->shape[1]);
  const unsigned n = settings->subsamples, n_samples = n * n * n;
  double sum = 0.0;
  for (unsigned s = 0; s < n_samples; s++) {
    const double u[3] = {((double)(s % n) + 0.5) / n - 0.5, ((double)(s / n % n) + 0.5) / n - 0.5,
                         ((double)(s / n / n) + 0.5) / n - 0.5};
    const DebyeVec3 sample = debye_grid_point(grid, i + u[0], j + u[1], k + u[2]);
    for (size_t o = 0; o < settings->n_orientations; o++) {
      const double energy = sample_energy(settings, frame, o, sample);
      sum += energy <= DEBYE_LIGAND_MAX_ENERGY ? exp(-energy) : 0.0;
    }
  }
  return sum / ((double)n_samples * (double)settings->n_orientations);
}
