/* SPDX-License-Identifier: MIT */
/* Runs mean square displacements, pass by pass; called by msd_analysis.c. */
#include "msd_run.h"

#include "app/analysis/driver/device_choice.h"
#include "data/files/error.h"
#include "kernels/cpu/scattering/displacement_moments.h"
#include "msd_paths.h"
#include "msd_result.h"

#define SLICE 512        /* centres that are computed between two looks at the progress */
#define READING_PART 0.5 /* of a pass */
#define LEAST_BLOCK_FRAMES 2

typedef struct {
  const DebyeRunInput *input;
  const DebyeMsdPlan *plan;
  DebyeMsdPaths paths;
  gsize n_groups;                       /* of centres */
  DebyeDisplacementMoments *moments;    /* of all frames, in groups; NULL before the first pass */
  gsize n_frame_blocks, n_block_frames; /* of a single centre */
  DebyeDisplacementMoments *of_frames;  /* or NULL */
  gsize n_frames;                       /* of the paths */
  gsize n_passes, pass;
  gboolean stopped;
  gint64 start;
} MsdRun;

static void
msd_run_clear(MsdRun *run)
{
  debye_displacement_moments_destroy(run->moments);
  debye_displacement_moments_destroy(run->of_frames);
  debye_msd_paths_clear(&run->paths);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MsdRun, msd_run_clear)

static const volatile bool *
get_cancel(const MsdRun *run)
{
  return run->input->callbacks != NULL ? run->input->callbacks->cancel : NULL;
}

static void
tell(const MsdRun *run, double part, const char *message)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  if (callbacks != NULL && callbacks->progress != NULL)
    callbacks->progress(MIN(((double)run->pass + part) / (double)run->n_passes, 1.0), message,
                        callbacks->data);
}

static void
tell_read(gpointer data, double part)
{
  tell(data, READING_PART * part, "Following atoms");
}

/* --- Sums --- */

/* Groups of centres, fewer than two of which tell no error; then blocks of a single centre's frames do. */
static gboolean
open_moments(MsdRun *run, GError **error)
{
  const gsize n_blocks = (gsize)run->plan->settings.blocks;
  DebyeStatus status = {0};
  run->n_frames = run->paths.n_frames;
  run->n_groups = MAX(MIN(n_blocks, run->plan->n_centres), 1);
  if (!debye_device_check(
          debye_displacement_moments_create(run->n_frames, run->n_groups, &run->moments, &status), &status,
          error))
    return FALSE;
  run->n_frame_blocks = MIN(n_blocks, run->n_frames / LEAST_BLOCK_FRAMES);
  if (run->plan->n_centres > 1 || run->n_frame_blocks < 2)
    return TRUE;
  run->n_block_frames = run->n_frames / run->n_frame_blocks;
  return debye_device_check(
      debye_displacement_moments_create(run->n_block_frames, run->n_frame_blocks, &run->of_frames, &status),
      &status, error);
}

/* Each block of its frames is a path of its own. */
static gboolean
add_frame_blocks(MsdRun *run, GError **error)
{
  DebyeStatus status = {0};
  for (gsize block = 0; run->of_frames != NULL && block < run->n_frame_blocks; block++)
    if (!debye_device_check(
            debye_displacement_moments_add(run->of_frames, run->paths.places + block * run->n_block_frames,
                                           run->plan->frames.n_frames, block, 1, NULL, &status),
            &status, error))
      return FALSE;
  return TRUE;
}

/* What was read is computed, even where it ended early. */
static gboolean
add_paths(MsdRun *run, GError **error)
{
  const volatile bool *cancel = run->paths.stopped ? NULL : get_cancel(run);
  const gsize stride = run->plan->frames.n_frames;
  for (gsize at = 0, n; at < run->paths.n && !run->stopped; at += n) {
    DebyeStatus status = {0};
    n = MIN(SLICE, run->paths.n - at);
    const DebyeStatusCode code = debye_displacement_moments_add(
        run->moments, run->paths.places + 3 * at * stride, stride, run->paths.first + at, n, cancel, &status);
    run->stopped = code == DEBYE_STATUS_CANCELLED;
    if (!run->stopped && !debye_device_check(code, &status, error))
      return FALSE;
    tell(run, READING_PART + (1.0 - READING_PART) * (double)(at + n) / (double)run->paths.n,
         "Correlating displacements");
  }
  return add_frame_blocks(run, error);
}

/* --- Passes --- */

static gboolean
set_single(GError **error)
{
  debye_error_set_about(error, DEBYE_ERROR_VALUE, "Frames",
                        "expected two moments or more to see a displacement, found one");
  return FALSE;
}

/* Of the first pass what was read counts where it was stopped; of a later one only whole paths would go with
 * those before. */
static gboolean
add_pass(MsdRun *run, gsize first, GError **error)
{
  const gsize n = MIN(run->paths.capacity, run->plan->n_centres - first);
  if (!debye_msd_paths_read(&run->paths, first, n, get_cancel(run), tell_read, run, error))
    return FALSE;
  if (run->paths.stopped && (run->moments != NULL || run->paths.n_frames < 2)) {
    run->stopped = TRUE;
    return TRUE;
  }
  if (run->paths.n_frames < 2)
    return set_single(error);
  if ((run->moments == NULL && !open_moments(run, error)) || !add_paths(run, error))
    return FALSE;
  run->stopped |= run->paths.stopped;
  return TRUE;
}

static gboolean
prepare(MsdRun *run, GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  if (debye_device_choose(run->input->registry, &run->plan->settings.lanes, devices, error) == 0 ||
      !debye_msd_paths_init(&run->paths, run->plan, error))
    return FALSE;
  run->n_passes = (run->plan->n_centres + run->paths.capacity - 1) / run->paths.capacity;
  return TRUE;
}

static gboolean
has_centres(const MsdRun *run)
{
  for (gsize group = 0; run->moments != NULL && group < run->n_groups; group++)
    if (debye_displacement_moments_count(run->moments, group) > 0)
      return TRUE;
  return FALSE;
}

static DebyeResult *
finish(MsdRun *run, GError **error)
{
  g_auto(DebyeMsdStatistic) statistic = {0};
  if (!has_centres(run)) {
    debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
    return NULL;
  }
  if (!debye_msd_statistic_init(&statistic, run->moments, run->n_groups, run->n_frames,
                                MIN(run->plan->n_lags, run->n_frames), run->of_frames, run->n_frame_blocks,
                                run->n_block_frames, error))
    return NULL;
  DebyeResult *result = debye_msd_result_new(run->input, run->plan, &run->paths, run->n_frames, &statistic);
  debye_result_set_partial(result, run->stopped);
  debye_result_set_wall_time(result, (double)(g_get_monotonic_time() - run->start) / G_USEC_PER_SEC);
  return result;
}

DebyeResult *
debye_msd_run(const DebyeMsdPlan *plan, const DebyeRunInput *input, GError **error)
{
  g_auto(MsdRun) run = {.plan = plan, .input = input, .start = g_get_monotonic_time()};
  if (!prepare(&run, error))
    return NULL;
  for (gsize first = 0; first < run.plan->n_centres && !run.stopped; first += run.paths.capacity, run.pass++)
    if (!add_pass(&run, first, error))
      return NULL;
  return finish(&run, error);
}
