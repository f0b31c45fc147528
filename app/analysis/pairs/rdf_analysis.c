/* SPDX-License-Identifier: MIT */
/* Pair distributions as an analysis, listed in analysis_list.h: their plan, estimate and run. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "data/trajectory/kept_frames.h"
#include "kernels/pairs/pair_histogram.h"
#include "rdf_plan.h"
#include "rdf_run.h"
#include "rdf_settings.h"

/* Counted pairs per Coulomb pair, the score's measure. On CPUs looking for the pairs takes most of the time. */
#define PAIRS_A_SCORE 0.25
#define CPU_PAIRS_A_SCORE 0.05

/* A million atoms of which a third are counted took 57 MB more than the open file. */
#define FRAME_BYTES (3 * sizeof(float)) /* per atom of the file */
#define SORTED_BYTES 128 /* per counted atom: sorted into bins, with what two threads need for it */

/* By the trajectory's first frame, whichever are asked for. */
static void
suggest_max(const DebyePlan *plan)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(plan->dataset);
  DebyeRdfSettings settings;
  debye_request_fill(plan->request, &settings);
  if (!isnan(settings.max) || trajectory == NULL || debye_trajectory_get_n_frames(trajectory) == 0)
    return;
  g_autoptr(DebyeFrame) frame = debye_trajectory_get_frame(trajectory, 0, NULL);
  if (frame == NULL)
    return;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(number, sizeof number, "%g", debye_rdf_plan_suggest_max(frame));
  debye_request_set(plan->request, "max", number, NULL);
}

static gboolean
plan_pairs(gpointer own, DebyePlan *plan, GError **error)
{
  suggest_max(plan);
  return debye_rdf_plan_init(own, plan->dataset, plan->request, &plan->key, error);
}

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeRdfPlan *plan = own;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  gsize n_devices = debye_device_find(registry, &plan->settings.lanes, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  gsize n_atoms = 0;
  double speed = 0.0;
  for (guint i = 0; i < plan->selections->len; i++)
    n_atoms += g_array_index(plan->selections, DebyeRdfSelection, i).atoms->len;
  for (gsize i = 0; i < n_devices; i++)
    speed += (debye_device_is_cpu(devices[i]) ? CPU_PAIRS_A_SCORE : PAIRS_A_SCORE) * devices[i]->info.score;
  const DebyePairSettings settings = {
      .max_atoms = n_atoms, .r_max = plan->r_max, .n_bins = plan->n_bins, .images = plan->settings.images};
  double pairs = debye_pair_work(&settings, n_atoms, plan->is_periodic ? &plan->frames.first->cell : NULL) *
                 (double)plan->frames.n_frames;
  result->seconds = speed > 0.0 ? pairs / speed : INFINITY;
  result->host_bytes = plan->pairs->len * plan->n_bins * 8 * sizeof(double) +
                       debye_topology_get_n_atoms(plan->topology) * FRAME_BYTES + n_atoms * SORTED_BYTES;
  debye_device_choice_describe(devices, n_devices, result);
  return TRUE;
}

static const char *const examples[] = {
    "debye-cli rdf --pair 'name OW' 'name OW' --max 12 -o oo.csv water.gro run.xtc",
    "debye-cli rdf --partials --exclude molecule --structure-factor 0.2:20:0.05 -o all.h5 water.psf run.dcd",
    "debye-cli rdf --pair 'name OW' 'name OW' --plot coordination --size 120x80mm -o n.svg water.gro run.xtc",
    "debye-cli rdf --pair 'resname LIG' 'water and element O' --frames 100:-1:5 --json system.pdb run.xtc",
    NULL,
};

static const DebyeAnalysisCommand command = {
    .summary = "Computes g(r), coordination numbers and structure factors",
    .description =
        "g(r) = n(r)·V/(P·4πr²Δr), averaged over frames, each with its own volume: n exact counts of pairs "
        "in bins [k·Δr, (k + 1)·Δr) with the bins' exact volumes, P the number of pairs. Any cell, also "
        "beyond half of it, where every image in range counts. Without a cell: counts and P(r).\n\nWrites "
        ".h5 (everything, with how it was made: see rerun) and .csv (r_low, r_high, count, g, g_error, "
        "coordination; with several pairs each name begins with that of the pair; with --plot that quantity "
        "alone), and plots as .svg, .pdf and .png.",
    .examples = examples,
    .makes_curves = TRUE,
    .can_share = TRUE,
};

const DebyeAnalysis debye_analysis_rdf = {
    .table = &debye_rdf_settings,
    .command = &command,
    .about_pair = TRUE,
    .plan_size = sizeof(DebyeRdfPlan),
    .plan = plan_pairs,
    .plan_clear = debye_rdf_plan_clear,
    .estimate = estimate,
    .run = debye_rdf_run,
};
