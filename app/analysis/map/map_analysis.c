/* SPDX-License-Identifier: MIT */
/* The electrostatic map as an analysis, listed in analysis_list.h: its table and what can be said before it
 * runs. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "map_effective_settings.h"
#include "map_estimate.h"
#include "map_method.h"
#include "map_plan.h"
#include "map_solvent.h"
#include "map_run.h"
#include "map_settings.h"

static char *
remark(DebyeRequest *request)
{
  DebyeMapSettings settings;
  debye_request_fill(request, &settings);
  debye_map_poisson_settle(&settings);
  return debye_map_method_describe_medium(&settings);
}

/* A form shows what the data suggest, and what frames are superposed by: the one is set, the other only told, where the
 * plan came as far as to decide it. */
static void
complete(DebyeRequest *request, const DebyeMapPlan *plan, gboolean has_spacing)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (isnan(plan->settings.spacing))
    return;
  if (!has_spacing)
    debye_request_set(request, "spacing",
                      g_ascii_formatd(number, sizeof number, "%g", plan->settings.spacing), NULL);
  debye_map_set_effective_defaults(request, &plan->settings);
  if (plan->potential.tolerance > 0.0)
    debye_map_set_effective_accuracy(request, &plan->potential);
  if (debye_map_is_poisson(&plan->settings))
    debye_request_set_effective_number(request, "padding",
                                       debye_map_plan_covers_cell(plan) ? 0.0 : plan->settings.padding);
  if (plan->atoms != NULL)
    debye_request_set_effective(request, "superpose", debye_superpose_choice_get_text(&plan->superpose));
}

static gboolean
plan_map(gpointer own, DebyePlan *plan, GError **error)
{
  DebyeMapSettings settings;
  debye_request_fill(plan->request, &settings);
  debye_map_poisson_settle(&settings);
  const gboolean is_planned = debye_map_plan_init(own, plan->dataset, &settings, &plan->key, error);
  complete(plan->request, own, !isnan(settings.spacing));
  return is_planned;
}

static void
clear(gpointer own)
{
  debye_map_plan_clear(own);
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeMapPlan *plan = own;
  return debye_map_estimate(plan, &plan->settings.lanes, registry, result, error);
}

static DebyeResult *
run(gpointer own, const DebyeRunInput *input, GError **error)
{
  return debye_map_run(own, input, error);
}

static const char *const examples[] = {
    "debye-cli map --spacing 0.5 -o potential.dx protein.pqr",
    "debye-cli map --select protein --frames 100:-1:10 --statistic mean --unit V -o mean.h5 system.psf "
    "run.xtc",
    "debye-cli map --origin -20,-20,-20 --shape 81,81,81 --spacing 0.5 --json system.psf run.dcd",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Computes the electrostatic potential on a grid",
    .description = "V(r) = Σ q/|r − r_i| over the chosen atoms, and their images along --periodic, divided "
                   "by the relative permittivity. The grid surrounds the chosen atoms of the first frame, or "
                   "is set by --origin and --shape, and is the same for all frames; over several frames each "
                   "point stores the chosen statistic. Charges come from the files (such as PQR, PSF, "
                   "prmtop, TPR, MOL2), or from the table that --charges names.\n\nWrites .h5 (everything, "
                   "with how it was made: see rerun), .dx, .cube, .ccp4 and .csv (x, y, z, potential).",
    .examples = examples,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_map = {
    .table = &debye_map_settings,
    .command = &command,
    .about_solute = TRUE,
    .remark = remark,
    .plan_size = sizeof(DebyeMapPlan),
    .plan = plan_map,
    .plan_clear = clear,
    .estimate = estimate,
    .run = run,
};
