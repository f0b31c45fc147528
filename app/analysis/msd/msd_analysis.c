/* SPDX-License-Identifier: MIT */
/* Mean square displacements as an analysis, listed in analysis_list.h: their checks and estimate. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "kernels/cpu/scattering/displacement_moments.h"
#include "msd_plan.h"
#include "msd_run.h"
#include "msd_settings.h"

/* Seconds of one core per position of a centre: tests/bench/RESULTS.md. */
#define PLACE_SECONDS 1.2e-7

/* There is no kernel of it for other devices. */
static gboolean
has_processor(const DebyeRegistry *registry, const DebyeLaneSettings *settings, guint *n_cores,
              GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  const gsize n = debye_device_find(registry, settings, &processor, devices, error);
  for (gsize i = 0; i < n; i++)
    if (debye_device_is_cpu(devices[i])) {
      *n_cores = devices[i]->info.units;
      return TRUE;
    }
  if (n > 0)
    debye_error_set_about(error, DEBYE_ERROR_DEVICE, "Devices",
                          "only the CPU computes mean square displacements: expected auto or cpu, found “%s”",
                          settings->device);
  return FALSE;
}

static gboolean
plan_msd(gpointer own, DebyePlan *plan, GError **error)
{
  return debye_msd_plan_init(own, plan->dataset, plan->request, &plan->key, error);
}

static void
clear(gpointer own)
{
  debye_msd_plan_clear(own);
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeMsdPlan *plan = own;
  guint n_cores = 1;
  if (!has_processor(registry, &plan->settings.lanes, &n_cores, error))
    return FALSE;
  const gsize n_frames = plan->frames.n_frames, of_pass = debye_msd_plan_pass_centres(plan);
  const gsize n_passes = (plan->n_centres + of_pass - 1) / of_pass;
  result->seconds =
      PLACE_SECONDS * (double)n_frames * (double)plan->n_centres / n_cores +
      DEBYE_READ_SECONDS * (double)n_passes * (double)n_frames * (double)plan->frames.first->n_atoms;
  result->is_of_runs = TRUE;
  result->host_bytes = of_pass * debye_msd_plan_centre_bytes(plan) +
                       debye_displacement_moments_bytes(n_frames, MAX((gsize)plan->settings.blocks, 1));
  result->devices = n_cores == 1 ? g_strdup(N_("1 core")) : debye_message_new("%u cores", n_cores);
  return TRUE;
}

static DebyeResult *
run(gpointer own, const DebyeRunInput *input, GError **error)
{
  const DebyeMsdPlan *plan = own;
  guint n_cores;
  return has_processor(input->registry, &plan->settings.lanes, &n_cores, error)
             ? debye_msd_run(plan, input, error)
             : NULL;
}

static const char *const examples[] = {
    "debye-cli msd --select 'name OW' --fit 10:100 -o water.csv water.gro run.xtc",
    "debye-cli msd --select water --centres molecules --viscosity 0.89 --temperature 298 -o water.h5 -o "
    "water.svg water.tpr run.xtc",
    "debye-cli msd --select 'resname LIG' --plot alpha2 -o alpha2.pdf system.psf run.dcd",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Computes mean square displacements and diffusion coefficients",
    .description = "MSD(τ) = ⟨|r(t + τ) − r(t)|²⟩ and α₂(τ) = 3⟨d⁴⟩/(5⟨d²⟩²) − 1, averaged over all origins "
                   "t and all centres by Fourier transforms. Atoms are followed across the faces of each "
                   "frame's own cell. D is a sixth of the slope of a straight line; with a viscosity also D∞ "
                   "= D + 2.837297·kT/(6πηL), for the size L of a cubic cell.\n\nTrajectories whose clock "
                   "restarts are joined one after the other.\n\nWrites .h5 (everything, with how it was "
                   "made: see rerun) and .csv (tau, msd, msd_error, alpha2; D and its error in the header; "
                   "with --plot that quantity alone), and plots as .svg, .pdf and .png.",
    .examples = examples,
    .makes_curves = TRUE,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_msd = {
    .table = &debye_msd_settings,
    .command = &command,
    .plan_size = sizeof(DebyeMsdPlan),
    .plan = plan_msd,
    .plan_clear = clear,
    .estimate = estimate,
    .run = run,
};
