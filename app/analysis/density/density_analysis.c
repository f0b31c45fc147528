/* SPDX-License-Identifier: MIT */
/* Densities as an analysis, listed in analysis_list.h: their plan, estimate and run. */
#include <math.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/frame_run.h"
#include "app/analysis/driver/packed_choice.h"
#include "data/files/error.h"
#include "density_blobs.h"
#include "density_plan.h"
#include "density_points.h"
#include "density_profile.h"
#include "density_result.h"
#include "kernels/density/density_map_lanes.h"
#include "kernels/host_memory.h"

/* Points that a device is handed in one go. An accelerator counts faster than its grid is fetched, so it gets more. */
#define POINTS_AT_ONCE (1u << 20)
#define POINTS_FOR_ACCELERATORS (1u << 25)
#define POINT_BYTES 32 /* with the frame that it is of */
#define MAX_FRAMES_AT_ONCE 256
#define BATCH_RUNS 2 /* for each device */

typedef struct {
  const DebyeRunInput *input;
  DebyeDensityCounted counted;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  gsize max_batch;
  gboolean may_be_packed;     /* frames, each for itself */
  DebyeSharing *sharing;      /* of maps */
  DebyeDensityPoints *points; /* by frame of a batch */
  DebyeDensityView *views;    /* likewise, n_views each */
  DebyeDensityFrame *frames;
  gint64 *sums;
  double *profile; /* of one frame */
} DensityRun;

static void
density_run_clear(DensityRun *run)
{
  g_clear_pointer(&run->sharing, debye_sharing_free);
  for (gsize i = 0; i < run->max_batch && run->points != NULL; i++)
    debye_density_points_clear(&run->points[i]);
  g_free(run->points);
  g_free(run->views);
  g_free(run->frames);
  g_free(run->sums);
  g_free(run->profile);
  g_free(run->counted.volumes);
  debye_density_statistic_clear(&run->counted.statistic);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DensityRun, density_run_clear)

/* --- One frame --- */

static gboolean
are_finite(const GArray *atoms, const DebyeFrame *frame)
{
  for (guint i = 0; atoms != NULL && i < atoms->len; i++)
    if (!debye_vec3_is_finite(debye_frame_get_position(frame, g_array_index(atoms, guint32, i))))
      return FALSE;
  return TRUE;
}

static gboolean
is_usable(const DebyeFrame *frame, gpointer own)
{
  const DebyeDensityPlan *plan = ((const DensityRun *)own)->counted.plan;
  return !plan->is_dynamic && are_finite(plan->atoms, frame) && are_finite(plan->about, frame) &&
         are_finite(plan->center, frame);
}

static DebyeFrame *
take(DebyeFrameRun *frames G_GNUC_UNUSED, const DebyeFrame *frame, gpointer own, GError **error)
{
  const DebyeDensityPlan *plan = ((const DensityRun *)own)->counted.plan;
  if (!plan->is_periodic || (frame->has_cell && debye_cell_is_valid(&frame->cell)))
    return debye_frame_ref((DebyeFrame *)frame);
  debye_error_set(error, DEBYE_ERROR_MISSING,
                  "Frames: frame %" G_GSIZE_FORMAT " has no cell with a volume, frame %" G_GSIZE_FORMAT
                  " has one: expected one in every frame",
                  frame->index, plan->frames.first->index);
  return NULL;
}

/* The frame's chosen atoms and what they weigh together. */
static gboolean
gather_points(DensityRun *run, const DebyeFrame *frame, DebyeDensityPoints *points, GError **error)
{
  DebyeDensityCounted *counted = &run->counted;
  const DebyeDensityPlan *plan = counted->plan;
  g_autoptr(GArray) chosen = NULL;
  if (plan->is_dynamic) {
    chosen = debye_selection_evaluate(plan->selection, plan->topology, frame, error);
    if (chosen == NULL)
      return FALSE;
  }
  debye_density_points_set(points, plan->topology, plan->options.weight,
                           chosen != NULL ? chosen : plan->atoms, frame);
  double sum = points->weights != NULL ? 0.0 : (double)points->n;
  for (gsize i = 0; points->weights != NULL && i < points->n; i++)
    sum += (double)points->weights[i];
  counted->n_weighed += points->n;
  if (plan->is_periodic)
    counted->bulk += sum / fabs(debye_cell_volume(&frame->cell));
  return TRUE;
}

static gboolean
prepare_frame(DensityRun *run, const DebyeFrame *frame, gsize number, GError **error)
{
  DebyeDensityPlan *plan = run->counted.plan;
  DebyeDensityPoints *points = &run->points[number];
  DebyeDensityView *views = run->views + number * plan->n_views;
  if (!gather_points(run, frame, points, error) || !debye_density_look(plan, frame, views, error))
    return FALSE;
  /* A voxel of a larger cell counts for less. */
  const double scale =
      plan->placing == DEBYE_DENSITY_FRACTIONS ? plan->volume / fabs(debye_cell_volume(&frame->cell)) : 1.0;
  run->frames[number] =
      (DebyeDensityFrame){.x = points->x,
                          .y = points->y,
                          .z = points->z,
                          .packed = frame->is_packed ? frame->packed : NULL,
                          .n = points->n,
                          .scale = scale,
                          .weights = points->weights,
                          .owner = points->owners,
                          .cell = plan->is_periodic ? &frame->cell : NULL,
                          .views = views,
                          .n_views = plan->n_views,
                          .origin = debye_density_plan_get_corner(plan),
                          .step = {plan->grid.step[0], plan->grid.step[1], plan->grid.step[2]}};
  return TRUE;
}

/* --- Batches --- */

static gboolean
add_maps(DensityRun *run, DebyeFrameRun *frames, GError **error)
{
  const guint n = frames->batch->len;
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  for (guint i = 0; i < n; i++)
    if (!prepare_frame(run, g_ptr_array_index(frames->batch, i), i, error))
      return FALSE;
  const DebyeStatusCode code =
      debye_density_lanes_execute(run->sharing, run->frames, n, run->sums, debye_frame_run_get_cancel(frames),
                                  debye_frame_run_report_batch, frames, &status);
  const gsize n_reports = debye_sharing_get_reports(run->sharing, &reports);
  debye_lane_totals_add(&run->counted.lanes, reports, n_reports);
  if (code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, &status);
  if (code != DEBYE_STATUS_OK)
    return FALSE;
  const DebyeDensitySettings *settings = run->sharing->settings;
  debye_density_statistic_add_counts(&run->counted.statistic, run->sums,
                                     settings->sum == DEBYE_DENSITY_WEIGH ? DEBYE_DENSITY_UNIT : 1.0, n);
  frames->n_done += n;
  return TRUE;
}

static gboolean
add_profiles(DensityRun *run, DebyeFrameRun *frames, GError **error)
{
  DebyeDensityCounted *counted = &run->counted;
  const DebyeDensityPlan *plan = counted->plan;
  const volatile bool *cancel = debye_frame_run_get_cancel(frames);
  for (guint i = 0; i < frames->batch->len; i++) {
    const DebyeFrame *frame = g_ptr_array_index(frames->batch, i);
    if (cancel != NULL && *cancel)
      return FALSE;
    for (gsize bin = 0; bin < plan->n_bins; bin++)
      run->profile[bin] = 0.0;
    if (!gather_points(run, frame, &run->points[0], error))
      return FALSE;
    debye_density_profile_add(plan, &run->points[0], frame, run->profile, counted->volumes);
    debye_density_statistic_add(&counted->statistic, run->profile, 1);
    if (debye_density_plan_is_along_axis(plan))
      counted->length +=
          debye_density_cell_height(&frame->cell, (int)plan->options.profile - (int)DEBYE_PROFILE_X);
    frames->n_done++;
  }
  return TRUE;
}

static gboolean
compute(DebyeFrameRun *frames, gpointer own, GError **error)
{
  DensityRun *run = own;
  return run->sharing != NULL ? add_maps(run, frames, error) : add_profiles(run, frames, error);
}

static void
reach(gpointer own, gsize place)
{
  debye_density_statistic_reach(&((DensityRun *)own)->counted.statistic, place);
}

static void
list_state(gpointer own, DebyeFrameState *state)
{
  DebyeDensityCounted *counted = &((DensityRun *)own)->counted;
  debye_density_statistic_list_state(&counted->statistic, state);
  debye_frame_state_add(state, "bulk", DEBYE_STATE_SUM, &counted->bulk, 1);
  debye_frame_state_add(state, "length", DEBYE_STATE_SUM, &counted->length, 1);
  debye_frame_state_add_counts(state, "atoms", DEBYE_STATE_SUM, &counted->n_weighed, 1);
  if (counted->volumes != NULL)
    debye_frame_state_add(state, "volumes", DEBYE_STATE_SUM, counted->volumes, counted->plan->n_bins);
}

static gboolean
check_chosen(gpointer own, GError **error)
{
  const DebyeDensityCounted *counted = &((const DensityRun *)own)->counted;
  return counted->n_weighed > 0 ||
         debye_error_set(error, DEBYE_ERROR_SELECTION,
                         "Atoms: the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms in any frame",
                         counted->plan->options.select, debye_topology_get_n_atoms(counted->plan->topology));
}

static DebyeResult *
make_result(DebyeFrameRun *frames, gpointer own)
{
  DensityRun *run = own;
  if (frames->n_done == 0)
    return NULL;
  DebyeResult *result = debye_density_result_new(run->input, &run->counted);
  debye_frame_run_add_left_out_note(frames, result);
  if (run->sharing != NULL)
    debye_lane_totals_add_notes(&run->counted.lanes, run->input->registry, "runs of frames", result);
  return result;
}

static const DebyeFrameRunClass frames_class = {
    .usable = is_usable,
    .take = take,
    .compute = compute,
    .reach = reach,
    .list_state = list_state,
    .check = check_chosen,
    .make_result = make_result,
};

/* --- The whole --- */

static gboolean
set_memory_error(GError **error)
{
  return debye_error_set(error, DEBYE_ERROR_MEMORY, "Grid spacing: no memory for so many voxels");
}

/* Points are atoms, the same in all frames, and seen from where the cell or the file says. With a limit on memory nothing is taken that
 * only saves time. */
static gboolean
choose_packed(const DensityRun *run)
{
  const DebyeDensityPlan *plan = run->counted.plan;
  const gboolean are_fixed = !plan->is_dynamic && plan->reference.n_copies == 0 && plan->about == NULL &&
                             plan->center == NULL && plan->options.weight != DEBYE_WEIGHT_DIPOLE;
  return are_fixed && plan->memory_limit == 0 &&
         debye_packed_choice(plan->frames.trajectory, plan->atoms->len, run->devices, run->n_devices);
}

/* Voxels of fractions are weighed, each frame by its volume. */
static DebyeDensitySettings
kernel_settings(const DensityRun *run, double points_at_once)
{
  const DebyeDensityPlan *plan = run->counted.plan;
  const DebyeDensityOptions *options = &plan->options;
  const guint n = debye_density_weight_components(options->weight);
  const gboolean is_spread = !isnan(options->gaussian);
  const gboolean is_weighed = n > 0 || is_spread || plan->placing == DEBYE_DENSITY_FRACTIONS;
  const double together = (double)plan->max_points * (double)plan->n_views;
  const DebyePackedAtoms packed = {.n_atoms = debye_topology_get_n_atoms(plan->topology),
                                   .chosen = (const guint32 *)(const void *)plan->atoms->data,
                                   .n_chosen = plan->atoms->len};
  return (DebyeDensitySettings){
      .packed = run->may_be_packed ? packed : (DebyePackedAtoms){0},
      .shape = {plan->grid.shape[0], plan->grid.shape[1], plan->grid.shape[2]},
      .placing = plan->placing,
      .sum = options->weight == DEBYE_WEIGHT_OCCUPANCY ? DEBYE_DENSITY_OCCUPANCY
             : is_weighed                              ? DEBYE_DENSITY_WEIGH
                                                       : DEBYE_DENSITY_COUNT,
      .n_components = MAX(n, 1),
      .gaussian = is_spread ? options->gaussian : 0.0,
      .max_points = plan->max_points,
      .max_views = plan->n_views,
      .max_frames = (gsize)CLAMP(points_at_once / together, 1.0, MAX_FRAMES_AT_ONCE),
  };
}

static gboolean
prepare_batch(DensityRun *run, GError **error)
{
  const DebyeDensityPlan *plan = run->counted.plan;
  const guint n_components = debye_density_weight_components(plan->options.weight);
  run->points = g_new0(DebyeDensityPoints, run->max_batch);
  for (gsize i = 0; i < (run->sharing != NULL ? run->max_batch : 1); i++)
    if (!debye_density_points_init(&run->points[i], plan->max_points, n_components, plan->options.copies))
      return set_memory_error(error);
  if (run->sharing == NULL)
    return TRUE;
  run->views = g_try_new(DebyeDensityView, run->max_batch * plan->n_views);
  run->frames = g_new(DebyeDensityFrame, run->max_batch);
  const gsize n_sums = debye_density_n_sums(run->sharing->settings);
  run->sums = g_try_new(gint64, n_sums);
  debye_host_memory_prefer_large_pages(run->sums, n_sums * sizeof *run->sums);
  return (run->views != NULL && run->sums != NULL) || set_memory_error(error);
}

static gboolean
prepare_lanes(DensityRun *run, GError **error)
{
  const DebyeDensityPlan *plan = run->counted.plan;
  DebyeStatus status = {0};
  run->n_devices = debye_device_choose(run->input->registry, &plan->options.lanes, run->devices, error);
  if (run->n_devices == 0)
    return FALSE;
  run->may_be_packed = choose_packed(run);
  /* Points of one batch may take a quarter of the memory. */
  const guint64 memory = plan->memory_limit > 0 ? plan->memory_limit : debye_host_memory_available();
  const gboolean is_accelerated = debye_sharing_count_accelerators(run->devices, run->n_devices) > 0;
  const double fits = (double)memory / 4.0 / POINT_BYTES;
  const double together = MIN(fits / BATCH_RUNS, is_accelerated ? POINTS_FOR_ACCELERATORS : POINTS_AT_ONCE);
  const DebyeDensityLanesSettings settings = {.density = kernel_settings(run, together),
                                              .memory_limit = plan->memory_limit};
  if (debye_density_lanes_create(&settings, run->devices, run->n_devices, &run->sharing, &status) !=
      DEBYE_STATUS_OK)
    return debye_device_set_error(error, &status);
  const gsize wanted = MIN(BATCH_RUNS * run->n_devices * settings.density.max_frames, plan->frames.n_frames);
  run->max_batch = (gsize)CLAMP(fits / (double)MAX(plan->max_points, 1), 1.0, (double)MAX(wanted, 1));
  return TRUE;
}

static gboolean
prepare(DensityRun *run, GError **error)
{
  DebyeDensityPlan *plan = run->counted.plan;
  const gboolean is_profile = debye_density_plan_is_profile(plan);
  const gsize n = debye_density_plan_n_values(plan);
  const guint n_components = MAX(debye_density_weight_components(plan->options.weight), 1);
  if (!debye_density_statistic_init(&run->counted.statistic, n * n_components, plan->blocks))
    return set_memory_error(error);
  if (is_profile) {
    run->profile = g_new(double, n);
    if (plan->options.profile == DEBYE_PROFILE_PROXIMAL)
      run->counted.volumes = g_new0(double, n);
  } else if (!prepare_lanes(run, error)) {
    return FALSE;
  }
  return prepare_batch(run, error);
}

static DebyeResult *
run_density(gpointer own, const DebyeRunInput *input, GError **error)
{
  DebyeDensityPlan *plan = own;
  g_auto(DensityRun) run = {.input = input, .counted = {.plan = plan}, .max_batch = 16};
  g_auto(DebyeFrameRun) frames = {.class = &frames_class,
                                  .own = &run,
                                  .input = input,
                                  .frames = &plan->frames,
                                  .blocks = plan->blocks,
                                  .lanes = &run.counted.lanes,
                                  .job = &plan->options.job,
                                  .first_batch = 4,
                                  .start = g_get_monotonic_time()};
  if (plan->map != NULL)
    return debye_density_blobs_run(plan, input, error);
  if (!prepare(&run, error))
    return NULL;
  frames.max_batch = run.max_batch;
  frames.may_be_packed = run.may_be_packed;
  return debye_frame_run_execute(&frames, error);
}

/* --- As an analysis --- */

/* A point in a voxel takes about as long as so many Coulomb pairs, the score's measure. */
#define POINT_COST 20.0

static gboolean
plan_density(gpointer own, DebyePlan *plan, GError **error)
{
  return debye_density_plan_init(own, plan->dataset, plan->request, &plan->key, error);
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
    .plan_clear = debye_density_plan_clear,
    .estimate = estimate,
    .run = run_density,
};
