/* SPDX-License-Identifier: MIT */
/* Mean square displacements as an analysis, listed in analysis_list.h: their checks and estimate. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/frame_state.h"
#include "app/analysis/driver/job_blocks.h"
#include "app/analysis/driver/job_file.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "kernels/cpu/scattering/displacement_moments.h"
#include "msd_paths.h"
#include "msd_plan.h"
#include "msd_result.h"
#include "msd_settings.h"

#define SLICE 512        /* centres that are computed between two looks at the progress */
#define READING_PART 0.5 /* of a pass */
#define LEAST_BLOCK_FRAMES 2
#define CENTRES "centres"

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
  /* The job: how many centres are behind, what processes share and its file holds. */
  DebyeJobBlocks job;
  DebyeFrameState state;
  DebyeResult *begun; /* what the file held; NULL: nothing, or it is in the sums */
  gsize n_earlier;    /* centres of it */
  double n_behind, n_path_frames;
  gsize n_own;    /* centres of this process … */
  double seconds; /* … and what they took */
  gint64 last_saved;
} MsdRun;

static void
msd_run_clear(MsdRun *run)
{
  debye_displacement_moments_destroy(run->moments);
  debye_displacement_moments_destroy(run->of_frames);
  debye_msd_paths_clear(&run->paths);
  debye_job_blocks_clear(&run->job);
  debye_frame_state_clear(&run->state);
  g_clear_object(&run->begun);
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

/* --- The job --- */

static gboolean
is_first(const MsdRun *run)
{
  return !debye_ranks_are_several(run->input->ranks) || run->input->ranks->rank == 0;
}

static void
list_state(MsdRun *run)
{
  gsize n;
  double *sums = debye_displacement_moments_get_sums(run->moments, &n);
  debye_frame_state_init(&run->state);
  run->n_path_frames = (double)run->n_frames;
  debye_frame_state_add(&run->state, CENTRES, DEBYE_STATE_KEPT, &run->n_behind, 1);
  debye_frame_state_add(&run->state, "path_frames", DEBYE_STATE_SAME, &run->n_path_frames, 1);
  debye_frame_state_add(&run->state, "sums", DEBYE_STATE_SUM, sums, n);
  if (run->of_frames == NULL)
    return;
  sums = debye_displacement_moments_get_sums(run->of_frames, &n);
  debye_frame_state_add(&run->state, "sums_of_frames", DEBYE_STATE_SUM, sums, n);
}

/* What the file held goes into the sums, which are there as soon as the paths' length is known. */
static gboolean
restore(MsdRun *run, GError **error)
{
  gboolean is_other;
  if (run->begun == NULL)
    return TRUE;
  if (debye_frame_state_load(&run->state, run->begun, &is_other) != NULL)
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, "Continue",
                                 "the file holds sums of %" G_GSIZE_FORMAT
                                 " centres that don't fit the paths: expected a file of the same job",
                                 run->n_earlier);
  g_clear_object(&run->begun);
  return TRUE;
}

/* *finished is the result that the file holds, or NULL. */
static gboolean
open_job(MsdRun *run, DebyeResult **finished, GError **error)
{
  const DebyeJobSettings *settings = &run->plan->settings.job;
  g_autoptr(DebyeResult) found = NULL;
  if (!debye_job_file_open(settings, NULL, run->input, &found, error))
    return FALSE;
  if (found != NULL && !debye_job_file_is_begun(found)) {
    *finished = g_steal_pointer(&found);
    return TRUE;
  }
  gsize n = 0;
  const double *behind =
      found != NULL ? debye_job_file_find_column(found, DEBYE_JOB_RESTART CENTRES, "value", &n) : NULL;
  if (n == 1 && behind[0] >= 0.0)
    run->n_earlier = (gsize)MIN(behind[0], (double)run->plan->n_centres);
  run->begun = run->n_earlier > 0 ? g_steal_pointer(&found) : NULL;
  debye_job_blocks_begin(&run->job, run->input, settings, CENTRES, run->plan->n_centres, run->n_earlier,
                         TRUE);
  run->last_saved = run->start;
  return TRUE;
}

static DebyeResult *make_result(const MsdRun *run, GError **error);

static gboolean
save_is_due(const MsdRun *run)
{
  return run->job.path != NULL && is_first(run) && run->job.n_done + run->job.n_next < run->job.n_all &&
         (double)(g_get_monotonic_time() - run->last_saved) >= run->job.interval * G_USEC_PER_SEC;
}

/* A pass is behind. */
static gboolean
keep(MsdRun *run, GError **error)
{
  if (!save_is_due(run)) {
    run->job.n_done += run->job.n_next;
    return TRUE;
  }
  run->n_behind = (double)(run->job.n_done + run->job.n_next);
  g_autoptr(DebyeResult) result = make_result(run, error);
  if (result == NULL)
    return FALSE;
  debye_result_set_partial(result, TRUE);
  debye_frame_state_save(&run->state, result);
  run->last_saved = g_get_monotonic_time();
  return debye_job_blocks_save(&run->job, result, error);
}

/* What all processes have together; the sums so far are then the first one's to keep. */
static void
share_sums(MsdRun *run)
{
  if (!debye_ranks_are_several(run->input->ranks))
    return;
  double stopped = run->stopped;
  run->input->ranks->sum(&stopped, 1);
  run->stopped = stopped > 0.0;
  debye_frame_state_share(&run->state, run->input->ranks);
}

/* --- Passes --- */

static gboolean
set_single(GError **error)
{
  return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Frames",
                               "expected two or more times for a displacement, found one");
}

/* Paths of other lengths than the sums' don't count: those of a pass that was stopped while they were read, unless it is the
 * only one. */
static gboolean
is_stopped_reading(const MsdRun *run)
{
  double stopped = run->paths.stopped;
  if (debye_ranks_are_several(run->input->ranks))
    run->input->ranks->sum(&stopped, 1);
  return stopped > 0.0 && (debye_ranks_are_several(run->input->ranks) || run->moments != NULL ||
                           run->n_earlier > 0 || run->paths.n_frames < 2);
}

static gboolean
open_sums(MsdRun *run, GError **error)
{
  if (run->moments != NULL)
    return TRUE;
  if (!open_moments(run, error))
    return FALSE;
  list_state(run);
  return restore(run, error);
}

/* A process without a centre of the pass reads one all the same, which tells how long paths are. */
static gboolean
add_pass(MsdRun *run, GError **error)
{
  const DebyeFrameRange all = {.first = 0, .last = run->job.n_next - 1, .step = 1};
  const DebyeRankShare share = debye_ranks_get_share(run->input->ranks, NULL, &all, run->job.n_next);
  const gint64 start = g_get_monotonic_time();
  const gsize first = share.n > 0 ? run->job.n_done + share.first : 0;
  if (!debye_msd_paths_read(&run->paths, first, MAX(share.n, 1), get_cancel(run), tell_read, run, error))
    return FALSE;
  if (is_stopped_reading(run)) {
    run->stopped = TRUE;
    return TRUE;
  }
  if (run->paths.n_frames < 2)
    return set_single(error);
  if (!open_sums(run, error))
    return FALSE;
  if (!is_first(run))
    debye_frame_state_forget(&run->state);
  if (share.n > 0 && !add_paths(run, error))
    return FALSE;
  run->stopped |= run->paths.stopped;
  run->n_own += share.n;
  run->seconds += (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
  share_sums(run);
  return run->stopped || keep(run, error);
}

static gsize
count_pass(const MsdRun *run)
{
  const gsize n_ranks = debye_ranks_are_several(run->input->ranks) ? run->input->ranks->n_ranks : 1;
  return MIN(run->paths.capacity * n_ranks, run->plan->n_centres);
}

static gboolean
prepare(MsdRun *run, GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  if (debye_device_choose(run->input->registry, &run->plan->settings.lanes, devices, error) == 0 ||
      !debye_msd_paths_init(&run->paths, run->plan, error))
    return FALSE;
  const gsize of_pass = count_pass(run);
  run->n_passes = MAX((run->job.n_all - run->n_earlier + of_pass - 1) / of_pass, 1);
  return TRUE;
}

static gboolean
compute_passes(MsdRun *run, GError **error)
{
  for (; run->job.n_done < run->job.n_all && !run->stopped; run->pass++) {
    run->job.n_next = MIN(count_pass(run), run->job.n_all - run->job.n_done);
    if (!add_pass(run, error))
      return FALSE;
  }
  if (!run->stopped || run->job.path == NULL || run->job.n_done == 0)
    return TRUE;
  debye_job_blocks_set_stopped(&run->job, error);
  return FALSE;
}

/* --- The result --- */

static gboolean
has_centres(const MsdRun *run)
{
  for (gsize group = 0; run->moments != NULL && group < run->n_groups; group++)
    if (debye_displacement_moments_count(run->moments, group) > 0)
      return TRUE;
  return FALSE;
}

static DebyeResult *
make_result(const MsdRun *run, GError **error)
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

static void
add_job_notes(const MsdRun *run, DebyeResult *result)
{
  if (run->n_earlier > 0)
    debye_result_add_note(result,
                          "Continued: the sums of %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " centres are from an earlier run",
                          run->n_earlier, run->job.n_all);
  if (!debye_ranks_are_several(run->input->ranks))
    return;
  debye_result_add_note(result, "Centres were shared by %u processes", run->input->ranks->n_ranks);
  debye_lane_totals_add_process_notes(NULL, run->input->ranks, run->n_own, CENTRES, run->seconds, result);
}

static DebyeResult *
finish(MsdRun *run, GError **error)
{
  g_autoptr(DebyeResult) result = make_result(run, error);
  if (result == NULL)
    return NULL;
  add_job_notes(run, result);
  run->job.n_next = 0;
  return run->stopped || run->job.path == NULL || !is_first(run) ||
                 debye_job_blocks_save(&run->job, result, error)
             ? g_steal_pointer(&result)
             : NULL;
}

/* --- As an analysis --- */

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

/* A stopped run gives what it has: the frames that were read, or the centres that were followed through all. */
static DebyeResult *
run_msd(gpointer own, const DebyeRunInput *input, GError **error)
{
  const DebyeMsdPlan *plan = own;
  g_auto(MsdRun) run = {.plan = plan, .input = input, .start = g_get_monotonic_time()};
  g_autoptr(DebyeResult) finished = NULL;
  guint n_cores;
  if (!has_processor(input->registry, &plan->settings.lanes, &n_cores, error) ||
      !open_job(&run, &finished, error))
    return NULL;
  if (finished != NULL)
    return g_steal_pointer(&finished);
  return prepare(&run, error) && compute_passes(&run, error) ? finish(&run, error) : NULL;
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
    .plan_clear = debye_msd_plan_clear,
    .estimate = estimate,
    .run = run_msd,
};
