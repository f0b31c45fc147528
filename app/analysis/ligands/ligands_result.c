/* SPDX-License-Identifier: MIT */
/* Turns means of exp(−E/kT) into free energies; called by ligands_analysis.c. */
#include "ligands_result.h"

#include <math.h>

#include "ligands_cavities.h"

#define KJ_PER_KCAL 4.184

/* Of kT, in the map's unit. */
static double
scale_of(const DebyeLigandsPlan *plan)
{
  switch (plan->options.unit) {
  case DEBYE_FREE_ENERGY_KJ:
    return plan->kt * KJ_PER_KCAL;
  case DEBYE_FREE_ENERGY_KCAL:
    return plan->kt;
  case DEBYE_FREE_ENERGY_KT:
    break;
  }
  return 1.0;
}

static const char *
unit_of(const DebyeLigandsPlan *plan)
{
  static const char *const units[] = {"kcal/mol", "kJ/mol", "kT"};
  return units[plan->options.unit];
}

static void
add_field(DebyeResult *result, const DebyeLigandsPlan *plan, const char *name, float *values)
{
  g_autoptr(DebyeField) field = debye_field_new_take(name, &plan->kernel.grid, values, unit_of(plan));
  debye_result_add_field(result, field);
}

/* ΔG = −kT ln⟨exp(−E/kT)⟩; NAN where nothing was sampled. Returns how many voxels those are. */
static gsize
add_energies(DebyeResult *result, const DebyeLigandsPlan *plan, const DebyeDensityStatistic *statistic)
{
  const double scale = scale_of(plan);
  float *values = g_try_new(float, statistic->n);
  gsize n_empty = 0;
  for (gsize i = 0; values != NULL && i < statistic->n; i++) {
    const double mean = debye_density_statistic_get_mean(statistic, i);
    values[i] = mean > 0.0 ? (float)(-scale * log(mean)) : NAN;
    n_empty += mean > 0.0 ? 0 : 1;
  }
  if (values != NULL)
    add_field(result, plan, "free_energy", values);
  return n_empty;
}

/* kT times the relative standard error of the mean; nothing where nothing was sampled. */
static void
add_errors(DebyeResult *result, const DebyeLigandsPlan *plan, const DebyeDensityStatistic *statistic)
{
  const double scale = scale_of(plan);
  float *values = g_try_new(float, statistic->n);
  for (gsize i = 0; values != NULL && i < statistic->n; i++) {
    const double mean = debye_density_statistic_get_mean(statistic, i);
    values[i] = mean > 0.0 ? (float)(scale * debye_density_statistic_get_error(statistic, i) / mean) : NAN;
  }
  if (values != NULL)
    add_field(result, plan, "free_energy_error", values);
}

static void
add_notes(DebyeResult *result, const DebyeLigandsPlan *plan, const DebyeDensityStatistic *statistic,
          gsize n_empty)
{
  const DebyeLigandsOptions *options = &plan->options;
  const guint64 n = plan->kernel.subsamples;
  debye_frame_blocks_add_missing_note(plan->blocks, statistic->progress.n_whole, result);
  if (plan->model.source != NULL)
    debye_result_add_note(result, "Ligand %s: Lennard-Jones parameters of %s", plan->model.title,
                          plan->model.source);
  debye_result_add_note(result,
                        "Samples of each voxel and frame: %" G_GUINT64_FORMAT " points × %" G_GSIZE_FORMAT
                        " orientations",
                        n * n * n, plan->model.n_orientations);
  debye_result_add_note(result,
                        "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                        " voxels have no sample below %g kT and are left empty",
                        n_empty, statistic->n, DEBYE_LIGAND_MAX_ENERGY);
  debye_superpose_choice_add_note(&plan->superpose, &options->superposing, result);
  if (plan->charges.topology != NULL)
    debye_charge_choice_add_notes(&plan->charges, plan->atoms, result);
}

DebyeResult *
debye_ligands_result_new(const DebyeRunInput *input, const DebyeLigandsPlan *plan,
                         const DebyeDensityStatistic *statistic)
{
  DebyeResult *result = debye_result_new(input->request, "Free energy of a ligand");
  const gsize n_empty = add_energies(result, plan, statistic);
  if (statistic->progress.n_whole >= 2)
    add_errors(result, plan, statistic);
  add_notes(result, plan, statistic, n_empty);
  return result;
}

void
debye_ligands_result_add_cavities(DebyeResult *result, const DebyeLigandsPlan *plan)
{
  GListModel *fields = debye_result_get_fields(result);
  g_autoptr(DebyeField) energies = g_list_model_get_item(fields, 0);
  g_autoptr(DebyeField) errors = g_list_model_get_item(fields, 1);
  if (!plan->options.has_cavities || energies == NULL)
    return;
  const gboolean wraps = plan->covers_cell;
  const DebyeLigandsTerrain terrain = {.grid = plan->kernel.grid,
                                       .is_periodic = {wraps, wraps, wraps},
                                       .values = debye_field_get_values(energies)};
  const DebyeLigandsCavityOptions options = {.level = plan->options.cavities,
                                             .kt = scale_of(plan),
                                             .has_bulk = plan->options.has_bulk,
                                             .bulk = plan->options.bulk,
                                             .unit = unit_of(plan),
                                             .errors =
                                                 errors != NULL ? debye_field_get_values(errors) : NULL};
  debye_ligands_cavities_add(result, &terrain, &options);
}
