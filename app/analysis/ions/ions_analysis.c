/* SPDX-License-Identifier: MIT */
/* The placement of ions as an analysis, listed in analysis_list.h: its table and what can be said before it
 * runs. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/potential_unit.h"
#include "ions_plan.h"
#include "ions_run.h"
#include "ions_settings.h"
#include "app/analysis/map/map_estimate.h"

/* Of a core, per grid point and ion: its extreme is found, and its potential added. The load's factor for whole runs comes
 * on top (bench_form --run analysis=ions spacing=0.5 count=200,200 protease.pqr). */
#define PLACE_SECONDS 1.2e-9
/* Of the grid, with the usual padding and distances. */
#define OPEN_SHARE 0.8

static char *
remark(DebyeRequest *request)
{
  DebyeIonsSettings settings;
  debye_request_fill(request, &settings);
  return debye_medium_describe(settings.map.permittivity);
}

static gboolean
plan_ions(gpointer own, DebyePlan *plan, GError **error)
{
  const DebyeIonsPlan *ions = own;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  DebyeIonsSettings settings;
  debye_request_fill(plan->request, &settings);
  const gboolean is_planned = debye_ions_plan_init(own, plan->dataset, plan->request, &plan->key, error);
  const double spacing = ions->map.settings.spacing;
  if (spacing > 0.0 && isnan(settings.map.spacing))
    debye_request_set(plan->request, "spacing", g_ascii_formatd(number, sizeof number, "%g", spacing), NULL);
  return is_planned;
}

/* How many will be placed; of a concentration by the share of the grid that is usually open. */
static double
count_ions(const DebyeIonsPlan *plan)
{
  const DebyeGrid *grid = &plan->map.potential.grid;
  const DebyeCell steps = {grid->step[0], grid->step[1], grid->step[2]};
  const double volume = fabs(debye_cell_volume(&steps)) * (double)debye_grid_n_points(grid);
  gsize n_cations = 0, n_anions = 0;
  return debye_ions_plan_count(plan, OPEN_SHARE * volume, &n_cations, &n_anions, NULL, NULL)
             ? (double)(n_cations + n_anions)
             : 0.0;
}

static gboolean
add_unit_map(const DebyeIonsPlan *plan, const DebyeRegistry *registry, DebyeEstimate *result, GError **error)
{
  DebyeMapPlan unit = plan->map;
  DebyeEstimate of_unit = {0};
  unit.potential.max_charges = 1;
  if (!debye_map_estimate(&unit, &plan->settings.map.lanes, registry, &of_unit, error))
    return FALSE;
  result->seconds += of_unit.seconds;
  result->host_bytes += (guint64)debye_grid_n_points(&plan->map.potential.grid) * sizeof(float);
  debye_estimate_clear(&of_unit);
  return TRUE;
}

/* The map before the first ion, that of a unit charge, and the passes over them: an accelerator's take next to nothing. */
static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeIonsPlan *plan = own;
  const guint n_threads = debye_device_count_threads(registry, &plan->settings.map.lanes);
  if (!debye_map_estimate(&plan->map, &plan->settings.map.lanes, registry, result, error) ||
      (plan->has_unit_map && !add_unit_map(plan, registry, result, error)))
    return FALSE;
  if (!result->is_accelerated)
    result->seconds += PLACE_SECONDS * count_ions(plan) *
                       (double)debye_grid_n_points(&plan->map.potential.grid) / (double)n_threads;
  return TRUE;
}

static const char *const examples[] = {
    "debye-cli ions -o ions.pdb protein.pqr",
    "debye-cli ions --cation K --concentration 0.15 --neutralise --distance 6 -o ions.pdb -o ions.h5 "
    "system.psf system.pdb",
    "debye-cli ions --cation MG --count 6,0 --names charmm --ion-distance 8 -o ions.pqr -o ions.csv "
    "ribosome.psf ribosome.pdb",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Places ions at the extremes of the electrostatic potential",
    .description =
        "Puts a cation where the potential of the chosen atoms is lowest, or an anion where it is highest, "
        "adds the ion's own potential, and repeats this until the atoms are neutralised or the number given "
        "by --count or --concentration is reached. Ions keep --distance from the atoms and --ion-distance "
        "from each other, and stand on points of the grid.\n\nBy default water and ions are not chosen, as "
        "they would cover everything. --concentration refers to the volume that the atoms leave open within "
        "the grid.\n\nWrites .pdb and .pqr (the ions, one residue each, with the names of --names), .csv "
        "(index, element, x, y, z, potential before the ion was there) and .h5 (everything, with the map "
        "after the last ion and how it was made: see rerun); that map alone as .dx, .cube and .ccp4.",
    .examples = examples,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_ions = {
    .table = &debye_ions_settings,
    .command = &command,
    .about_solute = TRUE,
    .remark = remark,
    .plan_size = sizeof(DebyeIonsPlan),
    .plan = plan_ions,
    .plan_clear = debye_ions_plan_clear,
    .estimate = estimate,
    .run = debye_ions_run,
};
