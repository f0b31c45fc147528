/* SPDX-License-Identifier: MIT */
/* The incoherent part in time by vectors, see scattering_course.h: the places of as many atoms as memory
 * allows, at all times, pass by pass. */
#include <math.h>

#include "kernels/scattering/scattering_self_lanes.h"
#include "scattering_course.h"
#include "scattering_places.h"

typedef struct {
  DebyeScatteringCourse *course;
  DebyeSelfLanes *scattering;
} ByVectors;

/* This process' atoms. */
static gsize
count_atoms(const DebyeScatteringCourse *course)
{
  gsize first, end;
  debye_scattering_course_share(course, debye_scattering_n_entries(&course->groups), &first, &end);
  return end - first;
}

/* Counts a block of atoms in. */
static gboolean
add_block(ByVectors *by, const DebyeSelfBlock *block, GError **error)
{
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = debye_self_lanes_execute(
      by->scattering, block, debye_scattering_course_get_cancel(by->course), NULL, NULL, &status);
  gsize n_reports = debye_self_lanes_get_reports(by->scattering, &reports);
  debye_lane_totals_add(by->course->lanes, reports, n_reports);
  if (code != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return code == DEBYE_STATUS_OK;
}

/* f of an atom goes with b², as an amplitude with b; its squared mean with the square of that. */
static void
collect(const ByVectors *by, DebyeScatteringSignals *signals)
{
  const DebyeScatteringPlan *plan = by->course->plan;
  g_auto(DebyeVectorRows) rows = {0};
  gsize n_times = signals->n_times, first_own = debye_scattering_first_own_partial(plan);
  debye_vector_rows_init(&rows, plan);
  for (guint v = 0; v < plan->vectors.vectors->len; v++)
    for (guint s = 0; s < plan->scatterers.species->len; s++) {
      const double *f = debye_self_lanes_get_f(by->scattering, v, s);
      double squared = debye_scatterers_incoherent(&plan->scatterers, s);
      double weight = by->course->signal == DEBYE_SIGNAL_PLAIN ? sqrt(squared) : squared;
      double complex *fqt = signals->fqt + (gsize)rows.row[v] * n_times;
      double mean[2];
      debye_signal_mean(f, n_times, mean);
      for (gsize t = 0; t < n_times; t++)
        fqt[t] += rows.share[v] * weight * (f[2 * t] + (rows.both[v] ? 0.0 : I * f[2 * t + 1]));
      signals->fq[rows.row[v]] += rows.share[v] * weight * (mean[0] + (rows.both[v] ? 0.0 : I * mean[1]));
      signals->fq2[rows.row[v]] +=
          rows.share[v] * weight * weight * debye_self_lanes_get_fq2(by->scattering, v, s);
      if (signals->n_partials > 0)
        debye_scattering_signals_add_partial(signals,
                                             first_own + debye_scatterers_get(&plan->scatterers, s)->part,
                                             rows.row[v], f, rows.share[v] * weight);
    }
}

static gboolean
open_scattering(ByVectors *by, gsize *most, GError **error)
{
  const DebyeScatteringCourse *course = by->course;
  const DebyeScatteringPlan *plan = course->plan;
  DebyeSelfLanesSettings settings = {.self = {.signal = course->signal,
                                              .n_frames = plan->frames.n_frames,
                                              .vectors = (const DebyeVec3 *)plan->vectors.vectors->data,
                                              .n_vectors = plan->vectors.vectors->len,
                                              .n_groups = course->groups.n_groups,
                                              .elastic = true,
                                              .double_precision = plan->double_precision},
                                     .memory_limit = plan->memory_limit};
  DebyeStatus status = {0};
  if (debye_self_lanes_pass_atoms(&settings, course->devices, course->n_devices, count_atoms(course), most,
                                  &status) == DEBYE_STATUS_OK) {
    settings.self.max_atoms = *most;
    debye_self_lanes_create(&settings, course->devices, course->n_devices, &by->scattering, &status);
  }
  if (by->scattering == NULL)
    debye_device_set_error(error, &status);
  return by->scattering != NULL;
}

/* Pass by pass, all of this process' atoms. */
static gboolean
add_atoms(ByVectors *by, gsize most, GError **error)
{
  g_auto(DebyeScatteringPlaces) places = {0};
  gsize first, end;
  debye_scattering_course_share(by->course, debye_scattering_n_entries(&by->course->groups), &first, &end);
  if (!debye_scattering_places_init(&places, by->course, most, error))
    return FALSE;
  by->course->n_passes += (end - first + most - 1) / most - 1;
  for (gsize n; first < end; first += n) {
    n = MIN(most, end - first);
    if (!debye_scattering_places_read(&places, first, 1, n, error))
      return FALSE;
    const DebyeSelfBlock block = debye_scattering_places_get(&places, 0, n);
    if (!add_block(by, &block, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_scattering_course_self(DebyeScatteringCourse *course, DebyeScatteringSignals *signals, GError **error)
{
  ByVectors by = {.course = course};
  gsize most = 0;
  /* There may be more processes than atoms. */
  if (count_atoms(course) > 0) {
    gboolean good = open_scattering(&by, &most, error) && add_atoms(&by, most, error);
    if (good)
      collect(&by, signals);
    debye_self_lanes_destroy(by.scattering);
    if (!good)
      return FALSE;
  }
  debye_scattering_signals_share(signals, course->input->ranks);
  return TRUE;
}
