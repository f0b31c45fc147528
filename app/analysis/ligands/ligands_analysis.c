/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling as an analysis, listed in analysis_list.c: its plan, estimate and run. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "ligands_plan.h"
#include "ligands_run.h"

static gboolean
plan_ligands(gpointer own, DebyePlan *plan, GError **error)
{
  return debye_ligands_plan_init(own, plan->dataset, plan->request, &plan->key, error);
}

static void
clear(gpointer own)
{
  debye_ligands_plan_clear(own);
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeLigandsPlan *plan = own;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  const gsize n_devices = debye_device_find(registry, &plan->options.lanes, &processor, devices, error);
  double speed = 0.0;
  if (n_devices == 0)
    return FALSE;
  for (gsize i = 0; i < n_devices; i++)
    speed += devices[i]->info.score / DEBYE_LIGAND_SAMPLE_COST;
  const double samples = pow((double)plan->kernel.subsamples, 3.0) * (double)plan->kernel.n_orientations;
  const double voxels = (double)debye_grid_n_points(&plan->kernel.grid);
  result->seconds = speed > 0.0 ? samples * voxels * (double)plan->frames.n_frames / speed : INFINITY;
  result->host_bytes = plan->host_bytes;
  debye_device_choice_describe(devices, n_devices, result);
  return TRUE;
}

static DebyeResult *
run(gpointer own, const DebyeRunInput *input, GError **error)
{
  return debye_ligands_run(own, input, error);
}

const DebyeAnalysis debye_analysis_ligands = {
    .table = &debye_ligands_settings,
    .plan_size = sizeof(DebyeLigandsPlan),
    .plan = plan_ligands,
    .plan_clear = clear,
    .estimate = estimate,
    .run = run,
};
