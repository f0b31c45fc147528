/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling as an analysis, listed in analysis_list.h: its plan, estimate and run. */
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
  result->is_of_runs = TRUE; /* the cost of a sample is that of whole runs */
  result->host_bytes = plan->host_bytes;
  debye_device_choice_describe(devices, n_devices, result);
  return TRUE;
}

static DebyeResult *
run(gpointer own, const DebyeRunInput *input, GError **error)
{
  return debye_ligands_run(own, input, error);
}

static const char *const examples[] = {
    "debye-cli ligands --force-field table -o xenon.dx system.psf run.xtc",
    "debye-cli ligands --ligand o2 --parameters par_all36_prot.prm --parameters toppar_water_ions.str -o "
    "oxygen.h5 system.psf run.xtc",
    "debye-cli ligands --ligand co2 --charges file -o co2.h5 system.prmtop run.nc",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Maps the free energy of a gas or small ligand",
    .description =
        "Puts a small rigid ligand into each voxel of a grid, at several points and in several orientations, "
        "and averages exp(-E/kT) over them and over all frames (implicit ligand sampling). The map is the "
        "free energy of moving the ligand there from vacuum. The files must have been simulated without the "
        "ligand. Blocks of successive frames give the standard error.\n\nWrites .h5 (everything, with how it "
        "was made: see rerun), .dx, .cube, .ccp4 and .csv. With --cavities also tables of the cavities with "
        "their barriers to bulk (which .csv has then) and of the paths, and maps to draw these.",
    .examples = examples,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_ligands = {
    .table = &debye_ligands_settings,
    .command = &command,
    .plan_size = sizeof(DebyeLigandsPlan),
    .plan = plan_ligands,
    .plan_clear = clear,
    .estimate = estimate,
    .run = run,
};
