/* SPDX-License-Identifier: MIT */
/* Scattering as an analysis: what can be said before it runs. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "data/trajectory/kept_frames.h"
#include "scattering_cost.h"
#include "app/analysis/scattering/time/scattering_dynamic.h"
#include "app/analysis/scattering/intensity/scattering_job.h"
#include "app/analysis/scattering/intensity/scattering_method.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "app/analysis/scattering/system/scattering_settings.h"

/* By the trajectory's first frame, whichever are asked for. */
static void
suggest_q(const DebyePlan *plan)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(plan->dataset);
  DebyeScatteringSettings settings;
  debye_request_fill(plan->request, &settings);
  if (settings.q != NULL || settings.q_vectors != NULL || settings.hkl != NULL || trajectory == NULL ||
      debye_trajectory_get_n_frames(trajectory) == 0)
    return;
  g_autoptr(DebyeFrame) frame = debye_trajectory_get_frame(trajectory, 0, NULL);
  g_autofree char *q = frame != NULL ? debye_scattering_plan_suggest_q(frame) : NULL;
  if (q != NULL)
    debye_request_set(plan->request, "q", q, NULL);
}

static gboolean
plan_scattering(gpointer own, DebyePlan *plan, GError **error)
{
  DebyeScatteringPlan *scattering = own;
  suggest_q(plan);
  if (!debye_scattering_plan_init(scattering, plan->dataset, plan->request, &plan->key, error))
    return FALSE;
  return !debye_scattering_is_dynamic(&scattering->settings) ||
         debye_scattering_dynamic_check(scattering, &plan->key, error);
}

static double
count_seconds(const DebyeScatteringPlan *plan, const DebyeFormulaBasis *basis, double speed, double n_threads)
{
  const double n_read = (double)debye_scattering_cost_passes(plan) * (double)plan->frames.n_frames *
                        (double)debye_topology_get_n_atoms(plan->topology);
  return debye_scattering_cost_seconds(plan, basis, speed, n_threads) + DEBYE_READ_SECONDS * n_read;
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeScatteringPlan *plan = own;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  double speed = 0.0;
  /* What is asked for must be there, whichever compute. */
  gsize n_devices = debye_device_find(registry, &plan->settings.lanes, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  DebyeFormulaBasis basis = debye_scattering_formula_basis(plan, devices, n_devices, NULL);
  const DebyeLaneSettings lanes = debye_scattering_get_lanes(plan, &basis);
  n_devices = debye_device_find(registry, &lanes, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  for (gsize i = 0; i < n_devices; i++)
    speed += devices[i]->info.score;
  result->seconds =
      count_seconds(plan, &basis, speed, debye_device_count_threads(registry, &plan->settings.lanes));
  result->host_bytes = debye_scattering_cost_bytes(plan, &basis);
  debye_device_choice_describe(devices, n_devices, result);
  return TRUE;
}

static DebyeResult *
run(gpointer own, const DebyeRunInput *input, GError **error)
{
  DebyeScatteringPlan *plan = own;
  return debye_scattering_is_dynamic(&plan->settings) ? debye_scattering_dynamic_run(plan, input, error)
                                                      : debye_scattering_job_run(plan, input, error);
}

static const char *const examples[] = {
    "debye-cli scattering -o water.csv water.gro run.xtc",
    "debye-cli scattering --probe xray --q 0.05:3:0.01 --orientation exact --select protein -o saxs.svg "
    "protein.pdb",
    "debye-cli scattering --kind total --exchange 'water=0.6' --partials -o contrast.h5 system.psf run.dcd",
    "debye-cli scattering --q-vectors q.txt --normalise raw -o rows.csv system.gro run.xtc",
    "debye-cli scattering --kind incoherent --spectrum --resolution gaussian:0.1 --q 0.4:2:0.4 -o s.h5 "
    "water.gro run.xtc",
    "debye-cli scattering --hkl 4,0,0 --hkl 2,2,0 --dynamic -o reflections.csv crystal.gro run.xtc",
    "mpirun -n 64 debye-cli scattering --q 0.1:5:0.1 --continue i.h5 -o i.h5 water.gro run.xtc",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Computes neutron and X-ray scattering: I(q), F(q, τ), contrast",
    .description =
        "I(q) = ⟨|Σ bₙ exp(iq·rₙ)|²⟩ over frames and orientations, and its incoherent part Σ σ_inc/4π. In a "
        "cell the vectors are those of its reciprocal lattice; without one the average over orientations is "
        "exact (the Debye formula).\n\nWrites .h5 (everything, with how it was made: see rerun) and .csv (q, "
        "intensity, intensity_error, then partials), and plots as .svg, .pdf and .png.",
    .examples = examples,
    .makes_curves = TRUE,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_scattering = {
    .table = &debye_scattering_settings,
    .command = &command,
    .plan_size = sizeof(DebyeScatteringPlan),
    .plan = plan_scattering,
    .plan_clear = debye_scattering_plan_clear,
    .estimate = estimate,
    .run = run,
};
