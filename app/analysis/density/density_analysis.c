/* SPDX-License-Identifier: MIT */
/* Densities as an analysis, listed in analysis_list.h: their plan, estimate and run. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "density_plan.h"
#include "density_run.h"

/* A point in a voxel takes about as long as so many Coulomb pairs, the score's measure. */
#define POINT_COST 20.0

static gboolean
plan_density(gpointer own, DebyePlan *plan, GError **error)
{
  return debye_density_plan_init(own, plan->dataset, plan->request, &plan->key, error);
}

static void
clear(gpointer own)
{
  debye_density_plan_clear(own);
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeDensityPlan *plan = own;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  const gsize n_devices = debye_device_find(registry, &plan->options.lanes, &processor, devices, error);
  double speed = 0.0;
  if (n_devices == 0)
    return FALSE;
  for (gsize i = 0; i < n_devices; i++)
    speed += devices[i]->info.score / POINT_COST;
  const double points = (double)plan->max_points * (double)plan->n_views * (double)plan->frames.n_frames;
  result->seconds = speed > 0.0 ? points / speed : INFINITY;
  result->host_bytes = plan->host_bytes;
  debye_device_choice_describe(devices, n_devices, result);
  return TRUE;
}

static DebyeResult *
run(gpointer own, const DebyeRunInput *input, GError **error)
{
  return debye_density_run(own, input, error);
}

static const char *const examples[] = {
    "debye-cli density --select 'name OW' --about protein --spacing 0.5 -o water.dx system.psf run.xtc",
    "debye-cli density --select 'name OW' --about water --copies --padding 5 -o neighbours.h5 water.psf "
    "run.xtc",
    "debye-cli density --weight mass --profile z --bins 100 --center 'resname POPC' -o membrane.csv "
    "system.psf run.xtc",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Computes density maps, spatial distributions and profiles",
    .description =
        "Adds up the chosen atoms in the voxels of a grid, over all frames: numbers, masses, charges, "
        "electrons, dipoles, or the share of frames in which a voxel holds an atom. A reference that moves "
        "is superposed in each frame; with --copies all its residues are laid on each other. Points of the "
        "grid are the centres of voxels. Blocks of successive frames give the standard error.\n\nWrites maps "
        "to .h5 (everything, with how it was made: see rerun), .dx, .cube, .ccp4 and .csv, and profiles to "
        ".h5, .csv (position, value, error), .svg, .pdf and .png.",
    .examples = examples,
    .makes_curves = TRUE,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_density = {
    .table = &debye_density_settings,
    .command = &command,
    .plan_size = sizeof(DebyeDensityPlan),
    .plan = plan_density,
    .plan_clear = clear,
    .estimate = estimate,
    .run = run,
};
