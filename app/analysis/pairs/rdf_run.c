/* SPDX-License-Identifier: MIT */
/* Counts pairs over frames for rdf_analysis.c: some frames at a time go to the devices, so that small ones
 * keep several of them busy. */
#include "rdf_run.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "app/analysis/driver/frame_loop.h"
#include "kernels/pairs/pair_histogram_lanes.h"
#include "rdf_result.h"

#define PARTIAL_INTERVAL (G_USEC_PER_SEC / 4) /* a person sees four pictures a second as growth */
#define MAX_FRAMES_AT_ONCE 64
#define MAX_ATOMS_AT_ONCE (1u << 21)
#define MAX_COUNTS_AT_ONCE (1u << 23) /* 64 MB */

typedef struct {
  const DebyeRunInput *input;
  DebyeRdfCounted counted;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  DebyePairLanes *counts;
  DebyePairGroups groups;
  gboolean has_groups;
  DebyeFrame *held[MAX_FRAMES_AT_ONCE]; /* read, not yet counted */
  gsize n_held, next_held, max_held;    /* are counted together: next, at most */
  guint64 *out;                         /* of the kernel: frames × pairs of groups × bins */
  guint64 *ordered;                     /* of one pair of selections */
  gint64 start, last_partial;
} RdfRun;

static void
let_frames_go(RdfRun *run)
{
  for (gsize i = 0; i < run->n_held; i++)
    debye_frame_unref(run->held[i]);
  run->n_held = 0;
}

static void
clear_groups(RdfRun *run)
{
  g_clear_pointer(&run->counts, debye_pair_lanes_destroy);
  g_clear_pointer(&run->out, g_free);
  if (run->has_groups)
    debye_pair_groups_clear(&run->groups);
  run->has_groups = FALSE;
}

static void
rdf_run_clear(RdfRun *run)
{
  let_frames_go(run);
  clear_groups(run);
  g_free(run->ordered);
  g_free(run->counted.atoms_sums);
  g_free(run->counted.density_sums);
  g_clear_pointer(&run->counted.statistics, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RdfRun, rdf_run_clear)

/* --- Progress and partial results --- */

static gboolean
partial_is_due(const RdfRun *run)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  return callbacks != NULL && callbacks->partial != NULL &&
         g_get_monotonic_time() - run->last_partial >= PARTIAL_INTERVAL;
}

static void
publish(RdfRun *run)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  g_autoptr(DebyeResult) result = debye_rdf_result_new(run->input, &run->counted);
  debye_result_set_partial(result, TRUE);
  callbacks->partial(result, callbacks->data);
  run->last_partial = g_get_monotonic_time();
}

static void
slices_counted(void *data, size_t done, size_t total)
{
  const RdfRun *run = data;
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  if (callbacks == NULL || callbacks->progress == NULL)
    return;
  double n_frames = (double)run->counted.plan->frames.n_frames, share = (double)done / (double)MAX(total, 1);
  double fraction = ((double)run->counted.n_frames + share * (double)run->n_held) / n_frames;
  g_autofree char *message = g_strdup_printf("frame %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT,
                                             run->counted.n_frames + 1, run->counted.plan->frames.n_frames);
  callbacks->progress(MIN(fraction, 1.0), message, callbacks->data);
}

/* --- Counting --- */

/* Of a limit on memory a quarter: the lanes have counts of their own. */
static gsize
counts_at_once(const DebyeRdfPlan *plan)
{
  const gsize fits = plan->memory_limit / 4 / sizeof(guint64);
  return plan->memory_limit > 0 ? MIN(fits, MAX_COUNTS_AT_ONCE) : MAX_COUNTS_AT_ONCE;
}

static gboolean
open_counts(RdfRun *run, GError **error)
{
  const DebyeRdfPlan *plan = run->counted.plan;
  const DebyePairLanesSettings settings = {
      .pair = {.max_atoms = debye_topology_get_n_atoms(plan->topology),
               .n_groups = run->groups.n_groups,
               .pairs = run->groups.pairs,
               .n_pairs = run->groups.n_pairs,
               .r_max = plan->r_max,
               .n_bins = plan->n_bins,
               .images = plan->settings.images,
               .without_self_images = !plan->settings.self_images,
               .exclusions = debye_rdf_exclusions_view(&plan->exclusions)},
      .memory_limit = plan->memory_limit,
  };
  DebyeStatus status = {0};
  gsize counts_a_frame = run->groups.n_pairs * plan->n_bins;
  gsize most = MIN(MAX_FRAMES_AT_ONCE, MAX_ATOMS_AT_ONCE / MAX(settings.pair.max_atoms, 1));
  most = MIN(most, counts_at_once(plan) / MAX(counts_a_frame, 1));
  run->max_held = plan->is_dynamic ? 1 : MAX(most, 1);
  run->next_held = 1;
  run->out = g_try_new(guint64, counts_a_frame * run->max_held);
  if (run->out == NULL) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "Bin width: no memory for so many bins");
    return FALSE;
  }
  if (debye_pair_lanes_create(&settings, run->devices, run->n_devices, &run->counts, &status) ==
      DEBYE_STATUS_OK)
    return TRUE;
  debye_device_set_error(error, &status);
  return FALSE;
}

static gboolean
is_same_problem(const DebyePairGroups *a, const DebyePairGroups *b)
{
  return a->n_groups == b->n_groups && a->n_pairs == b->n_pairs &&
         memcmp(a->pairs, b->pairs, a->n_pairs * sizeof *a->pairs) == 0;
}

/* Groups are those of the first frame; where selections follow positions they are made anew, and the devices
 * are only planned anew where other pairs of groups come of it. */
static gboolean
prepare_groups(RdfRun *run, const DebyeFrame *frame, GError **error)
{
  DebyePairGroups groups;
  if (run->has_groups && !run->counted.plan->is_dynamic)
    return TRUE;
  if (!debye_rdf_plan_make_groups(run->counted.plan, frame, &groups, error))
    return FALSE;
  gboolean keep = run->has_groups && is_same_problem(&run->groups, &groups);
  if (keep)
    debye_pair_groups_clear(&run->groups);
  else
    clear_groups(run);
  run->groups = groups;
  run->has_groups = TRUE;
  /* No pair of atoms: nothing to count. */
  return keep || groups.n_pairs == 0 || open_counts(run, error);
}

static void
add_frame(RdfRun *run, const DebyeFrame *frame, const guint64 *counts)
{
  const DebyeRdfPlan *plan = run->counted.plan;
  gboolean by_density = plan->settings.norm == DEBYE_RDF_NORM_DENSITY;
  /* For files without a cell. */
  double density = plan->settings.has_density ? plan->settings.density : 0.0;
  double volume = plan->is_periodic ? fabs(debye_cell_volume(&frame->cell)) : 0.0;
  for (guint i = 0; i < plan->pairs->len; i++) {
    const DebyeRdfPair *pair = &g_array_index(plan->pairs, DebyeRdfPair, i);
    double n_a = g_array_index(plan->selections, DebyeRdfSelection, pair->a).atoms->len;
    double n_b = g_array_index(plan->selections, DebyeRdfSelection, pair->b).atoms->len;
    double n_pairs = by_density ? n_a * n_b : (double)run->groups.n_ordered[i];
    double volume_a_pair = n_pairs > 0.0 ? volume / n_pairs : 0.0;
    if (!plan->is_periodic && density > 0.0 && n_a > 0.0)
      volume_a_pair = 1.0 / (n_a * density);
    DebyeRdfStatistic *statistic = g_ptr_array_index(run->counted.statistics, i);
    debye_pair_groups_combine(&run->groups, i, plan->n_bins, counts, run->ordered);
    debye_rdf_statistic_reach(statistic, debye_frame_choice_get_place(&plan->frames, frame));
    debye_rdf_statistic_add(statistic, run->ordered, volume_a_pair, n_a);
  }
  for (guint i = 0; i < plan->selections->len; i++) {
    double n = g_array_index(plan->selections, DebyeRdfSelection, i).atoms->len;
    run->counted.atoms_sums[i] += n;
    run->counted.density_sums[i] += volume > 0.0 ? n / volume : 0.0;
  }
  run->counted.density_sum += volume > 0.0 ? 1.0 / volume : 0.0;
  run->counted.n_frames++;
}

/* The counts of the frames that are held. FALSE with an error, or without one where it was stopped. */
static gboolean
execute(RdfRun *run, GError **error)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  DebyePairFrame frames[MAX_FRAMES_AT_ONCE];
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  gsize bad = 0;
  if (run->groups.n_pairs == 0)
    return TRUE;
  for (gsize i = 0; i < run->n_held; i++)
    frames[i] = (DebyePairFrame){.x = run->held[i]->x,
                                 .y = run->held[i]->y,
                                 .z = run->held[i]->z,
                                 .group = run->groups.group,
                                 .n = run->held[i]->n_atoms,
                                 .cell = run->counted.plan->is_periodic ? &run->held[i]->cell : NULL};
  DebyeStatusCode code =
      debye_pair_lanes_execute(run->counts, frames, run->n_held, run->out, &bad,
                               callbacks != NULL ? callbacks->cancel : NULL, slices_counted, run, &status);
  gsize n_reports = debye_pair_lanes_get_reports(run->counts, &reports);
  debye_lane_totals_add(&run->counted.lanes, reports, n_reports);
  if (code == DEBYE_STATUS_INVALID)
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE, "Frames: frame %" G_GSIZE_FORMAT ": %s",
                run->held[MIN(bad, run->n_held - 1)]->index, status.text);
  else if (code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, &status);
  return code == DEBYE_STATUS_OK;
}

static gboolean
count_held(RdfRun *run, GError **error)
{
  const gsize counts_a_frame = run->groups.n_pairs * run->counted.plan->n_bins;
  if (!execute(run, error))
    return FALSE;
  for (gsize i = 0; i < run->n_held; i++)
    add_frame(run, run->held[i], run->out + i * counts_a_frame);
  let_frames_go(run);
  if (run->counted.n_frames < run->counted.plan->frames.n_frames && partial_is_due(run))
    publish(run);
  return TRUE;
}

static gboolean
check_cell(const RdfRun *run, const DebyeFrame *frame, GError **error)
{
  if (!run->counted.plan->is_periodic || (frame->has_cell && debye_cell_is_valid(&frame->cell)))
    return debye_rdf_plan_check_width(run->counted.plan, frame, error);
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
              "Frames: frame %" G_GSIZE_FORMAT " has no cell of any volume, frame %" G_GSIZE_FORMAT
              " has one: expected one in every frame",
              frame->index, run->counted.plan->frames.first->index);
  return FALSE;
}

/* Only the chosen atoms must have positions. */
static gboolean
frame_is_usable(const DebyeFrame *frame, gpointer data)
{
  const RdfRun *run = data;
  const GArray *selections = run->counted.plan->selections;
  if (run->counted.plan->is_dynamic)
    return FALSE;
  for (guint i = 0; i < selections->len; i++) {
    const GArray *atoms = g_array_index(selections, DebyeRdfSelection, i).atoms;
    for (guint k = 0; k < atoms->len; k++) {
      guint32 atom = g_array_index(atoms, guint32, k);
      if (!isfinite(frame->x[atom]) || !isfinite(frame->y[atom]) || !isfinite(frame->z[atom]))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
do_frame(const DebyeFrame *frame, gpointer data, GError **error)
{
  RdfRun *run = data;
  if (!check_cell(run, frame, error) || !prepare_groups(run, frame, error))
    return FALSE;
  run->held[run->n_held++] = debye_frame_ref((DebyeFrame *)frame);
  if (run->n_held < run->next_held)
    return TRUE;
  /* Few at first: something is there to look at, and to keep at Stop, after the first frame. */
  run->next_held = MIN(2 * run->next_held, run->max_held);
  return count_held(run, error);
}

/* --- The whole --- */

static gboolean
prepare(RdfRun *run, GError **error)
{
  DebyeRdfPlan *plan = run->counted.plan;
  run->n_devices = debye_device_choose(run->input->registry, &plan->settings.lanes, run->devices, error);
  if (run->n_devices == 0)
    return FALSE;
  const DebyeFrameBlocks blocks = debye_frame_blocks(plan->frames.n_frames, (gsize)plan->settings.blocks);
  /* Read once, and not for each picture of what is there so far. */
  run->counted.time_step = blocks.n_blocks > 0 ? debye_frame_choice_get_time_step(&plan->frames) : 0.0;
  run->ordered = g_try_new(guint64, plan->n_bins);
  run->counted.atoms_sums = g_new0(double, plan->selections->len);
  run->counted.density_sums = g_new0(double, plan->selections->len);
  run->counted.statistics = g_ptr_array_new_with_free_func((GDestroyNotify)debye_rdf_statistic_free);
  for (guint i = 0; i < plan->pairs->len && run->ordered != NULL; i++) {
    DebyeRdfStatistic *statistic = debye_rdf_statistic_new(plan->width, plan->n_bins, blocks);
    if (statistic == NULL)
      break;
    g_ptr_array_add(run->counted.statistics, statistic);
  }
  if (run->counted.statistics->len < plan->pairs->len) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
                "Bin width: no memory for %u distributions of %" G_GSIZE_FORMAT " bins", plan->pairs->len,
                plan->n_bins);
    return FALSE;
  }
  return prepare_groups(run, plan->frames.first, error);
}

/* Without g there are no errors to miss. */
static void
add_missing_errors_note(const RdfRun *run, DebyeResult *result)
{
  const DebyeRdfStatistic *statistic = g_ptr_array_index(run->counted.statistics, 0);
  const DebyeFrameBlocksProgress *progress = debye_rdf_statistic_get_blocks(statistic);
  if (debye_rdf_statistic_get_n_known(statistic) > 0)
    debye_frame_blocks_add_missing_note(progress->blocks, progress->n_whole, result);
}

/* One that follows the positions may have chosen nothing in any frame. */
static gboolean
check_chosen(const RdfRun *run, GError **error)
{
  const DebyeRdfPlan *plan = run->counted.plan;
  for (guint i = 0; i < plan->selections->len; i++)
    if (!(run->counted.atoms_sums[i] > 0.0)) {
      g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION,
                  "Pairs: the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms in any frame",
                  g_array_index(plan->selections, DebyeRdfSelection, i).text,
                  debye_topology_get_n_atoms(plan->topology));
      return FALSE;
    }
  return TRUE;
}

/* In frames without a pair g would be nothing divided by nothing. */
static void
add_pairless_notes(const RdfRun *run, DebyeResult *result)
{
  const DebyeRdfCounted *counted = &run->counted;
  if (!counted->plan->is_periodic && !counted->plan->settings.has_density)
    return; /* g isn't known in any */
  for (guint i = 0; i < counted->plan->pairs->len; i++) {
    gsize n = debye_rdf_statistic_get_n_known(g_ptr_array_index(counted->statistics, i));
    if (n < counted->n_frames)
      debye_result_add_note(result,
                            DEBYE_NOTE_WARNING "g(r) of “%s” is of the %" G_GSIZE_FORMAT
                                               " of %" G_GSIZE_FORMAT " frames that have such pairs",
                            g_array_index(counted->plan->pairs, DebyeRdfPair, i).name, n, counted->n_frames);
  }
}

static DebyeResult *
finish(RdfRun *run, const DebyeFrameLoopReport *report, GError **error)
{
  const DebyeRdfPlan *plan = run->counted.plan;
  if (run->counted.n_frames == 0) {
    if (report->cancelled)
      g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped before anything was finished");
    else
      g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
                  "Frames: in none of the %" G_GSIZE_FORMAT
                  " frames have the chosen atoms finite coordinates (frame %s)",
                  plan->frames.n_frames, report->left_out->str);
    return NULL;
  }
  if (!report->cancelled && !check_chosen(run, error))
    return NULL;
  for (guint i = 0; !report->cancelled && i < run->counted.statistics->len; i++)
    debye_rdf_statistic_reach(g_ptr_array_index(run->counted.statistics, i), plan->frames.n_frames);
  run->counted.seconds = (double)(g_get_monotonic_time() - run->start) / G_USEC_PER_SEC;
  DebyeResult *result = debye_rdf_result_new(run->input, &run->counted);
  add_pairless_notes(run, result);
  add_missing_errors_note(run, result);
  debye_result_set_partial(result, run->counted.n_frames + report->n_left_out < plan->frames.n_frames);
  if (report->n_left_out > 0)
    debye_result_add_note(result,
                          DEBYE_NOTE_WARNING
                          "frame%s %s left out: chosen atoms have coordinates that are NaN or infinite there",
                          report->n_left_out > 1 ? "s" : "", report->left_out->str);
  debye_lane_totals_add_notes(&run->counted.lanes, run->input->registry, "slices", result);
  return result;
}

DebyeResult *
debye_rdf_run(DebyeRdfPlan *plan, const DebyeRunInput *input, GError **error)
{
  g_auto(RdfRun) run = {.input = input,
                        .counted = {.plan = plan},
                        .next_held = 1,
                        .max_held = 1,
                        .start = g_get_monotonic_time()};
  g_auto(DebyeFrameLoopReport) report = {0};
  run.last_partial = run.start;
  if (!prepare(&run, error))
    return NULL;
  DebyeFrameLoop loop = {
      .trajectory = run.counted.plan->frames.trajectory,
      .range = run.counted.plan->frames.range,
      /* While some are counted, as many are read. */
      .depth = 2 * (guint)run.max_held + 1,
      .cancel = input->callbacks != NULL ? input->callbacks->cancel : NULL,
      .data = &run,
      .usable = frame_is_usable,
      .work = do_frame,
  };
  if (!debye_frame_loop_run(&loop, &report, error))
    return NULL;
  g_autoptr(GError) problem = NULL;
  if (run.n_held > 0 && !report.cancelled && !count_held(&run, &problem)) {
    if (problem != NULL) {
      g_propagate_error(error, g_steal_pointer(&problem));
      return NULL;
    }
    report.cancelled = TRUE;
  }
  return finish(&run, &report, error);
}
