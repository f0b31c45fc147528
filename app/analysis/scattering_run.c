/* SPDX-License-Identifier: MIT */
/* The loop over frames: some at a time go the way that suits the plan. */
#include "scattering_run.h"

#include <math.h>
#include <string.h>

#include "data/error.h"
#include "frame_loop.h"
#include "scattering_frames.h"
#include "scattering_restart.h"
#include "scattering_result.h"
#include "scattering_way.h"

#define PARTIAL_INTERVAL (G_USEC_PER_SEC / 4) /* a person sees four pictures a second as growth */
#define MOST_FRAMES_AT_ONCE 64

typedef struct {
  const DebyeRunInput *input; /* own, without what is continued: that is not of the result */
  DebyeRunInput own;
  DebyeResult *earlier; /* that is continued, or NULL */
  DebyeScatteringFound found;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  gsize *group_first; /* of the species, and their atoms one after the other */
  guint32 *group_atoms;
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
  g_clear_object(&run->own.request);
  g_clear_object(&run->earlier);
  if (run->state != NULL)
    run->way->close(run->state);
  g_clear_pointer(&run->frames, debye_scattering_frames_free);
  g_free(run->group_first);
  g_free(run->group_atoms);
  g_free(run->products);
  g_free(run->found.q);
  g_clear_pointer(&run->found.sums, debye_scattering_sums_free);
  g_clear_pointer(&run->found.volume, debye_scattering_volume_free);
  debye_scattering_plan_clear(&run->found.plan);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ScatteringRun, scattering_run_clear)

static const volatile bool *
get_cancel(const ScatteringRun *run)
{
  return run->input->callbacks != NULL ? run->input->callbacks->cancel : NULL;
}

/* --- Preparing --- */

/* The rows' q: of shells where there are vectors, else what was asked for. */
static void
find_q(ScatteringRun *run)
{
  const DebyeScatteringPlan *plan = &run->found.plan;
  const GArray *shells = plan->vectors.shells;
  run->found.n_q = shells != NULL ? shells->len : plan->q->len;
  run->found.q = g_new(double, run->found.n_q);
  for (gsize k = 0; k < run->found.n_q; k++)
    run->found.q[k] =
        shells != NULL ? g_array_index(shells, DebyeScatteringShell, k).q : g_array_index(plan->q, double, k);
}

static DebyeScatteringGroups
make_groups(ScatteringRun *run)
{
  const DebyeScatterers *scatterers = &run->found.plan.scatterers;
  guint n = scatterers->species->len;
  gsize at = 0;
  run->group_first = g_new(gsize, n + 1);
  run->group_atoms = g_new(guint32, scatterers->n_atoms);
  for (guint s = 0; s < n; s++) {
    const GArray *atoms = debye_scatterers_get(scatterers, s)->atoms;
    run->group_first[s] = at;
    memcpy(run->group_atoms + at, atoms->data, atoms->len * sizeof(guint32));
    at += atoms->len;
  }
  run->group_first[n] = at;
  return (DebyeScatteringGroups){.n_groups = n, .first = run->group_first, .atoms = run->group_atoms};
}

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
  const DebyeScatteringTask task = {.plan = &found->plan,
                                    .groups = make_groups(run),
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

/* What one process can do, and several can't. */
static gboolean
share_frames(ScatteringRun *run, GError **error)
{
  const DebyeScatteringPlan *plan = &run->found.plan;
  const DebyeRanks *ranks = run->input->ranks;
  run->share = debye_ranks_get_share(ranks, &plan->frames.range, plan->frames.n_frames);
  if (ranks == NULL || ranks->n_ranks == 1)
    return TRUE;
  if (plan->with_volume || debye_scattering_frames_changes(run->frames)) {
    g_set_error_literal(
        error, DEBYE_ERROR, DEBYE_ERROR_SETTING,
        "Frames: several processes share frames as they are, expected no volume of S(hkl) and "
        "no frames that are unwrapped, centred, superposed or moved");
    return FALSE;
  }
  if (run->found.sums != NULL)
    debye_scattering_sums_begin_at(run->found.sums, run->share.first);
  return TRUE;
}

static gboolean
prepare(ScatteringRun *run, GError **error)
{
  if (!debye_scattering_plan_init(&run->found.plan, run->input->dataset, run->input->request, NULL, error) ||
      !debye_scattering_restart_open(run->input, &run->earlier, error) ||
      (run->earlier != NULL && !debye_scattering_restart_trim(run->earlier, &run->found.plan, error)))
    return FALSE;
  run->own = *run->input;
  run->own.request = debye_request_copy(run->input->request);
  debye_request_set(run->own.request, "continue", NULL, NULL);
  run->input = &run->own;
  run->n_devices = debye_device_choose(run->input->registry, run->input->request, run->devices, error);
  if (run->n_devices == 0)
    return FALSE;
  find_q(run);
  run->frames = debye_scattering_frames_new(&run->found.plan, run->input->request, FALSE, error);
  return run->frames != NULL &&
         (!run->found.plan.with_coherent || run->found.n_q == 0 || open_way(run, error)) &&
         share_frames(run, error);
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
  for (gsize i = 0; i < run->found.plan.scatterers.n_atoms && run->group_atoms != NULL; i++) {
    guint32 atom = run->group_atoms[i];
    if (!isfinite(frame->x[atom]) || !isfinite(frame->y[atom]) || !isfinite(frame->z[atom]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
do_frame(const DebyeFrame *frame, gpointer data, GError **error)
{
  ScatteringRun *run = data;
  if (!check_cell(run, frame, error))
    return FALSE;
  DebyeFrame *prepared = debye_scattering_frames_prepare(run->frames, frame, error);
  if (prepared == NULL)
    return FALSE;
  run->held[run->n_held++] = prepared;
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
debye_scattering_run(const DebyeRunInput *input, GError **error)
{
  g_auto(ScatteringRun) run = {.input = input, .start = g_get_monotonic_time()};
  run.last_partial = run.start;
  if (!prepare(&run, error))
    return NULL;
  if (run.earlier == NULL)
    return compute(&run, error);
  g_autoptr(DebyeResult) fresh = run.found.n_q > 0 ? compute(&run, error) : NULL;
  if (fresh == NULL && run.found.n_q > 0)
    return NULL;
  return debye_scattering_restart_join(run.earlier, fresh, error);
}
