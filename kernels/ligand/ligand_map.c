/* SPDX-License-Identifier: MIT */
/* What every back end of ligand sampling does before it starts: arguments checked, radii found. */
#include "ligand_map.h"

#include <math.h>

#define MAX_VOXELS 2147483647.0

double
debye_ligand_reach(const DebyeLigandSettings *settings)
{
  double most = 0.0;
  for (size_t i = 0; i < settings->n_orientations * settings->n_sites; i++) {
    const double *p = settings->places + 3 * i;
    most = fmax(most, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  }
  return sqrt(most);
}

double
debye_ligand_hard_radius(const DebyeLigandSettings *settings, size_t type, size_t kind)
{
  const double a = settings->repulsion[type * settings->n_kinds + kind];
  const double b = settings->attraction[type * settings->n_kinds + kind];
  const double limit = settings->charges != NULL ? DEBYE_LIGAND_REJECTS_CHARGED : DEBYE_LIGAND_REJECTS;
  if (!(a > 0.0))
    return 0.0;
  /* A·s² − B·s = limit for s = r⁻⁶. */
  return pow((b + sqrt(b * b + 4.0 * a * limit)) / (2.0 * a), -1.0 / 6.0);
}

/* The farthest that the nearest site of a kind is in any orientation. */
static double
nearest_of_kind(const DebyeLigandSettings *settings, size_t kind)
{
  double farthest = 0.0;
  for (size_t o = 0; o < settings->n_orientations; o++) {
    double nearest = INFINITY;
    for (size_t i = 0; i < settings->n_sites; i++) {
      const double *p = settings->places + 3 * (o * settings->n_sites + i);
      if (settings->kinds[i] == kind)
        nearest = fmin(nearest, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    }
    farthest = fmax(farthest, nearest);
  }
  return farthest;
}

/* The nearest of the sites is no farther from an atom than their root mean square: √(r² + 2rc + s) for an atom at r, where
 * the sites' mean is at c at most, and their mean square is s. */
static double
certain_of_mean(const DebyeLigandSettings *settings, double hard)
{
  double centre = 0.0, square = 0.0;
  for (size_t o = 0; o < settings->n_orientations; o++) {
    double mean[3] = {0.0}, sum = 0.0;
    for (size_t i = 0; i < settings->n_sites; i++)
      for (int k = 0; k < 3; k++) {
        const double place = settings->places[3 * (o * settings->n_sites + i) + k];
        mean[k] += place / (double)settings->n_sites;
        sum += place * place / (double)settings->n_sites;
      }
    centre = fmax(centre, sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]));
    square = fmax(square, sum);
  }
  return hard * hard > square ? sqrt(centre * centre + hard * hard - square) - centre : 0.0;
}

double
debye_ligand_certain_radius(const DebyeLigandSettings *settings, size_t type)
{
  double least = INFINITY, certain = 0.0;
  for (size_t kind = 0; kind < settings->n_kinds; kind++) {
    const double hard = debye_ligand_hard_radius(settings, type, kind);
    certain = fmax(certain, hard - nearest_of_kind(settings, kind));
    least = fmin(least, hard);
  }
  return fmax(certain, certain_of_mean(settings, least));
}

double
debye_ligand_block_radius(const DebyeLigandSettings *settings, double voxels)
{
  const DebyeVec3 *step = settings->grid.step;
  double most = 0.0;
  for (int i = 0; i < 4; i++) {
    DebyeVec3 d = step[0];
    d = debye_vec3_add(d, debye_vec3_scale(step[1], i % 2 == 0 ? 1.0 : -1.0));
    d = debye_vec3_add(d, debye_vec3_scale(step[2], i / 2 == 0 ? 1.0 : -1.0));
    most = fmax(most, debye_vec3_length(d));
  }
  return 0.5 * voxels * most;
}

static DebyeStatusCode
check_ligand(const DebyeLigandSettings *settings, DebyeStatus *status)
{
  if (settings->n_sites == 0 || settings->n_sites > DEBYE_LIGAND_MAX_SITES || settings->n_kinds == 0 ||
      settings->n_kinds > DEBYE_LIGAND_MAX_KINDS)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A ligand has %zu sites of %zu kinds; at most %d of %d kinds can be sampled.",
                            settings->n_sites, settings->n_kinds, DEBYE_LIGAND_MAX_SITES,
                            DEBYE_LIGAND_MAX_KINDS);
  for (size_t i = 0; i < settings->n_sites; i++)
    if (settings->kinds[i] >= settings->n_kinds)
      return debye_status_set(status, DEBYE_STATUS_INVALID, "Site %zu of the ligand has no kind.", i + 1);
  if (settings->n_orientations == 0 || settings->n_orientations > DEBYE_LIGAND_MAX_ORIENTATIONS)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are %zu orientations; expected 1 to %d.",
                            settings->n_orientations, DEBYE_LIGAND_MAX_ORIENTATIONS);
  if (!(debye_ligand_reach(settings) <= settings->cutoff))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The ligand is larger than the cutoff, %g Å.",
                            settings->cutoff);
  return debye_status_ok(status);
}

DebyeStatusCode
debye_ligand_settings_check(const DebyeLigandSettings *settings, DebyeStatus *status)
{
  const DebyeGrid *grid = &settings->grid;
  double n = 1.0;
  for (int k = 0; k < 3; k++)
    n *= (double)grid->shape[k];
  const double volume = fabs(debye_vec3_dot(grid->step[0], debye_vec3_cross(grid->step[1], grid->step[2])));
  if (!(n >= 1.0 && n <= MAX_VOXELS && volume > 0.0))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A grid of %zu × %zu × %zu voxels was asked for, which can't be sampled.",
                            grid->shape[0], grid->shape[1], grid->shape[2]);
  if (settings->subsamples == 0 || settings->subsamples > DEBYE_LIGAND_MAX_SUBSAMPLES)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "A voxel has %u samples per side; expected 1 to %d.", settings->subsamples,
                            DEBYE_LIGAND_MAX_SUBSAMPLES);
  if (!(settings->cutoff > 0.0 && settings->cutoff <= DEBYE_LIGAND_MAX_CUTOFF))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The cutoff is %g Å; expected at most %g Å.",
                            settings->cutoff, DEBYE_LIGAND_MAX_CUTOFF);
  if (settings->n_types == 0 || settings->n_types > DEBYE_LIGAND_MAX_TYPES)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are %zu types of atoms; expected 1 to %d.",
                            settings->n_types, DEBYE_LIGAND_MAX_TYPES);
  return check_ligand(settings, status);
}

DebyeStatusCode
debye_ligand_frame_check(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame,
                         DebyeStatus *status)
{
  if (frame->n > UINT32_MAX / 2)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A frame has %zu atoms, which are too many.",
                            frame->n);
  if (settings->charges != NULL && frame->charges == NULL)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The frame has no charges.");
  for (size_t i = 0; i < frame->n; i++)
    if (frame->types[i] >= settings->n_types)
      return debye_status_set(status, DEBYE_STATUS_INVALID, "Atom %zu has no Lennard-Jones parameters.", i);
  if (frame->cell != NULL &&
      !(fabs(debye_vec3_dot(frame->cell->a, debye_vec3_cross(frame->cell->b, frame->cell->c))) > 0.0))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The frame's cell has no volume.");
  return debye_status_ok(status);
}
