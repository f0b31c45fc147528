/* SPDX-License-Identifier: MIT */
/* The loop over frames: some at a time go the way that suits the plan. */
#include "scattering_run.h"

#include <math.h>

#include "data/error.h"
#include "frame_loop.h"
#include "scatterer_groups.h"
#include "scattering_frames.h"
#include "scattering_result.h"
#include "scattering_way.h"

#define PARTIAL_INTERVAL (G_USEC_PER_SEC / 4) /* a person sees four pictures a second as growth */
#define MOST_FRAMES_AT_ONCE 64

typedef struct {
  const DebyeRunInput *input;
  DebyeScatteringFound found;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  DebyeScattererGroups groups;   /* the species */
  const DebyeScatteringWay *way; /* NULL where nothing interferes */
  gpointer state;
  DebyeScatteringFrames *frames;
  DebyeFrame *held[MOST_FRAMES_AT_ONCE]; /* read, not yet summed */
  gsize n_held, most_held;
  double complex *products; /* of the held frames together */
  DebyeRankShare share;     /* of the frames, of this process */
  gint64 start, last_partial;
} ScatteringRun;

static void
let_frames_go(ScatteringRun *run)
{
  for (gsize i = 0; i < run->n_held; i++)
    debye_frame_unref(run->held[i]);
  run->n_held = 0;
}

static void
scattering_run_clear(ScatteringRun *run)
{
  let_frames_go(run);
  if (run->state != NULL)
    run->way->close(run->state);
  g_clear_pointer(&run->frames, debye_scattering_frames_free);
  debye_scatterer_groups_clear(&run->groups);
  g_free(run->products);
  g_free(run->found.q);
  g_clear_pointer(&run->found.sums, debye_scattering_sums_free);
  g_clear_pointer(&run->found.volume, debye_scattering_volume_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ScatteringRun, scattering_run_clear)

static const volatile bool *
get_cancel(const ScatteringRun *run)
{
  return run->input->callbacks != NULL ? run->input->callbacks->cancel : NULL;
}

/* --- Preparing --- */

static gboolean
open_volume(ScatteringRun *run, GError **error)
{
  unsigned extent[3];
  debye_scattering_lattice_extent(&run->found.plan, extent);
  run->found.volume = debye_scattering_volume_new(&run->found.plan, extent, error);
  return run->found.volume != NULL;
}

static gboolean
open_way(ScatteringRun *run, GError **error)
{
  DebyeScatteringFound *found = &run->found;
  if (found->plan.with_volume && !open_volume(run, error))
    return FALSE;
  debye_scatterer_groups_init(&run->groups, &found->plan.scatterers);
  const DebyeScatteringTask task = {.plan = &found->plan,
                                    .groups = run->groups.groups,
                                    .q = found->q,
                                    .n_q = found->n_q,
                                    .devices = run->devices,
                                    .n_devices = run->n_devices,
                                    .lanes = &found->lanes,
                                    .volume = found->volume,
                                    .cancel = get_cancel(run)};
  gsize n_species = task.groups.n_groups;
  run->way = debye_scattering_choose_way(&found->plan);
  run->state = run->way->open(&task, error);
  if (run->state == NULL)
    return FALSE;
  run->most_held = CLAMP(run->way->get_frames_at_once(run->state), 1, MOST_FRAMES_AT_ONCE);
  run->products = g_try_new(double complex, debye_scattering_n_pairs(n_species) * found->n_q);
  found->sums =
      debye_scattering_sums_new(found->n_q, n_species, found->plan.frames.n_frames, found->plan.n_blocks);
  if (run->products != NULL && found->sums != NULL)
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
              "Scattering vector: no memory for %" G_GSIZE_FORMAT " values of q of %" G_GSIZE_FORMAT
              " species",
              found->n_q, n_species);
  return FALSE;
}

/* Frames that depend on those before are made by every process from the first one on. */
static void
share_frames(ScatteringRun *run)
{
  const DebyeScatteringPlan *plan = &run->found.plan;
  run->share = debye_ranks_get_share(run->input->ranks, &plan->frames.range, plan->frames.n_frames);
  if (debye_scattering_frames_changes(run->frames))
    run->share.range.first = plan->frames.range.first;
  if (run->share.first > 0 && run->found.sums != NULL)
    debye_scattering_sums_begin_at(run->found.sums, run->share.first);
}

static gboolean
prepare(ScatteringRun *run, GError **error)
{
  DebyeRequest *request = run->input->request;
  run->n_devices = debye_device_choose(run->input->registry, request, run->devices, error);
  if (run->n_devices == 0)
    return FALSE;
  run->found.q = debye_scattering_plan_list_q(&run->found.plan, &run->found.n_q);
  run->frames = debye_scattering_frames_new(&run->found.plan, request, FALSE, error);
  if (run->frames == NULL || (run->found.plan.with_coherent && !open_way(run, error)))
    return FALSE;
  share_frames(run);
  return TRUE;
}

/* --- Frames --- */

static void
tell(ScatteringRun *run)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  gsize n_frames = run->share.n, n_done = run->found.n_frames;
  if (callbacks == NULL)
    return;
  if (callbacks->progress != NULL) {
    g_autofree char *message =
        g_strdup_printf("frame %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, n_done, n_frames);
    callbacks->progress((double)n_done / (double)n_frames, message, callbacks->data);
  }
  if (callbacks->partial == NULL || n_done == n_frames ||
      g_get_monotonic_time() - run->last_partial < PARTIAL_INTERVAL)
    return;
  g_autoptr(DebyeResult) result = debye_scattering_result_new(run->input, &run->found);
  debye_result_set_partial(result, TRUE);
  callbacks->partial(result, callbacks->data);
  run->last_partial = g_get_monotonic_time();
}

/* Sums the frames that are held. FALSE with an error, or without one where it was stopped. */
static gboolean
sum_held(ScatteringRun *run, GError **error)
{
  DebyeScatteringFound *found = &run->found;
  double volume = 0.0;
  if (!run->way->sum(run->state, run->held, run->n_held, run->products, error))
    return FALSE;
  for (gsize i = 0; i < run->n_held && found->plan.is_periodic; i++)
    volume += fabs(debye_cell_volume(&run->held[i]->cell));
  debye_scattering_sums_add(found->sums, run->products, run->n_held, volume);
  found->n_frames += run->n_held;
  let_frames_go(run);
  tell(run);
  return TRUE;
}

static gboolean
check_cell(const ScatteringRun *run, const DebyeFrame *frame, GError **error)
{
  const DebyeScatteringPlan *plan = &run->found.plan;
  if (!plan->is_periodic || (frame->has_cell && debye_cell_is_valid(&frame->cell)))
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
              "Frames: frame %" G_GSIZE_FORMAT " has no cell of any volume, frame %" G_GSIZE_FORMAT
              " has one: expected one in every frame",
              frame->index, plan->frames.first->index);
  return FALSE;
}

/* Only the atoms that scatter must have positions. */
static gboolean
frame_is_usable(const DebyeFrame *frame, gpointer data)
{
  const ScatteringRun *run = data;
  for (gsize i = 0; i < run->found.plan.scatterers.n_atoms && run->groups.atoms != NULL; i++) {
    guint32 atom = run->groups.atoms[i];
    if (!isfinite(frame->x[atom]) || !isfinite(frame->y[atom]) || !isfinite(frame->z[atom]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_ours(const ScatteringRun *run, const DebyeFrame *frame)
{
  const DebyeFrameRange *range = &run->found.plan.frames.range;
  return frame->index >= range->first + range->step * run->share.first;
}

static gboolean
do_frame(const DebyeFrame *frame, gpointer data, GError **error)
{
  ScatteringRun *run = data;
  if (!check_cell(run, frame, error))
    return FALSE;
  g_autoptr(DebyeFrame) prepared = debye_scattering_frames_prepare(run->frames, frame, error);
  if (prepared == NULL)
    return FALSE;
  if (!is_ours(run, frame))
    return TRUE;
  run->held[run->n_held++] = g_steal_pointer(&prepared);
  /* Frames that are summed together are of one block. */
  gsize most = MIN(run->most_held, debye_scattering_sums_get_room(run->found.sums));
  return run->n_held < most || sum_held(run, error);
}

/* --- The whole --- */

static DebyeResult *
finish(ScatteringRun *run, const DebyeFrameLoopReport *report, GError **error)
{
  DebyeScatteringFound *found = &run->found;
  if (found->n_frames == 0) {
    if (report->cancelled)
      g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped before anything was finished");
    else
      g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
                  "Frames: in none of the %" G_GSIZE_FORMAT
                  " frames have the chosen atoms finite coordinates (frame %s)",
                  found->plan.frames.n_frames, report->left_out->str);
    return NULL;
  }
  found->seconds = (double)(g_get_monotonic_time() - run->start) / G_USEC_PER_SEC;
  DebyeResult *result = debye_scattering_result_new(run->input, found);
  debye_result_set_partial(result, found->n_frames + report->n_left_out < found->plan.frames.n_frames);
  if (report->n_left_out > 0)
    debye_result_add_note(result,
                          DEBYE_NOTE_WARNING
                          "frame%s %s left out: chosen atoms have coordinates that are NaN or infinite there",
                          report->n_left_out > 1 ? "s" : "", report->left_out->str);
  if (run->way != NULL && run->way->add_notes != NULL)
    run->way->add_notes(run->state, result);
  if (run->input->ranks != NULL && run->input->ranks->n_ranks > 1)
    debye_result_add_note(result, "Frames were shared by %u processes", run->input->ranks->n_ranks);
  debye_lane_totals_add_notes(&found->lanes, run->input->registry, "pieces", result);
  return result;
}

static gboolean
sum_frames(ScatteringRun *run, DebyeFrameLoopReport *report, GError **error)
{
  const DebyeFrameLoop loop = {.trajectory = run->found.plan.frames.trajectory,
                               .range = run->share.range,
                               /* While some are summed, as many are read. */
                               .depth = 2 * (guint)run->most_held + 1,
                               .cancel = get_cancel(run),
                               .data = run,
                               .usable = frame_is_usable,
                               .work = do_frame};
  g_autoptr(GError) problem = NULL;
  if (run->share.n == 0)
    return TRUE;
  if (!debye_frame_loop_run(&loop, report, error))
    return FALSE;
  if (run->n_held == 0 || report->cancelled || sum_held(run, &problem))
    return TRUE;
  if (problem != NULL) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
  }
  report->cancelled = TRUE;
  return TRUE;
}

/* What all processes have together. */
static void
share_sums(ScatteringRun *run, DebyeFrameLoopReport *report)
{
  const DebyeRanks *ranks = run->input->ranks;
  double counts[] = {(double)run->found.n_frames, (double)report->n_left_out};
  if (ranks == NULL || ranks->n_ranks == 1)
    return;
  ranks->sum(counts, G_N_ELEMENTS(counts));
  debye_scattering_sums_share(run->found.sums, ranks);
  if (run->found.volume != NULL)
    debye_scattering_volume_share(run->found.volume, ranks);
  run->found.n_frames = (gsize)counts[0];
  report->n_left_out = (gsize)counts[1];
}

static DebyeResult *
compute(ScatteringRun *run, GError **error)
{
  g_auto(DebyeFrameLoopReport) report = {0};
  /* Nothing of the incoherent sum depends on where the atoms are. */
  if (run->way == NULL)
    run->found.n_frames = run->found.plan.frames.n_frames;
  else if (!sum_frames(run, &report, error))
    return NULL;
  else
    share_sums(run, &report);
  return finish(run, &report, error);
}

DebyeResult *
debye_scattering_run_rows(const DebyeRunInput *input, const DebyeScatteringPlan *plan, GError **error)
{
  g_auto(ScatteringRun) run = {.input = input, .found.plan = *plan, .start = g_get_monotonic_time()};
  run.last_partial = run.start;
  return prepare(&run, error) ? compute(&run, error) : NULL;
}
