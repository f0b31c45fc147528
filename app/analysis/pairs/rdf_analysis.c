/* SPDX-License-Identifier: MIT */
/* Pair distributions as an analysis, listed in analysis_list.c: their table, suggestions, checks and
 * estimate. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "kernels/pairs/pair_histogram.h"
#include "rdf_plan.h"
#include "rdf_run.h"
#include "rdf_settings.h"
#include "rdf_structure.h"

#define PAIRS_A_SCORE \
  0.25 /* counting a pair takes about four times as long as a Coulomb pair, the score's measure */

static void
suggest(DebyeDataset *dataset, DebyeRequest *request)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  if (debye_request_is_set(request, "max") || trajectory == NULL ||
      debye_trajectory_get_n_frames(trajectory) == 0)
    return;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, NULL);
  if (frame == NULL || reader == NULL || !debye_trajectory_reader_read(reader, 0, frame, NULL))
    return;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(number, sizeof number, "%g", debye_rdf_plan_suggest_max(frame));
  debye_request_set(request, "max", number, NULL);
}

static gboolean
check(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error)
{
  g_auto(DebyeRdfPlan) plan = {0};
  if (!debye_rdf_structure_check(request, error)) {
    if (key != NULL)
      *key = "structure-factor";
    return FALSE;
  }
  return debye_rdf_plan_init(&plan, dataset, request, key, error);
}

static gboolean
estimate(const DebyeRunInput *input, DebyeEstimate *result, GError **error)
{
  g_auto(DebyeRdfPlan) plan = {0};
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  *result = (DebyeEstimate){0};
  if (!debye_rdf_plan_init(&plan, input->dataset, input->request, NULL, error))
    return FALSE;
  gsize n_devices = debye_device_find(input->registry, input->request, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  gsize n_atoms = 0;
  double speed = 0.0;
  for (guint i = 0; i < plan.selections->len; i++)
    n_atoms += g_array_index(plan.selections, DebyeRdfSelection, i).atoms->len;
  for (gsize i = 0; i < n_devices; i++)
    speed += PAIRS_A_SCORE * devices[i]->info.score;
  const DebyePairSettings settings = {
      .max_atoms = n_atoms, .r_max = plan.r_max, .n_bins = plan.n_bins, .images = plan.images};
  double pairs = debye_pair_work(&settings, n_atoms, plan.is_periodic ? &plan.frames.first->cell : NULL) *
                 (double)plan.frames.n_frames;
  result->seconds = speed > 0.0 ? pairs / speed : INFINITY;
  result->host_bytes = plan.pairs->len * plan.n_bins * 8 * sizeof(double);
  result->devices = debye_device_choice_name(devices, n_devices);
  return TRUE;
}

static DebyeResult *
run(const DebyeRunInput *input, GError **error)
{
  if (!debye_rdf_structure_check(input->request, error))
    return NULL;
  return debye_rdf_run(input, error);
}

const DebyeAnalysis debye_analysis_rdf = {
    .table = &debye_rdf_settings,
    .suggest = suggest,
    .check = check,
    .estimate = estimate,
    .run = run,
};
