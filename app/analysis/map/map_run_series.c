/* SPDX-License-Identifier: MIT */
/* Maps of several frames at once; called by map_analysis.c. Each frame has one lane, which adds its map to a
 * statistic of its own. Those are merged in the order of the lanes when a picture is due, a block or all is
 * done; meanwhile the next frames are read. */
#include "kernels/potential/potential_series_lanes.h"
#include "map_poisson_lanes.h"
#include "map_result.h"
#include "map_run_private.h"

/* Lanes wait for the last of a batch: in so many turns of each it hardly shows. Beyond this memory there are
 * fewer, but two a lane always. */
#define MAX_FRAMES_A_LANE 16
#define BATCH_BYTES ((gsize)128 << 20)
/* Frames that take longer need smaller batches. */
#define BATCH_SECONDS 1.0

typedef struct {
  DebyeMapRun *run;
  DebyeFrameRun *batches;
  DebyeSharing *series;
  DebyeMapPoissonLanes *poisson; /* in its place */
  gsize n_lanes, capacity;       /* frames of a batch */
  DebyeMapFrame *held;           /* `capacity` of them */
  DebyePotentialFrame *frames;   /* the same, as the kernel takes them */
  GPtrArray *of_lanes;           /* an accumulator a lane */
} Series;

static void
series_clear(Series *series)
{
  g_clear_pointer(&series->series, debye_sharing_free);
  g_clear_pointer(&series->poisson, debye_map_poisson_lanes_free);
  for (gsize i = 0; series->held != NULL && i < series->capacity; i++)
    debye_map_frame_clear(&series->held[i]);
  g_free(series->held);
  g_free(series->frames);
  g_clear_pointer(&series->of_lanes, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Series, series_clear)

static gsize
count_lanes(const DebyeMapRun *run)
{
  return run->poisson != NULL ? run->n_devices
                              : debye_potential_series_lanes_count_lanes(run->devices, run->n_devices);
}

/* For frames that are solved by an equation; other methods share only frames that are fast to compute. */
static gsize
count_soon_done(const DebyeMapRun *run)
{
  double seconds, start;
  guint64 bytes;
  if (run->poisson == NULL)
    return G_MAXSIZE;
  debye_map_poisson_estimate(run->plan, run->devices, run->n_devices, &seconds, &start, &bytes);
  return (gsize)MIN((double)run->n_devices * BATCH_SECONDS / seconds, 1e9);
}

static gsize
choose_capacity(const DebyeMapRun *run, gsize n_lanes)
{
  gsize frame = 3 * sizeof(float) * debye_trajectory_get_n_atoms(run->plan->frames.trajectory);
  gsize fitting = BATCH_BYTES / (2 * frame + debye_map_frames_bytes(&run->frames) + 1);
  return CLAMP(MIN(fitting, count_soon_done(run)), 2 * n_lanes, MAX_FRAMES_A_LANE * n_lanes);
}

/* Equations are as large as what the plan counts of one, the processor's beside accelerators not among them. */
static double
count_equation_bytes(const DebyeMapRun *run)
{
  const gsize n = debye_map_poisson_count_sharing(run->plan, run->devices, run->n_devices);
  return run->poisson != NULL ? (double)n * (double)run->plan->host_bytes : 0.0;
}

double
debye_map_run_by_frames_bytes(const DebyeMapRun *run)
{
  gsize n_lanes = count_lanes(run);
  gsize map = run->plan->potential.double_precision ? sizeof(double) : sizeof(float);
  gsize sum = debye_map_statistic_bytes_per_point(run->plan->settings.statistic, FALSE);
  gsize frame = 6 * sizeof(float) * debye_trajectory_get_n_atoms(run->plan->frames.trajectory);
  return (double)n_lanes * (double)run->n_points * (double)(map + sum) +
         (double)choose_capacity(run, n_lanes) * (double)(frame + debye_map_frames_bytes(&run->frames)) +
         count_equation_bytes(run);
}

/* --- A batch --- */

static void
take_map(void *data, size_t lane, size_t frame G_GNUC_UNUSED, const float *single, const double *twice)
{
  const Series *series = data;
  debye_map_accumulator_add(g_ptr_array_index(series->of_lanes, lane), single, twice);
}

static void
frames_finished(void *data, size_t done, size_t total G_GNUC_UNUSED)
{
  const Series *series = data;
  debye_frame_run_report(series->batches, (double)(series->batches->n_done + done));
}

/* Frames done, those that are not merged yet among them. */
static gsize
count_done(const Series *series)
{
  gsize n = debye_map_accumulator_get_n_frames(series->run->accumulator);
  for (guint i = 0; i < series->of_lanes->len; i++)
    n += debye_map_accumulator_get_n_frames(g_ptr_array_index(series->of_lanes, i));
  return n;
}

static void
merge_lanes(gpointer own)
{
  const Series *series = own;
  for (guint i = 0; i < series->of_lanes->len; i++) {
    DebyeMapAccumulator *of_lane = g_ptr_array_index(series->of_lanes, i);
    debye_map_accumulator_merge(series->run->accumulator, of_lane);
    debye_map_accumulator_clear(of_lane);
  }
  if (series->poisson != NULL)
    debye_map_poisson_lanes_merge(series->poisson, series->run->poisson);
}

static void
let_frames_go(Series *series)
{
  for (gsize i = 0; i < series->capacity; i++)
    debye_map_frame_let_go(&series->held[i]);
}

/* Superposing goes by the order of the frames. */
static gboolean
take_frames(Series *series, GError **error)
{
  const GPtrArray *batch = series->batches->batch;
  for (guint i = 0; i < batch->len; i++) {
    if (!debye_map_frame_set(&series->held[i], &series->run->frames, g_ptr_array_index(batch, i), error))
      return FALSE;
    series->frames[i] = series->held[i].view;
  }
  return TRUE;
}

static DebyeStatusCode
execute(Series *series, gsize *bad_frame, DebyeStatus *status)
{
  DebyeMapRun *run = series->run;
  const DebyeLaneReport *reports = NULL;
  DebyeStatusCode code = debye_potential_series_lanes_execute(
      series->series, series->frames, series->batches->batch->len, take_map, frames_finished, series,
      bad_frame, debye_frame_run_get_cancel(series->batches), status);
  gsize n_reports = debye_potential_series_lanes_get_reports(series->series, &reports);
  debye_lane_totals_add(&run->lanes, reports, n_reports);
  return code;
}

static gboolean
sum_charges(Series *series, GError **error)
{
  DebyeStatus status = {0};
  gsize bad_frame = 0;
  const DebyeStatusCode code = execute(series, &bad_frame, &status);
  return debye_device_check_frame(code, &status, series->held[bad_frame].frame, error);
}

static gboolean
solve_equations(Series *series, GError **error)
{
  const DebyeLaneReport *reports = NULL;
  const gboolean is_good = debye_map_poisson_lanes_execute(
      series->poisson, series->held, series->batches->batch->len, take_map, frames_finished, series,
      debye_frame_run_get_cancel(series->batches), error);
  const gsize n_reports = debye_map_poisson_lanes_get_reports(series->poisson, &reports);
  debye_lane_totals_add(&series->run->lanes, reports, n_reports);
  return is_good;
}

/* FALSE with an error, or without one where it was stopped; what lanes have finished counts. */
static gboolean
do_batch(DebyeFrameRun *batches, gpointer own, GError **error)
{
  Series *series = own;
  if (!take_frames(series, error))
    return FALSE;
  const gboolean is_good =
      series->poisson != NULL ? solve_equations(series, error) : sum_charges(series, error);
  batches->n_done = count_done(series);
  let_frames_go(series);
  return is_good;
}

static gboolean
is_usable(const DebyeFrame *frame, gpointer own)
{
  const Series *series = own;
  return debye_map_frames_can_use(&series->run->frames, frame);
}

static gboolean
extend(gpointer own, DebyeFrameRange *range, gsize n_seen, GError **error)
{
  const Series *series = own;
  const DebyeFrameRange *all = &series->run->plan->frames.range;
  return n_seen > 0 ||
         debye_map_frames_skip(&series->run->frames, (range->first - all->first) / all->step, error);
}

static void
list_state(gpointer own, DebyeFrameState *state)
{
  const Series *series = own;
  debye_map_accumulator_list_state(series->run->accumulator, state);
  if (series->run->poisson != NULL)
    debye_map_poisson_list_state(series->run->poisson, state);
}

/* What the lanes have is of the block before. */
static void
reach(gpointer own, gsize place)
{
  Series *series = own;
  merge_lanes(series);
  debye_map_accumulator_reach(series->run->accumulator, place);
}

static DebyeResult *
make_result(DebyeFrameRun *batches, gpointer own)
{
  Series *series = own;
  const DebyeMapRun *run = series->run;
  merge_lanes(series);
  /* The solver takes several times the memory of the map that is copied. */
  if (batches->is_over)
    g_clear_pointer(&series->poisson, debye_map_poisson_lanes_free);
  float *values = batches->n_done > 0 ? debye_map_result_scale_statistic(run->plan, run->accumulator) : NULL;
  return debye_map_run_make_result(run, batches, values, "frames");
}

static const DebyeFrameRunClass by_frames = {
    .usable = is_usable,
    .compute = do_batch,
    .reach = reach,
    .settle = merge_lanes,
    .extend = extend,
    .list_state = list_state,
    .make_result = make_result,
};

/* --- The whole --- */

static gboolean
allocate(Series *series, GError **error)
{
  const DebyeMapRun *run = series->run;
  series->held = g_new0(DebyeMapFrame, series->capacity);
  series->frames = g_new0(DebyePotentialFrame, series->capacity);
  series->of_lanes = g_ptr_array_new_with_free_func((GDestroyNotify)debye_map_accumulator_free);
  for (gsize i = 0; i < series->capacity; i++)
    if (!debye_map_frame_init(&series->held[i], &run->frames, error))
      return FALSE;
  for (gsize i = 0; i < series->n_lanes; i++) {
    DebyeMapAccumulator *of_lane =
        debye_map_accumulator_new(run->plan->settings.statistic, run->n_points, (DebyeFrameBlocks){0});
    if (of_lane == NULL)
      return debye_map_run_set_memory_error(error);
    g_ptr_array_add(series->of_lanes, of_lane);
  }
  return TRUE;
}

static gboolean
create_series(Series *series, GError **error)
{
  const DebyeMapRun *run = series->run;
  if (run->poisson != NULL) {
    /* Holds only the sums: each lane has its own solver. */
    debye_map_poisson_finish(run->poisson);
    series->poisson = debye_map_poisson_lanes_new(run->plan, run->devices, run->n_devices, error);
    return series->poisson != NULL;
  }
  const DebyePotentialSeriesLanesSettings settings = {.potential = debye_map_run_get_potential(run),
                                                      .memory_limit = run->plan->memory_limit};
  DebyeStatus status = {0};
  if (debye_potential_series_lanes_create(&settings, run->devices, run->n_devices, &series->series,
                                          &status) == DEBYE_STATUS_OK)
    return TRUE;
  return debye_device_set_error(error, &status);
}

DebyeResult *
debye_map_run_by_frames(DebyeMapRun *run, DebyeFrameRun *frames, GError **error)
{
  const gsize n_lanes = count_lanes(run);
  g_auto(Series)
      series = {.run = run, .batches = frames, .n_lanes = n_lanes, .capacity = choose_capacity(run, n_lanes)};
  frames->class = &by_frames;
  frames->own = &series;
  frames->first_batch = n_lanes;
  frames->max_batch = series.capacity;
  frames->may_be_packed = run->frames.packed.n_atoms > 0;
  debye_frame_run_read_ahead(frames);
  if (!allocate(&series, error) || !create_series(&series, error))
    return NULL;
  return debye_frame_run_execute(frames, error);
}
