/* SPDX-License-Identifier: MIT */
/* Computes the map of one frame plane by plane over processes; called by the runs of maps and ions. */
#include "map_planes.h"

#include "data/files/error.h"

#define LEAST_PLANES_A_RANK 2 /* of the first part, so that every process' speed is known */
#define SHARE_INTERVAL 10.0   /* s: from one part to the next where there is no file */

void
debye_map_planes_clear(DebyeMapPlanes *planes)
{
  debye_job_blocks_clear(&planes->parts);
  g_clear_pointer(&planes->speeds, g_free);
}

static gsize
plane_points(const DebyeMapPlanes *planes)
{
  return planes->grid->shape[0] * planes->grid->shape[1];
}

/* Of a part's points to those of the map; what this process has done stands for what all have. */
static void
planes_finished(void *data, DebyeSlab slab, size_t done, size_t total)
{
  const DebyeMapPlanes *planes = data;
  const double part = (double)done / (double)total * (double)planes->parts.n_next;
  const gsize points = plane_points(planes);
  planes->finished(planes->data, slab, (gsize)(((double)planes->n_done + part) * (double)points),
                   points * planes->grid->shape[2]);
}

/* --- A part --- */

/* This process' planes. */
static DebyeStatusCode
sum_share(DebyeMapPlanes *planes, float *single, double *twice, DebyeStatus *status)
{
  const DebyeSlab slab = {planes->share.range.first, planes->share.n};
  const gint64 start = g_get_monotonic_time();
  const DebyeLaneReport *reports = NULL;
  if (slab.count == 0)
    return DEBYE_STATUS_OK;
  const DebyeStatusCode code = debye_potential_map_lanes_execute_planes(
      planes->map, slab, single, twice, planes->cancel, planes_finished, planes, status);
  const gsize n_reports = debye_sharing_get_reports(planes->map, &reports);
  debye_lane_totals_add(planes->lanes, reports, n_reports);
  planes->seconds += (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
  planes->n_own += slab.count;
  return code;
}

/* Gives every process all planes of this part. */
static void
share_values(const DebyeMapPlanes *planes, float *single, double *twice)
{
  const gsize points = plane_points(planes), first = planes->n_done * points;
  const gsize own = planes->share.range.first * points, n_own = planes->share.n * points;
  const gsize n = planes->parts.n_next * points;
  g_autofree double *values = g_new0(double, n);
  for (gsize i = own; i < own + n_own; i++)
    values[i - first] = twice != NULL ? twice[i] : (double)single[i];
  planes->input->ranks->sum(values, n);
  for (gsize i = 0; i < n; i++)
    if (twice != NULL)
      twice[first + i] = values[i];
    else
      single[first + i] = (float)values[i];
}

/* If one process was stopped, all stop. */
static void
share_part(DebyeMapPlanes *planes, float *single, double *twice, gboolean *is_stopped)
{
  double stopped = *is_stopped;
  if (!debye_ranks_are_several(planes->input->ranks))
    return;
  planes->input->ranks->sum(&stopped, 1);
  *is_stopped = stopped > 0.0;
  if (*is_stopped)
    return;
  share_values(planes, single, twice);
  g_free(planes->speeds);
  planes->speeds = debye_ranks_share_speeds(
      planes->input->ranks, planes->n_own > 0 ? (double)planes->n_own / MAX(planes->seconds, 1e-6) : 0.0);
}

static gboolean
keep(DebyeMapPlanes *planes, GError **error)
{
  DebyeJobBlocks *parts = &planes->parts;
  const gsize n_gone = parts->n_done + parts->n_next;
  planes->n_done = n_gone;
  if (parts->path == NULL ||
      (debye_ranks_are_several(planes->input->ranks) && planes->input->ranks->rank > 0)) {
    parts->n_done = n_gone;
    return TRUE;
  }
  g_autoptr(DebyeResult) result = planes->make_kept(planes->data);
  debye_result_set_partial(result, TRUE);
  debye_result_set_inputs(result, debye_dataset_get_paths(planes->input->dataset));
  debye_frame_state_save(planes->state, result);
  return debye_job_blocks_save(parts, result, error);
}

/* FALSE with an error, or without one where it was stopped. */
static gboolean
do_part(DebyeMapPlanes *planes, gsize n, float *single, double *twice, GError **error)
{
  const DebyeFrameRange part = {.first = planes->n_done, .last = planes->n_done + n - 1, .step = 1};
  DebyeStatus status = {0};
  planes->share = debye_ranks_get_share(planes->input->ranks, planes->speeds, &part, n);
  const DebyeStatusCode code = sum_share(planes, single, twice, &status);
  gboolean is_stopped = code == DEBYE_STATUS_CANCELLED;
  if (code != DEBYE_STATUS_OK && !is_stopped)
    return debye_device_set_error(error, &status);
  share_part(planes, single, twice, &is_stopped);
  return !is_stopped && keep(planes, error);
}

/* --- The whole --- */

static void
begin(DebyeMapPlanes *planes)
{
  DebyeJobBlocks *parts = &planes->parts;
  planes->n_earlier = planes->n_done;
  debye_job_blocks_begin(parts, planes->input, planes->job, "planes", planes->grid->shape[2], planes->n_done,
                         TRUE);
  if (!debye_ranks_are_several(planes->input->ranks))
    return;
  parts->is_shared = TRUE;
  parts->n_first = LEAST_PLANES_A_RANK * planes->input->ranks->n_ranks;
  if (parts->path == NULL)
    parts->interval = SHARE_INTERVAL;
}

gboolean
debye_map_planes_sum(DebyeMapPlanes *planes, const DebyePotentialFrame *frame, float *single, double *twice,
                     GError **error)
{
  g_autoptr(GError) problem = NULL;
  gboolean is_summed = TRUE;
  begin(planes);
  debye_potential_map_lanes_set_frame(planes->map, frame);
  for (gsize n; is_summed && (n = debye_job_blocks_next(&planes->parts)) > 0;)
    is_summed = do_part(planes, n, single, twice, &problem);
  if (!is_summed && problem == NULL && planes->parts.path != NULL && planes->n_done > 0)
    debye_job_blocks_set_stopped(&planes->parts, &problem);
  if (problem != NULL)
    g_propagate_error(error, g_steal_pointer(&problem));
  return is_summed;
}

/* --- The file --- */

gboolean
debye_map_planes_open_file(DebyeMapPlanes *planes, DebyeResult **finished, GError **error)
{
  g_autoptr(DebyeResult) found = NULL;
  gboolean is_other;
  if (planes->job == NULL)
    return TRUE;
  if (!debye_job_file_open(planes->job, NULL, planes->input, &found, error))
    return FALSE;
  if (found == NULL)
    return TRUE;
  if (!debye_job_file_is_begun(found)) {
    *finished = g_steal_pointer(&found);
    return TRUE;
  }
  if (debye_frame_state_load(planes->state, found, &is_other) != NULL)
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, "Continue",
                                 "the file holds a map of another grid or precision than this job makes: "
                                 "expected one that this version of the program began");
  return TRUE;
}

gboolean
debye_map_planes_close_file(DebyeMapPlanes *planes, DebyeResult *result, GError **error)
{
  return planes->parts.path == NULL ||
         (debye_ranks_are_several(planes->input->ranks) && planes->input->ranks->rank > 0) ||
         debye_job_blocks_save(&planes->parts, result, error);
}

void
debye_map_planes_add_notes(const DebyeMapPlanes *planes, DebyeResult *result)
{
  if (planes->n_earlier > 0)
    debye_result_add_note(result,
                          "Continued: the map in %" G_GUINT64_FORMAT " of %" G_GSIZE_FORMAT
                          " planes is from an earlier run",
                          planes->n_earlier, planes->grid->shape[2]);
  if (!debye_ranks_are_several(planes->input->ranks))
    return;
  debye_result_add_note(result, "Planes of the map were shared by %u processes",
                        planes->input->ranks->n_ranks);
  debye_lane_totals_add_process_notes(planes->lanes, planes->input->ranks, planes->n_own, "planes",
                                      planes->seconds, result);
}
