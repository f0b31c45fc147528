/* SPDX-License-Identifier: MIT */
/* Scattering as an analysis: what can be said before it runs. */
#include <math.h>

#include "analysis.h"
#include "device_choice.h"
#include "scattering_dynamic.h"
#include "scattering_job.h"
#include "scattering_plan.h"
#include "scattering_settings.h"

/* What a term costs, in the Coulomb pairs of a device's score: a sine and a cosine. */
#define TERM_COST 4.0

static void
suggest(DebyeDataset *dataset, DebyeRequest *request)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  if (debye_request_is_set(request, "q") || debye_request_is_set(request, "q-vectors") ||
      debye_request_is_set(request, "hkl") || trajectory == NULL ||
      debye_trajectory_get_n_frames(trajectory) == 0)
    return;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, NULL);
  if (frame == NULL || reader == NULL || !debye_trajectory_reader_read(reader, 0, frame, NULL))
    return;
  g_autofree char *q = debye_scattering_plan_suggest_q(frame);
  debye_request_set(request, "q", q, NULL);
}

static gboolean
check(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error)
{
  g_auto(DebyeScatteringPlan) plan = {0};
  return debye_scattering_is_dynamic(request)
             ? debye_scattering_dynamic_check(dataset, request, key, error)
             : debye_scattering_plan_init(&plan, dataset, request, key, error);
}

/* Terms of a frame: atoms times vectors, pairs, or atoms times q times multipoles. */
static double
count_terms(const DebyeScatteringPlan *plan)
{
  double n = (double)plan->scatterers.n_atoms, l = (double)plan->orientation.n + 1.0;
  if (!plan->with_coherent)
    return 0.0;
  if (plan->vectors.vectors != NULL)
    return n * (double)plan->vectors.vectors->len;
  if (plan->orientation.kind == DEBYE_ORIENTATION_EXACT)
    return 0.5 * n * n;
  return n * (double)plan->q->len * 0.5 * l * l;
}

/* The amplitudes of a frame, and the sums of pairs of species in all and in each block. */
static guint64
count_bytes(const DebyeScatteringPlan *plan)
{
  guint64 n_species = plan->scatterers.species->len;
  guint64 n_vectors = plan->vectors.vectors != NULL ? plan->vectors.vectors->len : plan->q->len;
  guint64 n_rows = plan->vectors.shells != NULL ? plan->vectors.shells->len : plan->q->len;
  guint64 sums = n_rows * n_species * (n_species + 1) / 2 * (plan->n_blocks + 1);
  return sizeof(double complex) * (n_species * n_vectors + sums);
}

static gboolean
estimate(const DebyeRunInput *input, DebyeEstimate *result, GError **error)
{
  g_auto(DebyeScatteringPlan) plan = {0};
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  double speed = 0.0;
  *result = (DebyeEstimate){0};
  if (!debye_scattering_plan_init(&plan, input->dataset, input->request, NULL, error))
    return FALSE;
  gsize n_devices = debye_device_find(input->registry, input->request, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  for (gsize i = 0; i < n_devices; i++)
    speed += devices[i]->info.score / TERM_COST;
  result->seconds = count_terms(&plan) * (double)plan.frames.n_frames / speed;
  result->host_bytes = count_bytes(&plan);
  result->devices = debye_device_choice_name(devices, n_devices);
  return TRUE;
}

static DebyeResult *
run(const DebyeRunInput *input, GError **error)
{
  return debye_scattering_is_dynamic(input->request) ? debye_scattering_dynamic_run(input, error)
                                                     : debye_scattering_job_run(input, error);
}

const DebyeAnalysis debye_analysis_scattering = {
    .table = &debye_scattering_settings,
    .suggest = suggest,
    .check = check,
    .estimate = estimate,
    .run = run,
};
