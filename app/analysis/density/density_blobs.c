/* SPDX-License-Identifier: MIT */
/* Finds blobs of a map and lists their visitors; called by density_analysis.c for the setting “blobs”. */
#include "density_blobs.h"

#include <math.h>
#include <stdlib.h>

#include "app/analysis/driver/frame_run.h"
#include "data/files/error.h"
#include "density_points.h"
#include "density_regions.h"
#include "kernels/density/density_math.h"

/* --- Visits --- */

/* Of a residue in a blob; frames by their places among those that are used. */
typedef struct {
  guint32 blob, residue;
  gsize first, last; /* frames in which it was there */
  gsize n_frames, n_stays, longest, current;
} Visit;

typedef struct {
  const DebyeRunInput *input;
  DebyeDensityPlan *plan;
  const guint32 *labels; /* the plan's or these: */
  guint32 *own_labels;
  gsize n_blobs, n_seen;
  GHashTable *visits; /* by blob and residue */
  DebyeDensityPoints points;
  DebyeDensityTarget target;
} BlobsRun;

static void
blobs_run_clear(BlobsRun *run)
{
  g_free(run->own_labels);
  g_clear_pointer(&run->visits, g_hash_table_unref);
  debye_density_points_clear(&run->points);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BlobsRun, blobs_run_clear)

static guint
hash_visit(gconstpointer key)
{
  const Visit *visit = key;
  return visit->blob * 2654435761u ^ visit->residue;
}

static gboolean
equal_visits(gconstpointer a, gconstpointer b)
{
  const Visit *one = a, *other = b;
  return one->blob == other->blob && one->residue == other->residue;
}

/* Several atoms of a residue count once a frame. */
static void
note_visit(BlobsRun *run, guint32 blob, guint32 residue, gsize frame)
{
  const Visit key = {.blob = blob, .residue = residue};
  Visit *visit = g_hash_table_lookup(run->visits, &key);
  if (visit == NULL) {
    visit = g_new0(Visit, 1);
    *visit = (Visit){.blob = blob, .residue = residue, .first = frame, .last = frame};
    g_hash_table_add(run->visits, visit);
  } else if (visit->last == frame) {
    return;
  }
  if (visit->n_frames == 0 || visit->last + 1 != frame) {
    visit->n_stays++;
    visit->current = 0;
  }
  visit->last = frame;
  visit->n_frames++;
  visit->current++;
  visit->longest = MAX(visit->longest, visit->current);
}

static gboolean
look_at_frame(BlobsRun *run, const DebyeFrame *frame, GError **error)
{
  DebyeDensityPlan *plan = run->plan;
  const DebyeDensitySettings settings = {
      .shape = {plan->grid.shape[0], plan->grid.shape[1], plan->grid.shape[2]}, .placing = plan->placing};
  DebyeDensityView view;
  DebyeDensitySample sample;
  DebyeLattice lattice;
  g_autoptr(GArray) chosen = NULL;
  const DebyeDensityFrame seen = {.scale = 1.0,
                                  .cell = plan->is_periodic ? &frame->cell : NULL,
                                  .views = &view,
                                  .n_views = 1,
                                  .origin = debye_density_plan_get_corner(plan),
                                  .step = {plan->grid.step[0], plan->grid.step[1], plan->grid.step[2]}};
  if (plan->is_dynamic) {
    chosen = debye_selection_evaluate(plan->selection, plan->topology, frame, error);
    if (chosen == NULL)
      return FALSE;
  }
  if (!debye_density_look(plan, frame, &view, error))
    return FALSE;
  debye_density_points_set(&run->points, plan->topology, DEBYE_WEIGHT_NUMBER,
                           chosen != NULL ? chosen : plan->atoms, frame);
  debye_lattice_init(&lattice, seen.cell);
  debye_density_sample_init(&sample, &settings, &seen, 0, &lattice);
  for (gsize i = 0; i < run->points.n; i++) {
    double u[3];
    debye_density_place(&run->target, &lattice, &sample, run->points.x[i], run->points.y[i], run->points.z[i],
                        u);
    if (!(u[0] >= 0.0 && u[0] < (double)settings.shape[0] && u[1] >= 0.0 &&
          u[1] < (double)settings.shape[1] && u[2] >= 0.0 && u[2] < (double)settings.shape[2]))
      continue;
    const gsize voxel = (gsize)u[0] + settings.shape[0] * ((gsize)u[1] + settings.shape[1] * (gsize)u[2]);
    if (run->labels[voxel] != 0)
      note_visit(run, run->labels[voxel], run->points.owners[i], run->n_seen);
  }
  run->n_seen++;
  return TRUE;
}

static gboolean
compute(DebyeFrameRun *frames, gpointer own, GError **error)
{
  const volatile bool *cancel = debye_frame_run_get_cancel(frames);
  for (guint i = 0; i < frames->batch->len; i++) {
    if (cancel != NULL && *cancel)
      return FALSE;
    if (!look_at_frame(own, g_ptr_array_index(frames->batch, i), error))
      return FALSE;
    frames->n_done++;
  }
  return TRUE;
}

/* --- The list --- */

static int
compare_visits(const void *a, const void *b)
{
  const Visit *one = *(Visit *const *)a, *other = *(Visit *const *)b;
  if (one->blob != other->blob)
    return one->blob < other->blob ? -1 : 1;
  if (one->n_frames != other->n_frames)
    return one->n_frames > other->n_frames ? -1 : 1;
  return (one->residue > other->residue) - (one->residue < other->residue);
}

typedef struct {
  gsize n;
  double step; /* of time, or 1 of frames */
  const char *unit;
  double first_frame, frame_step;
} Scale;

static void
add_column(DebyeTable *table, const char *name, const char *unit, Visit *const *visits, gsize n,
           double (*value)(const Visit *visit, const Scale *scale), const Scale *scale)
{
  const DebyeQuantity quantity = {name, NULL, unit};
  g_autofree double *values = g_new(double, MAX(n, 1));
  for (gsize i = 0; i < n; i++)
    values[i] = value(visits[i], scale);
  debye_table_add_numbers(table, &quantity, n, values);
}

static double
get_blob(const Visit *visit, const Scale *scale G_GNUC_UNUSED)
{
  return (double)visit->blob;
}

/* As the selection “residue 12” counts. */
static double
get_index(const Visit *visit, const Scale *scale G_GNUC_UNUSED)
{
  return (double)visit->residue;
}

static double
get_first(const Visit *visit, const Scale *scale)
{
  return scale->first_frame + scale->frame_step * (double)visit->first;
}

static double
get_last(const Visit *visit, const Scale *scale)
{
  return scale->first_frame + scale->frame_step * (double)visit->last;
}

static double
get_frames(const Visit *visit, const Scale *scale G_GNUC_UNUSED)
{
  return (double)visit->n_frames;
}

static double
get_share(const Visit *visit, const Scale *scale)
{
  return (double)visit->n_frames / (double)scale->n;
}

static double
get_stays(const Visit *visit, const Scale *scale G_GNUC_UNUSED)
{
  return (double)visit->n_stays;
}

static double
get_mean(const Visit *visit, const Scale *scale)
{
  return scale->step * (double)visit->n_frames / (double)visit->n_stays;
}

static double
get_longest(const Visit *visit, const Scale *scale)
{
  return scale->step * (double)visit->longest;
}

static void
add_visits(const BlobsRun *run, DebyeResult *result)
{
  const DebyeDensityPlan *plan = run->plan;
  const double step = debye_frame_choice_get_time_step(&plan->frames);
  const Scale scale = {run->n_seen, step > 0.0 ? step : 1.0, step > 0.0 ? "ps" : "frames",
                       (double)plan->frames.range.first, (double)plan->frames.range.step};
  guint n_visits;
  g_autofree gpointer *keys = g_hash_table_get_keys_as_array(run->visits, &n_visits);
  Visit *const *list = (Visit *const *)keys;
  qsort(keys, n_visits, sizeof *keys, compare_visits);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < n_visits; i++)
    g_ptr_array_add(names, debye_density_describe_residue(plan->topology, list[i]->residue));
  g_ptr_array_add(names, NULL);
  g_autoptr(DebyeTable) table = debye_table_new("visits");
  add_column(table, "blob", NULL, list, n_visits, get_blob, &scale);
  debye_table_add_texts(table, &(DebyeQuantity){"residue", NULL, NULL}, (const char *const *)names->pdata);
  add_column(table, "index", NULL, list, n_visits, get_index, &scale);
  add_column(table, "first_frame", NULL, list, n_visits, get_first, &scale);
  add_column(table, "last_frame", NULL, list, n_visits, get_last, &scale);
  add_column(table, "frames", NULL, list, n_visits, get_frames, &scale);
  add_column(table, "share", NULL, list, n_visits, get_share, &scale);
  add_column(table, "stays", NULL, list, n_visits, get_stays, &scale);
  add_column(table, "mean_stay", scale.unit, list, n_visits, get_mean, &scale);
  add_column(table, "longest_stay", scale.unit, list, n_visits, get_longest, &scale);
  debye_result_add_table(result, table);
}

/* Where the blobs are: numbers of voxels, volumes, centres. */
static void
add_blobs(const BlobsRun *run, DebyeResult *result)
{
  static const DebyeQuantity quantities[] = {
      {"blob", NULL, NULL}, {"volume", NULL, "Å³"}, {"x", NULL, "Å"}, {"y", NULL, "Å"}, {"z", NULL, "Å"}};
  const DebyeGrid *grid = &run->plan->grid;
  const gsize n = grid->shape[0] * grid->shape[1] * grid->shape[2];
  const double volume = fabs(debye_vec3_dot(grid->step[0], debye_vec3_cross(grid->step[1], grid->step[2])));
  g_autofree double *columns[5] = {NULL};
  for (int k = 0; k < 5; k++)
    columns[k] = g_new0(double, MAX(run->n_blobs, 1));
  for (gsize i = 0; i < n; i++) {
    if (run->labels[i] == 0)
      continue;
    const gsize blob = run->labels[i] - 1, x = i % grid->shape[0], y = i / grid->shape[0] % grid->shape[1];
    DebyeVec3 place = debye_vec3_add(grid->origin, debye_vec3_scale(grid->step[0], (double)x));
    place = debye_vec3_add(place, debye_vec3_scale(grid->step[1], (double)y));
    place =
        debye_vec3_add(place, debye_vec3_scale(grid->step[2], (double)(i / grid->shape[0] / grid->shape[1])));
    columns[1][blob] += volume;
    columns[2][blob] += volume * place.x;
    columns[3][blob] += volume * place.y;
    columns[4][blob] += volume * place.z;
  }
  g_autoptr(DebyeTable) table = debye_table_new("blobs");
  for (gsize i = 0; i < run->n_blobs; i++) {
    columns[0][i] = (double)(i + 1);
    for (int k = 2; k < 5; k++)
      columns[k][i] /= columns[1][i];
  }
  for (int k = 0; k < 5; k++)
    debye_table_add_numbers(table, &quantities[k], run->n_blobs, columns[k]);
  debye_result_add_table(result, table);
}

/* The map without its other blobs: a surface at the level is around this one. */
static void
add_blob_map(const BlobsRun *run, DebyeResult *result)
{
  const DebyeDensityPlan *plan = run->plan;
  float *values = debye_density_regions_mask(debye_field_get_values(plan->map), run->labels,
                                             debye_density_plan_n_values(plan), plan->options.level);
  if (values == NULL)
    return;
  g_autoptr(DebyeField) field =
      debye_field_new_take("blob", &plan->grid, values, debye_field_get_unit(plan->map));
  debye_result_add_field(result, field);
}

/* Numbers of blobs, as a map: a picture colours by it. */
static void
add_map(const BlobsRun *run, DebyeResult *result)
{
  const gsize n = debye_density_plan_n_values(run->plan);
  float *values = g_try_new(float, n);
  for (gsize i = 0; values != NULL && i < n; i++)
    values[i] = (float)run->labels[i];
  if (values == NULL)
    return;
  g_autoptr(DebyeField) field = debye_field_new_take("blobs", &run->plan->grid, values, "");
  debye_result_add_field(result, field);
}

static DebyeResult *
make_result(DebyeFrameRun *frames, gpointer own)
{
  BlobsRun *run = own;
  if (frames->n_done == 0)
    return NULL;
  const gboolean is_one = run->plan->blob != NULL;
  DebyeResult *result =
      debye_result_new(run->input->request, is_one ? "Blob of a density" : "Blobs of a density");
  if (is_one)
    add_blob_map(run, result);
  else
    add_map(run, result);
  add_visits(run, result);
  add_blobs(run, result);
  const guint n_visits = g_hash_table_size(run->visits);
  if (is_one)
    debye_result_add_note(result, "Residues that were in the blob: %u", n_visits);
  else
    debye_result_add_note(result,
                          "Blobs: %" G_GSIZE_FORMAT "; pairs of a blob and a residue that was in it: %u",
                          run->n_blobs, n_visits);
  debye_frame_run_add_left_out_note(frames, result);
  return result;
}

static const DebyeFrameRunClass frames_class = {.compute = compute, .make_result = make_result};

DebyeResult *
debye_density_blobs_run(DebyeDensityPlan *plan, const DebyeRunInput *input, GError **error)
{
  g_auto(BlobsRun) run = {.input = input, .plan = plan};
  g_auto(DebyeFrameRun) frames = {.class = &frames_class,
                                  .own = &run,
                                  .input = input,
                                  .frames = &plan->frames,
                                  .max_batch = 16,
                                  .start = g_get_monotonic_time()};
  const DebyeDensitySettings settings = {
      .shape = {plan->grid.shape[0], plan->grid.shape[1], plan->grid.shape[2]}, .placing = plan->placing};
  if (!debye_density_points_init(&run.points, plan->max_points, 0, TRUE)) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "Grid spacing: no memory for so many voxels");
    return NULL;
  }
  debye_density_target_init(&run.target, &settings);
  run.n_blobs = 1;
  if (plan->blob == NULL)
    run.own_labels = debye_density_regions_label(debye_field_get_values(plan->map), plan->grid.shape,
                                                 plan->options.level, &run.n_blobs);
  run.labels = plan->blob != NULL ? plan->blob : run.own_labels;
  run.visits = g_hash_table_new_full(hash_visit, equal_visits, g_free, NULL);
  return debye_frame_run_execute(&frames, error);
}
