/* SPDX-License-Identifier: MIT */
/* Computes the maps of orbitals part by part over processes; called by orbital_run.c. */
#include "orbital_maps.h"

#include <string.h>

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/job_file.h"
#include "data/files/error.h"

#define LEAST_PLANES_A_RANK 2 /* of the first part, so that every process' speed is known */
#define SHARE_INTERVAL 10.0   /* s: from one part to the next where there is no file */
#define FIRST_PLANES \
  32 /* the potential's planes over its first part: what a plane takes isn't known before */

void
debye_orbital_maps_clear(DebyeOrbitalMaps *maps)
{
  debye_job_blocks_clear(&maps->parts);
  debye_frame_state_clear(&maps->state);
  g_clear_pointer(&maps->values, g_ptr_array_unref);
  g_clear_pointer(&maps->speeds, g_free);
  g_clear_pointer(&maps->earlier_devices, g_ptr_array_unref);
}

static gsize
n_planes(const DebyeOrbitalMaps *maps)
{
  return maps->plan->grid.shape[2];
}

static gsize
plane_points(const DebyeOrbitalMaps *maps)
{
  return maps->plan->grid.shape[0] * maps->plan->grid.shape[1];
}

static const DebyeOrbitalMap *
get_map(const DebyeOrbitalMaps *maps, guint number)
{
  return &g_array_index(maps->plan->maps, DebyeOrbitalMap, number);
}

/* The potential is the last map, if it is one. */
static guint
count_whole(const DebyeOrbitalMaps *maps)
{
  const guint n = maps->plan->maps->len;
  return get_map(maps, n - 1)->kind == DEBYE_ORBITAL_MAP_POTENTIAL ? n - 1 : n;
}

/* --- A part --- */

static gboolean
compute(DebyeOrbitalMaps *maps, guint map, gsize first, gsize n, GError **error)
{
  const gint64 start = g_get_monotonic_time();
  const gboolean is_computed =
      n == 0 || maps->compute(maps->data, map, first, n, maps->values->pdata[map], error);
  maps->seconds += (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
  maps->n_own += n;
  return is_computed;
}

/* If one process was stopped, all stop. */
static gboolean
go_on(const DebyeOrbitalMaps *maps, gboolean is_computed, GError **error)
{
  double stopped = !is_computed;
  if (!debye_ranks_are_several(maps->input->ranks))
    return is_computed;
  if (!is_computed && error != NULL && !g_error_matches(*error, DEBYE_ERROR, DEBYE_ERROR_STOPPED))
    return FALSE;
  maps->input->ranks->sum(&stopped, 1);
  if (stopped > 0.0 && is_computed)
    debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
  return stopped == 0.0;
}

/* Gives every process these planes of a map; this one has n_own of them, from `own` on. */
static void
share(const DebyeOrbitalMaps *maps, guint map, gsize first, gsize n, gsize own, gsize n_own)
{
  const gsize points = plane_points(maps);
  float *values = maps->values->pdata[map];
  g_autofree double *all = g_new0(double, n *points);
  for (gsize i = own * points; i < (own + n_own) * points; i++)
    all[i - first * points] = (double)values[i];
  maps->input->ranks->sum(all, n * points);
  for (gsize i = 0; i < n * points; i++)
    values[first * points + i] = (float)all[i];
}

static gboolean
do_maps(DebyeOrbitalMaps *maps, guint first, guint n, GError **error)
{
  const DebyeRanks *ranks = maps->input->ranks;
  const guint n_ranks = debye_ranks_are_several(maps->input->ranks) ? ranks->n_ranks : 1,
              rank = n_ranks > 1 ? ranks->rank : 0;
  gboolean is_computed = TRUE;
  for (guint i = first + rank; is_computed && i < first + n; i += n_ranks)
    is_computed = compute(maps, i, 0, n_planes(maps), error);
  if (!go_on(maps, is_computed, error))
    return FALSE;
  for (guint i = first; n_ranks > 1 && i < first + n; i++)
    share(maps, i, 0, n_planes(maps), 0, (i - first) % n_ranks == rank ? n_planes(maps) : 0);
  return TRUE;
}

static gboolean
do_planes(DebyeOrbitalMaps *maps, guint map, gsize first, gsize n, GError **error)
{
  const DebyeFrameRange range = {.first = first, .last = first + n - 1, .step = 1};
  const DebyeRankShare own = debye_ranks_get_share(maps->input->ranks, maps->speeds, &range, n);
  const gsize before = maps->n_own;
  const double seconds = maps->seconds;
  if (!go_on(maps, compute(maps, map, own.range.first, own.n, error), error))
    return FALSE;
  if (!debye_ranks_are_several(maps->input->ranks))
    return TRUE;
  share(maps, map, first, n, own.range.first, own.n);
  g_free(maps->speeds);
  maps->speeds = debye_ranks_share_speeds(
      maps->input->ranks,
      own.n > 0 ? (double)(maps->n_own - before) / MAX(maps->seconds - seconds, 1e-6) : 0.0);
  return TRUE;
}

/* --- The whole --- */

static void
add_field(const DebyeOrbitalMaps *maps, guint number, DebyeResult *result)
{
  const DebyeOrbitalMap *map = get_map(maps, number);
  float *values =
      g_memdup2(maps->values->pdata[number], plane_points(maps) * n_planes(maps) * sizeof *values);
  g_autoptr(DebyeField) field =
      debye_field_new_take(map->name, &maps->plan->grid, values, debye_orbital_map_get_unit(map->kind));
  debye_result_add_field(result, field);
}

/* What is whole as maps; what the potential has so far in the list of the state. */
static gboolean
keep(DebyeOrbitalMaps *maps, GError **error)
{
  DebyeJobBlocks *parts = &maps->parts;
  maps->n_done += parts->n_next;
  if (parts->path == NULL || (debye_ranks_are_several(maps->input->ranks) && maps->input->ranks->rank > 0) ||
      maps->n_done == parts->n_all) {
    parts->n_done = maps->n_done;
    return TRUE;
  }
  g_autoptr(DebyeResult) result = debye_result_new(maps->input->request, "Orbitals");
  for (guint i = 0; i < MIN(maps->n_done / n_planes(maps), count_whole(maps)); i++)
    add_field(maps, i, result);
  debye_orbital_maps_add_devices(maps, result);
  debye_result_set_partial(result, TRUE);
  debye_result_set_inputs(result, debye_dataset_get_paths(maps->input->dataset));
  debye_frame_state_save(&maps->state, result);
  return debye_job_blocks_save(parts, result, error);
}

/* Of the potential, whose first part in a run is small: what came before were whole maps, which tell nothing of it. */
static gsize
limit_planes(DebyeOrbitalMaps *maps, gsize n)
{
  if (maps->has_planes || (maps->parts.path == NULL && !maps->parts.is_shared))
    return n;
  maps->has_planes = TRUE;
  maps->parts.n_next = MIN(n, MAX(MAX(n_planes(maps) / FIRST_PLANES, maps->parts.n_first), 1));
  return maps->parts.n_next;
}

/* Whole maps, one for each process at least, or planes of the potential. */
static gboolean
do_next(DebyeOrbitalMaps *maps, gsize n, GError **error)
{
  const gsize n_whole = count_whole(maps), n_gone = maps->n_done / n_planes(maps);
  const gsize n_ranks = debye_ranks_are_several(maps->input->ranks) ? maps->input->ranks->n_ranks : 1;
  if (n_gone >= n_whole)
    return do_planes(maps, (guint)n_whole, maps->n_done - n_whole * n_planes(maps), limit_planes(maps, n),
                     error);
  n = MIN(MAX(n / n_planes(maps), n_ranks), n_whole - n_gone);
  maps->parts.n_next = n * n_planes(maps);
  return do_maps(maps, (guint)n_gone, (guint)n, error);
}

gboolean
debye_orbital_maps_compute(DebyeOrbitalMaps *maps, GError **error)
{
  g_autoptr(GError) problem = NULL;
  for (gsize n; (n = debye_job_blocks_next(&maps->parts)) > 0;) {
    if (do_next(maps, n, &problem) && keep(maps, &problem))
      continue;
    if (maps->parts.path != NULL && g_error_matches(problem, DEBYE_ERROR, DEBYE_ERROR_STOPPED)) {
      g_clear_error(&problem);
      debye_job_blocks_set_stopped(&maps->parts, &problem);
    }
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
  }
  return TRUE;
}

/* --- The file --- */

static void
begin(DebyeOrbitalMaps *maps)
{
  DebyeJobBlocks *parts = &maps->parts;
  const gsize n_all = maps->plan->points == NULL ? maps->plan->maps->len * n_planes(maps) : 0;
  debye_job_blocks_begin(parts, maps->input, &maps->plan->settings.job, "planes", n_all, 0, TRUE);
  if (!debye_ranks_are_several(maps->input->ranks))
    return;
  parts->is_shared = TRUE;
  parts->n_first = LEAST_PLANES_A_RANK * maps->input->ranks->n_ranks;
  if (parts->path == NULL)
    parts->interval = SHARE_INTERVAL;
}

/* Of maps that aren't computed again. */
static void
take_devices(DebyeOrbitalMaps *maps, DebyeResult *found)
{
  GPtrArray *notes = debye_result_get_notes(found);
  maps->earlier_devices = g_ptr_array_new_with_free_func((GDestroyNotify)debye_note_free);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    if (note->kind == DEBYE_NOTE_DEVICE)
      g_ptr_array_add(maps->earlier_devices, debye_note_copy(note));
  }
}

/* The number of planes, with the values of all whole maps. FALSE where the file hasn't got them. */
static gboolean
take_maps(DebyeOrbitalMaps *maps, DebyeResult *found)
{
  const gsize n_points = plane_points(maps) * n_planes(maps);
  GListModel *fields = debye_result_get_fields(found);
  const guint n = (guint)MIN(maps->n_done / n_planes(maps), count_whole(maps));
  for (guint i = 0; i < n; i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    if (field == NULL || debye_grid_n_points(debye_field_get_grid(field)) != n_points)
      return FALSE;
    memcpy(maps->values->pdata[i], debye_field_get_values(field), n_points * sizeof(float));
  }
  take_devices(maps, found);
  return maps->n_done <= maps->values->len * n_planes(maps);
}

static gboolean
make_room(DebyeOrbitalMaps *maps, GError **error)
{
  const gsize n_points = plane_points(maps) * n_planes(maps);
  const guint n_whole = count_whole(maps);
  maps->values = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < maps->plan->maps->len; i++) {
    float *values = g_try_new0(float, n_points);
    if (values == NULL)
      return debye_error_set_memory(error, NULL, n_points, "points of a map");
    g_ptr_array_add(maps->values, values);
  }
  debye_frame_state_add_counts(&maps->state, "planes", DEBYE_STATE_KEPT, &maps->n_done, 1);
  if (n_whole < maps->values->len)
    debye_frame_state_add_floats(&maps->state, "potential", maps->values->pdata[n_whole], n_points);
  return TRUE;
}

/* A file of points keeps its name when its content changes. */
static gboolean
check_points(const DebyeOrbitalMaps *maps, DebyeResult *finished, GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  const GArray *points = maps->plan->points;
  gboolean is_same = TRUE;
  for (int axis = 0; axis < 3 && is_same; axis++) {
    gsize n;
    const double *column = debye_job_file_find_column(finished, DEBYE_ORBITAL_POINTS, axes[axis], &n);
    is_same = n == points->len;
    for (gsize i = 0; i < n && is_same; i++)
      is_same = column[i] == (&g_array_index(points, DebyeVec3, i).x)[axis];
  }
  return is_same ||
         debye_error_set_about(
             error, DEBYE_ERROR_MISMATCH, "Continue",
             "the earlier result is of other points than the file of this job has now, expected the same "
             "points in the same order");
}

gboolean
debye_orbital_maps_open(DebyeOrbitalMaps *maps, DebyeResult **finished, GError **error)
{
  g_autoptr(DebyeResult) found = NULL;
  gboolean is_other;
  begin(maps);
  debye_frame_state_init(&maps->state);
  if ((maps->plan->points == NULL && !make_room(maps, error)) ||
      !debye_job_file_open(&maps->plan->settings.job, NULL, maps->input, &found, error))
    return FALSE;
  if (found != NULL && !debye_job_file_is_begun(found)) {
    if (maps->plan->points != NULL && !check_points(maps, found, error))
      return FALSE;
    *finished = g_steal_pointer(&found);
  } else if (found != NULL &&
             (debye_frame_state_load(&maps->state, found, &is_other) != NULL || !take_maps(maps, found))) {
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, "Continue",
                                 "the file holds a map of another grid or precision than this job makes: "
                                 "expected one that this version of the program began");
  }
  maps->n_earlier = maps->parts.n_done = maps->n_done;
  return TRUE;
}

gboolean
debye_orbital_maps_close(DebyeOrbitalMaps *maps, DebyeResult *result, GError **error)
{
  return maps->parts.path == NULL ||
         (debye_ranks_are_several(maps->input->ranks) && maps->input->ranks->rank > 0) ||
         debye_job_blocks_save(&maps->parts, result, error);
}

void
debye_orbital_maps_add_devices(const DebyeOrbitalMaps *maps, DebyeResult *result)
{
  const DebyeDeviceInfo *own = maps->used != NULL ? &maps->used->info : NULL;
  for (guint i = 0; maps->earlier_devices != NULL && i < maps->earlier_devices->len; i++) {
    const DebyeNote *note = g_ptr_array_index(maps->earlier_devices, i);
    if (own == NULL || g_strcmp0(note->about, own->id) != 0)
      debye_result_take_note(result, debye_note_copy(note));
  }
  if (own != NULL)
    debye_result_add_note_of(result, DEBYE_NOTE_DEVICE, own->id, "Computed on %s (%s)", own->id, own->name);
}

void
debye_orbital_maps_add_notes(const DebyeOrbitalMaps *maps, DebyeResult *result)
{
  const DebyeDeviceEntry *device = maps->used;
  DebyeLaneTotals totals = {.n_lanes = device != NULL ? 1 : 0};
  if (maps->n_earlier > 0)
    debye_result_add_note(result,
                          "Continued: the map in %" G_GUINT64_FORMAT " of %" G_GSIZE_FORMAT
                          " planes is from an earlier run",
                          maps->n_earlier, maps->parts.n_all);
  if (!debye_ranks_are_several(maps->input->ranks))
    return;
  if (device != NULL) {
    g_strlcpy(totals.lanes[0].id, device->info.id, sizeof totals.lanes[0].id);
    g_strlcpy(totals.lanes[0].device, device->info.name, sizeof totals.lanes[0].device);
  }
  debye_result_add_note(result, "Planes of the map were shared by %u processes", maps->input->ranks->n_ranks);
  debye_lane_totals_add_process_notes(&totals, maps->input->ranks, maps->n_own, "planes", maps->seconds,
                                      result);
}
