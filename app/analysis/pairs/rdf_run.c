/* SPDX-License-Identifier: MIT */
/* Counts pairs over frames for rdf_analysis.c: some frames at a time go to the devices, so that small ones
 * keep several of them busy. */
#include "rdf_run.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "app/analysis/driver/frame_run.h"
#include "app/analysis/driver/packed_choice.h"
#include "kernels/pairs/pair_histogram_lanes.h"
#include "rdf_result.h"

#define MAX_FRAMES_AT_ONCE 64
#define MAX_ATOMS_AT_ONCE (1u << 21)
#define MAX_COUNTS_AT_ONCE (1u << 23) /* 64 MB */

typedef struct {
  const DebyeRunInput *input;
  DebyeRdfCounted counted;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  DebyeSharing *counts;
  DebyePairGroups groups;
  gboolean has_groups;
  guint64 groups_number;  /* of those that are there now, from 1 */
  gboolean may_be_packed; /* frames, as the file has them; where one isn't, it is handled as if none were */
  /* Where nothing else counts, frames are reduced to the atoms of groups as they are read, and the devices get these alone. */
  GArray *atoms;          /* guint32, ascending; NULL: frames stay whole */
  guint32 *atoms_groups;  /* likewise */
  gsize max_batch;        /* frames that are counted together */
  DebyeFrameRun *waiting; /* whose frames are to be read from now on; NULL: they are already */
  guint64 *out;           /* of the kernel: frames × pairs of groups × bins */
  guint64 *ordered;       /* of one pair of selections */
} RdfRun;

static void
clear_groups(RdfRun *run)
{
  g_clear_pointer(&run->counts, debye_sharing_free);
  g_clear_pointer(&run->out, g_free);
  if (run->has_groups)
    debye_pair_groups_clear(&run->groups);
  run->has_groups = FALSE;
}

static void
rdf_run_clear(RdfRun *run)
{
  clear_groups(run);
  g_clear_pointer(&run->atoms, g_array_unref);
  g_free(run->atoms_groups);
  g_free(run->ordered);
  g_free(run->counted.atoms_sums);
  g_free(run->counted.density_sums);
  g_clear_pointer(&run->counted.statistics, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RdfRun, rdf_run_clear)

/* --- The atoms that count --- */

/* Exclusions know atoms by their numbers in whole frames, selections that follow positions need all of them. */
static gboolean
can_reduce(const RdfRun *run)
{
  const DebyePairExclusions exclusions = debye_rdf_exclusions_view(&run->counted.plan->exclusions);
  return !run->counted.plan->is_dynamic && exclusions.n_classes == 0 && exclusions.n_listed == 0;
}

static void
choose_atoms(RdfRun *run)
{
  const guint32 *group = run->groups.group;
  if (!can_reduce(run))
    return;
  run->atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < run->groups.n_atoms; i++)
    if (group[i] != DEBYE_PAIR_NO_GROUP)
      g_array_append_val(run->atoms, i);
  run->atoms_groups = g_new(guint32, MAX(run->atoms->len, 1));
  for (guint k = 0; k < run->atoms->len; k++)
    run->atoms_groups[k] = group[g_array_index(run->atoms, guint32, k)];
}

/* On the threads that read: the atoms that count move to the front. */
static void
reduce_frame(DebyeFrame *frame, gconstpointer own)
{
  const RdfRun *run = own;
  float *const columns[] = {frame->x, frame->y, frame->z};
  if (run->atoms == NULL || frame->is_packed)
    return;
  const guint32 *atoms = (const guint32 *)(const void *)run->atoms->data;
  const guint n = run->atoms->len;
  for (gsize c = 0; c < G_N_ELEMENTS(columns); c++)
    for (guint k = 0; k < n; k++)
      columns[c][k] = columns[c][atoms[k]];
}

static gsize
count_given_atoms(const RdfRun *run)
{
  return run->atoms != NULL ? run->atoms->len : debye_topology_get_n_atoms(run->counted.plan->topology);
}

/* What follows positions needs them here, and so does an open system, whose box they are. With a limit on memory nothing is
 * taken that only saves time. */
static gboolean
choose_packed(const RdfRun *run)
{
  const DebyeRdfPlan *plan = run->counted.plan;
  return plan->is_periodic && !plan->is_dynamic && plan->memory_limit == 0 &&
         debye_packed_choice(plan->frames.trajectory, count_given_atoms(run), run->devices, run->n_devices);
}

/* --- Counting --- */

/* Of a limit on memory a quarter: the lanes have counts of their own. */
static gsize
counts_at_once(const DebyeRdfPlan *plan)
{
  const gsize fits = plan->memory_limit / 4 / sizeof(guint64);
  return plan->memory_limit > 0 ? MIN(fits, MAX_COUNTS_AT_ONCE) : MAX_COUNTS_AT_ONCE;
}

/* Opening devices takes as long as some frames. */
static void
begin_reading(RdfRun *run)
{
  DebyeFrameRun *frames = g_steal_pointer(&run->waiting);
  if (frames == NULL)
    return;
  frames->max_batch = run->max_batch;
  frames->may_be_packed = run->may_be_packed;
  debye_frame_run_read_ahead(frames);
}

static gboolean
open_counts(RdfRun *run, GError **error)
{
  const DebyeRdfPlan *plan = run->counted.plan;
  const gsize n_atoms = debye_topology_get_n_atoms(plan->topology);
  run->may_be_packed = choose_packed(run);
  const DebyePairLanesSettings settings = {
      .pair = {.max_atoms = count_given_atoms(run),
               .max_packed_atoms = run->may_be_packed ? n_atoms : 0,
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
  gsize most = MIN(MAX_FRAMES_AT_ONCE, MAX_ATOMS_AT_ONCE / MAX(n_atoms, 1));
  most = MIN(most, counts_at_once(plan) / MAX(counts_a_frame, 1));
  run->max_batch = plan->is_dynamic ? 1 : MAX(most, 1);
  run->out = g_try_new(guint64, counts_a_frame * run->max_batch);
  if (run->out == NULL)
    return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Bin width", "no memory for so many bins");
  begin_reading(run);
  if (debye_pair_lanes_create(&settings, run->devices, run->n_devices, &run->counts, &status) ==
      DEBYE_STATUS_OK)
    return TRUE;
  return debye_device_set_error(error, &status);
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
  run->groups_number++;
  if (run->atoms == NULL)
    choose_atoms(run);
  /* No pair of atoms: nothing to count. */
  return keep || groups.n_pairs == 0 || open_counts(run, error);
}

static void
add_cell(RdfRun *run, const DebyeCell *cell)
{
  const DebyeVec3 vectors[3] = {cell->a, cell->b, cell->c};
  double *sums = run->counted.cell_sums;
  for (int i = 0; i < 3 && run->counted.plan->is_periodic; i++) {
    sums[3 * i] += vectors[i].x;
    sums[3 * i + 1] += vectors[i].y;
    sums[3 * i + 2] += vectors[i].z;
  }
}

static void
add_frame(RdfRun *run, const DebyeFrame *frame, const guint64 *counts)
{
  const DebyeRdfPlan *plan = run->counted.plan;
  gboolean by_density = plan->settings.norm == DEBYE_RDF_NORM_DENSITY;
  /* The stated density serves files without a cell. */
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
  add_cell(run, &frame->cell);
}

/* The counts of a batch. FALSE with an error, or without one where it was stopped. */
static gboolean
execute(RdfRun *run, DebyeFrameRun *frames, GError **error)
{
  DebyePairFrame views[MAX_FRAMES_AT_ONCE];
  const guint32 *atoms = run->atoms != NULL ? (const guint32 *)(const void *)run->atoms->data : NULL;
  const DebyeLaneReport *reports = NULL;
  const guint n = frames->batch->len;
  DebyeStatus status = {0};
  gsize bad = 0;
  if (run->groups.n_pairs == 0)
    return TRUE;
  for (guint i = 0; i < n; i++) {
    const DebyeFrame *frame = g_ptr_array_index(frames->batch, i);
    views[i] = (DebyePairFrame){.x = frame->is_packed ? NULL : frame->x,
                                .y = frame->is_packed ? NULL : frame->y,
                                .z = frame->is_packed ? NULL : frame->z,
                                .packed = frame->is_packed ? frame->packed : NULL,
                                .groups_number = run->groups_number,
                                .group = atoms != NULL ? run->atoms_groups : run->groups.group,
                                .n = count_given_atoms(run),
                                .atoms = atoms,
                                .cell = run->counted.plan->is_periodic ? &frame->cell : NULL};
  }
  DebyeStatusCode code =
      debye_pair_lanes_execute(run->counts, views, n, run->out, &bad, debye_frame_run_get_cancel(frames),
                               debye_frame_run_report_batch, frames, &status);
  gsize n_reports = debye_sharing_get_reports(run->counts, &reports);
  debye_lane_totals_add(&run->counted.lanes, reports, n_reports);
  return debye_device_check_frame(code, &status, g_ptr_array_index(frames->batch, MIN(bad, n - 1)), error);
}

static gboolean
count_batch(DebyeFrameRun *frames, gpointer own, GError **error)
{
  RdfRun *run = own;
  const gsize counts_a_frame = run->groups.n_pairs * run->counted.plan->n_bins;
  if (!execute(run, frames, error))
    return FALSE;
  for (guint i = 0; i < frames->batch->len; i++)
    add_frame(run, g_ptr_array_index(frames->batch, i), run->out + i * counts_a_frame);
  frames->n_done += frames->batch->len;
  return TRUE;
}

static gboolean
check_cell(const RdfRun *run, const DebyeFrame *frame, GError **error)
{
  if (!run->counted.plan->is_periodic || (frame->has_cell && debye_cell_is_valid(&frame->cell)))
    return debye_rdf_plan_check_width(run->counted.plan, frame, error);
  return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Frames",
                               "frame %" G_GSIZE_FORMAT " has no cell with a volume, frame %" G_GSIZE_FORMAT
                               " has one: expected one in every frame",
                               frame->index, run->counted.plan->frames.first->index);
}

static gboolean
has_position(const DebyeFrame *frame, gsize i)
{
  return isfinite(frame->x[i]) && isfinite(frame->y[i]) && isfinite(frame->z[i]);
}

/* Only the chosen atoms must have positions. */
static gboolean
is_usable(const DebyeFrame *frame, gpointer own)
{
  const RdfRun *run = own;
  for (guint k = 0; run->atoms != NULL && k < run->atoms->len; k++)
    if (!has_position(frame, k))
      return FALSE;
  if (run->atoms != NULL)
    return TRUE;
  const GArray *selections = run->counted.plan->selections;
  if (run->counted.plan->is_dynamic)
    return FALSE;
  for (guint i = 0; i < selections->len; i++) {
    const GArray *atoms = g_array_index(selections, DebyeRdfSelection, i).atoms;
    for (guint k = 0; k < atoms->len; k++)
      if (!has_position(frame, g_array_index(atoms, guint32, k)))
        return FALSE;
  }
  return TRUE;
}

static DebyeFrame *
take(DebyeFrameRun *frames, const DebyeFrame *frame, gpointer own, GError **error)
{
  RdfRun *run = own;
  if (!check_cell(run, frame, error) || !prepare_groups(run, frame, error))
    return NULL;
  frames->max_batch = run->max_batch;
  return debye_frame_ref((DebyeFrame *)frame);
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
  if (run->counted.statistics->len < plan->pairs->len)
    return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Bin width",
                                 "no memory for %u distributions of %" G_GSIZE_FORMAT " bins",
                                 plan->pairs->len, plan->n_bins);
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
check_chosen(gpointer own, GError **error)
{
  const RdfRun *run = own;
  const DebyeRdfPlan *plan = run->counted.plan;
  for (guint i = 0; i < plan->selections->len; i++)
    if (!(run->counted.atoms_sums[i] > 0.0))
      return debye_error_set_about(error, DEBYE_ERROR_SELECTION, "Pairs",
                                   "the selection “%s” chooses none of %" G_GSIZE_FORMAT
                                   " atoms in any frame",
                                   g_array_index(plan->selections, DebyeRdfSelection, i).text,
                                   debye_topology_get_n_atoms(plan->topology));
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
      debye_result_add_note_of(
          result, DEBYE_NOTE_WARNING, NULL,
          "g(r) of “%s” uses the %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " frames that have such pairs",
          g_array_index(counted->plan->pairs, DebyeRdfPair, i).name, n, counted->n_frames);
  }
}

static void
reach(gpointer own, gsize place)
{
  const RdfRun *run = own;
  for (guint i = 0; i < run->counted.statistics->len; i++)
    debye_rdf_statistic_reach(g_ptr_array_index(run->counted.statistics, i), place);
}

static void
list_state(gpointer own, DebyeFrameState *state)
{
  RdfRun *run = own;
  DebyeRdfCounted *counted = &run->counted;
  const gsize n_selections = counted->plan->selections->len;
  for (guint i = 0; i < counted->statistics->len; i++) {
    g_autofree char *prefix = g_strdup_printf("pair%u_", i);
    debye_rdf_statistic_list_state(g_ptr_array_index(counted->statistics, i), prefix, state);
  }
  debye_frame_state_add(state, "atoms", DEBYE_STATE_SUM, counted->atoms_sums, n_selections);
  debye_frame_state_add(state, "densities", DEBYE_STATE_SUM, counted->density_sums, n_selections);
  debye_frame_state_add(state, "density", DEBYE_STATE_SUM, &counted->density_sum, 1);
  debye_frame_state_add(state, "cell", DEBYE_STATE_SUM, counted->cell_sums, G_N_ELEMENTS(counted->cell_sums));
}

static DebyeResult *
make_result(DebyeFrameRun *frames, gpointer own)
{
  RdfRun *run = own;
  run->counted.n_frames = frames->n_done;
  if (frames->n_done == 0)
    return NULL;
  DebyeResult *result = debye_rdf_result_new(run->input, &run->counted);
  add_pairless_notes(run, result);
  add_missing_errors_note(run, result);
  debye_frame_run_add_left_out_note(frames, result);
  debye_lane_totals_add_notes(&run->counted.lanes, run->input->registry, "slices", result);
  return result;
}

static const DebyeFrameRunClass frames_class = {
    .prepare = reduce_frame,
    .usable = is_usable,
    .take = take,
    .compute = count_batch,
    .reach = reach,
    .list_state = list_state,
    .check = check_chosen,
    .make_result = make_result,
};

DebyeResult *
debye_rdf_run(gpointer own, const DebyeRunInput *input, GError **error)
{
  DebyeRdfPlan *plan = own;
  g_auto(RdfRun) run = {.input = input, .counted = {.plan = plan}, .max_batch = 1};
  g_auto(DebyeFrameRun) frames = {.class = &frames_class,
                                  .own = &run,
                                  .input = input,
                                  .frames = &plan->frames,
                                  .lanes = &run.counted.lanes,
                                  .job = &plan->settings.job,
                                  .start = g_get_monotonic_time()};
  run.waiting = &frames;
  if (!prepare(&run, error))
    return NULL;
  frames.max_batch = run.max_batch;
  /* Counts are whole numbers, whichever frames are counted together, but processes share blocks. */
  if (debye_ranks_are_several(input->ranks))
    frames.blocks = debye_frame_blocks(plan->frames.n_frames, (gsize)plan->settings.blocks);
  return debye_frame_run_execute(&frames, error);
}
