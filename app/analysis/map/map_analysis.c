/* SPDX-License-Identifier: MIT */
/* The electrostatic map as an analysis, listed in analysis_list.h: its table and what can be said before it
 * runs. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/side_files.h"
#include "kernels/host_memory.h"
#include "kernels/potential/potential_series_lanes.h"
#include "map_effective_settings.h"
#include "map_estimate.h"
#include "map_method.h"
#include "map_notes.h"
#include "map_plan.h"
#include "map_result.h"
#include "map_run_private.h"
#include "map_settings.h"
#include "map_solvent.h"

/* Fewer frames than this a lane, and some lanes wait long for the last. */
#define LEAST_FRAMES_A_LANE 4
/* A frame that takes a device longer is shared, so that the first map and the end of Stop don't wait. */
#define LONGEST_FRAME_SECONDS 0.5

static void
map_run_clear(DebyeMapRun *run)
{
  g_clear_pointer(&run->accumulator, debye_map_accumulator_free);
  g_clear_pointer(&run->poisson, debye_map_poisson_free);
  debye_map_frames_clear(&run->frames);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeMapRun, map_run_clear)

/* --- Before the frames --- */

static gboolean
prepare(DebyeMapRun *run, GError **error)
{
  const DebyeMapPlan *plan = run->plan;
  run->n_points = debye_grid_n_points(&plan->potential.grid);
  run->n_devices = debye_device_choose(run->input->registry, &plan->settings.lanes, run->devices, error);
  if (run->n_devices == 0 ||
      !debye_map_variant_choose(&run->variant, &plan->settings, run->devices, run->n_devices, error) ||
      !debye_map_frames_init(&run->frames, plan, error))
    return FALSE;
  if (debye_map_is_poisson(&plan->settings)) {
    if (!debye_map_poisson_check_memory(plan, run->devices, run->n_devices, error))
      return FALSE;
    run->poisson = debye_map_poisson_new(plan, run->devices, run->n_devices, error);
    if (run->poisson == NULL)
      return FALSE;
  }
  if (run->poisson == NULL && run->variant.device == NULL)
    debye_map_frames_choose_packed(&run->frames, run->devices, run->n_devices);
  run->shares_planes = plan->frames.n_frames == 1 && run->variant.device == NULL && run->poisson == NULL;
  if (plan->frames.n_frames == 1 && plan->settings.statistic != DEBYE_MAP_DEVIATION)
    return TRUE;
  run->accumulator = debye_map_accumulator_new(plan->settings.statistic, run->n_points, plan->blocks);
  return run->accumulator != NULL || debye_map_run_set_memory_error(error);
}

static gboolean
has_accelerator(const DebyeMapRun *run)
{
  for (gsize i = 0; i < run->n_devices; i++)
    if (!debye_device_is_cpu(run->devices[i]))
      return TRUE;
  return FALSE;
}

/* Whole frames go to the lanes where that keeps devices busier than planes of one frame do: with an
 * accelerator, whose two lanes hide sorting, copying and averaging behind computing (a processor alone has
 * all its cores on one map either way); with enough frames a lane, and in a block where blocks are asked for;
 * and with frames that are soon done. */
static gboolean
pays_to_share(const DebyeMapRun *run)
{
  const DebyeMapPlan *plan = run->plan;
  gsize n_lanes = debye_potential_series_lanes_count_lanes(run->devices, run->n_devices);
  gsize n_together = plan->frames.n_frames / MAX(plan->blocks.n_blocks, 1);
  return has_accelerator(run) && n_together >= LEAST_FRAMES_A_LANE * n_lanes &&
         debye_potential_pairs(&plan->potential, plan->atoms->len) <=
             LONGEST_FRAME_SECONDS * run->devices[0]->info.score;
}

/* An equation is one device's, or of those that have the memory only together: where frames aren't shared other devices have
 * nothing to do. Whatever the method, the memory for a map and a sum a lane must be there, half of what is free at most. */
static gboolean
shares_frames(const DebyeMapRun *run)
{
  const DebyeMapPlan *plan = run->plan;
  if (run->accumulator == NULL || run->variant.device != NULL ||
      (run->poisson == NULL ? !pays_to_share(run)
                            : debye_map_poisson_count_sharing(plan, run->devices, run->n_devices) < 2))
    return FALSE;
  double limit = plan->memory_limit > 0 ? (double)plan->memory_limit - (double)plan->host_bytes
                                        : 0.5 * (double)debye_host_memory_available();
  return debye_map_run_by_frames_bytes(run) <= limit;
}

/* --- The whole --- */

static DebyeResult *
run_map(gpointer own, const DebyeRunInput *input, GError **error)
{
  const DebyeMapPlan *plan = own;
  g_auto(DebyeMapRun) run = {.input = input, .plan = plan};
  DebyeRunInput of_frames = *input;
  g_auto(DebyeFrameRun) frames = {.input = &of_frames,
                                  .frames = &plan->frames,
                                  .blocks = plan->blocks,
                                  .activity = "summing charges",
                                  .lanes = &run.lanes,
                                  .job = &plan->settings.job,
                                  .start = g_get_monotonic_time()};
  if (!prepare(&run, error))
    return NULL;
  if (run.shares_planes) {
    of_frames.ranks = NULL;
    frames.job = NULL;
  }
  g_autoptr(DebyeResult) result = shares_frames(&run) ? debye_map_run_by_frames(&run, &frames, error)
                                                      : debye_map_run_by_slabs(&run, &frames, error);
  const gboolean is_first = input->ranks == NULL || input->ranks->rank == 0;
  g_autoptr(GError) problem = NULL;
  if (result != NULL && run.poisson != NULL && is_first &&
      !debye_map_poisson_write(run.poisson, result, &problem))
    debye_side_files_fail(result, g_steal_pointer(&problem));
  return g_steal_pointer(&result);
}

/* --- As an analysis --- */

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

static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeMapPlan *plan = own;
  return debye_map_estimate(plan, &plan->settings.lanes, registry, result, error);
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
    .plan_clear = debye_map_plan_clear,
    .estimate = estimate,
    .run = run_map,
};
