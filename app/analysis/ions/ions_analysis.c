/* SPDX-License-Identifier: MIT */
/* The placement of ions as an analysis, listed in analysis_list.h: its table and what can be said before it
 * runs. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/medium.h"
#include "ions_plan.h"
#include "ions_run.h"
#include "ions_settings.h"
#include "app/analysis/map/map_estimate.h"

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
  const gboolean is_planned = debye_ions_plan_init(own, plan->dataset, plan->request, &plan->key, error);
  const double spacing = ions->map.settings.spacing;
  if (spacing > 0.0 && !debye_request_is_set(plan->request, "spacing"))
    debye_request_set(plan->request, "spacing", g_ascii_formatd(number, sizeof number, "%g", spacing), NULL);
  return is_planned;
}

static void
clear(gpointer own)
{
  debye_ions_plan_clear(own);
}

/* Of the map before the first ion: each further ion is one more charge on it. */
static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeIonsPlan *plan = own;
  return debye_map_estimate(&plan->map, &plan->settings.map.lanes, registry, result, error);
}

static DebyeResult *
run(gpointer own, const DebyeRunInput *input, GError **error)
{
  return debye_ions_run(own, input, error);
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
    .plan_clear = clear,
    .estimate = estimate,
    .run = run,
};
