/* SPDX-License-Identifier: MIT */
/* Names the methods, and estimates how many pairs a map will sum before anything is planned;
 * called by the analysis of maps and by potential_map_lanes.c. */
#include "ewald.h"
#include "multilevel.h"

const char *
debye_potential_method_name(DebyePotentialMethod method)
{
  static const char *const names[DEBYE_POTENTIAL_N_METHODS] = {"direct", "cutoff", "multilevel", "ewald"};
  return names[method];
}

/* Where atoms are, as far as it is known before a frame is read: the cell, else the grid. */
static double
atoms_volume(const DebyePotentialSettings *settings)
{
  const DebyeGrid *grid = &settings->grid;
  if (settings->periodic != DEBYE_PERIODIC_NONE && debye_cell_is_valid(&settings->cell))
    return fabs(debye_cell_volume(&settings->cell));
  const DebyeCell steps = {grid->step[0], grid->step[1], grid->step[2]};
  return fabs(debye_cell_volume(&steps)) * (double)debye_grid_n_points(grid);
}

double
debye_potential_reach(const DebyePotentialSettings *settings)
{
  DebyeMultilevel multilevel;
  DebyeEwald ewald;
  switch (settings->method) {
  case DEBYE_POTENTIAL_MULTILEVEL:
    return debye_multilevel_choose(settings, &multilevel, NULL) == DEBYE_STATUS_OK ? multilevel.cutoff
                                                                                   : settings->cutoff;
  case DEBYE_POTENTIAL_EWALD:
    return debye_ewald_choose(settings, &ewald, NULL) == DEBYE_STATUS_OK ? ewald.cutoff : settings->cutoff;
  case DEBYE_POTENTIAL_CUTOFF:
    return settings->cutoff;
  default:
    return INFINITY;
  }
}

double
debye_potential_pairs_within(const DebyePotentialSettings *settings, double reach, size_t n_charges)
{
  const double points = (double)debye_grid_n_points(&settings->grid), atoms = (double)n_charges;
  const double in_reach =
      atoms / atoms_volume(settings) * 4.0 / 3.0 * 3.14159265358979323846 * pow(reach, 3.0);
  return points * (in_reach < atoms ? in_reach : atoms);
}

double
debye_potential_pairs(const DebyePotentialSettings *settings, size_t n_charges)
{
  return debye_potential_pairs_within(settings, debye_potential_reach(settings), n_charges);
}

/* Measured on a CPU (bench_form --run): blocks of points share fewer atoms than all. */
#define WITHIN_REACH_COST 2.5

double
debye_potential_work(const DebyePotentialSettings *settings, size_t n_charges)
{
  DebyeMultilevel multilevel = {0};
  DebyeEwald ewald = {0};
  double work = debye_potential_pairs(settings, n_charges);
  if (settings->method == DEBYE_POTENTIAL_DIRECT)
    return work;
  if (settings->method == DEBYE_POTENTIAL_MULTILEVEL &&
      debye_multilevel_choose(settings, &multilevel, NULL) == DEBYE_STATUS_OK)
    work = fmax(work, multilevel.cost);
  if (settings->method == DEBYE_POTENTIAL_EWALD &&
      debye_ewald_choose(settings, &ewald, NULL) == DEBYE_STATUS_OK)
    work = fmax(work, ewald.cost);
  return WITHIN_REACH_COST * work;
}
