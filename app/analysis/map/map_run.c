/* SPDX-License-Identifier: MIT */
/* Computes a map over frames for map_analysis.c: the plan, the choice between slabs and series, and the
 * result. */
#include "map_run.h"

#include "kernels/host_memory.h"
#include "kernels/potential/potential_series_lanes.h"
#include "map_notes.h"
#include "map_result.h"
#include "map_run_private.h"
#include "app/analysis/driver/side_files.h"

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

DebyeResult *
debye_map_run(const DebyeMapPlan *plan, const DebyeRunInput *input, GError **error)
{
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
