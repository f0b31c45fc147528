/* SPDX-License-Identifier: MIT */
/* The incoherent part of intermediate_scattering.h by vectors, called by scattering_dynamic.c: the positions
 * of as many atoms as memory allows, at all times, pass by pass. */
#include <math.h>

#include "kernels/scattering/scattering_self_lanes.h"
#include "intermediate_scattering.h"
#include "scattering_positions.h"

typedef struct {
  DebyeIntermediateScattering *scattering;
  DebyeSharing *kernel;
} ByVectors;

/* This process' atoms. */
static gsize
count_atoms(const DebyeIntermediateScattering *scattering)
{
  gsize first, end;
  debye_intermediate_scattering_share(scattering, debye_scattering_n_entries(&scattering->groups), &first,
                                      &end);
  return end - first;
}

/* Counts a block of atoms in. */
static gboolean
add_block(ByVectors *by, const DebyeSelfBlock *block, GError **error)
{
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = debye_self_lanes_execute(
      by->kernel, block, debye_intermediate_scattering_get_cancel(by->scattering), NULL, NULL, &status);
  gsize n_reports = debye_sharing_get_reports(by->kernel, &reports);
  debye_lane_totals_add(by->scattering->lanes, reports, n_reports);
  return debye_device_check(code, &status, error);
}

/* f of an atom goes with b², as an amplitude with b; its squared mean with the square of that. */
static void
collect(const ByVectors *by, DebyeScatteringSignals *signals)
{
  const DebyeScatteringPlan *plan = by->scattering->plan;
  g_auto(DebyeVectorRows) rows = {0};
  gsize n_times = signals->n_times, first_own = debye_scattering_first_own_partial(plan);
  debye_vector_rows_init(&rows, plan);
  for (guint v = 0; v < plan->vectors.vectors->len; v++)
    for (guint s = 0; s < plan->scatterers.species->len; s++) {
      const double *f = debye_self_lanes_get_f(by->kernel, v, s);
      double squared = debye_scatterers_incoherent(&plan->scatterers, s);
      double weight = by->scattering->signal == DEBYE_SIGNAL_PLAIN ? sqrt(squared) : squared;
      double complex *fqt = signals->fqt + (gsize)rows.row[v] * n_times;
      double mean[2];
      debye_signal_mean(f, n_times, mean);
      for (gsize t = 0; t < n_times; t++)
        fqt[t] += rows.share[v] * weight * (f[2 * t] + (rows.both[v] ? 0.0 : I * f[2 * t + 1]));
      signals->fq[rows.row[v]] += rows.share[v] * weight * (mean[0] + (rows.both[v] ? 0.0 : I * mean[1]));
      signals->fq2[rows.row[v]] +=
          rows.share[v] * weight * weight * debye_self_lanes_get_fq2(by->kernel, v, s);
      if (signals->n_partials > 0)
        debye_scattering_signals_add_partial(signals,
                                             first_own + debye_scatterers_get(&plan->scatterers, s)->part,
                                             rows.row[v], f, rows.share[v] * weight);
    }
}

static gboolean
open_scattering(ByVectors *by, gsize *capacity, GError **error)
{
  const DebyeIntermediateScattering *scattering = by->scattering;
  const DebyeScatteringPlan *plan = scattering->plan;
  DebyeSelfLanesSettings settings = {.self = {.signal = scattering->signal,
                                              .n_frames = plan->frames.n_frames,
                                              .vectors = (const DebyeVec3 *)plan->vectors.vectors->data,
                                              .n_vectors = plan->vectors.vectors->len,
                                              .n_groups = scattering->groups.n_groups,
                                              .elastic = true,
                                              .double_precision = plan->double_precision},
                                     .memory_limit = plan->memory_limit};
  DebyeStatus status = {0};
  if (debye_self_lanes_pass_atoms(&settings, scattering->devices, scattering->n_devices,
                                  count_atoms(scattering), capacity, &status) == DEBYE_STATUS_OK) {
    settings.self.max_atoms = *capacity;
    debye_self_lanes_create(&settings, scattering->devices, scattering->n_devices, &by->kernel, &status);
  }
  return by->kernel != NULL || debye_device_set_error(error, &status);
}

/* Pass by pass, all of this process' atoms. */
static gboolean
add_atoms(ByVectors *by, gsize capacity, GError **error)
{
  g_auto(DebyeScatteringPositions) positions = {0};
  gsize first, end;
  debye_intermediate_scattering_share(by->scattering, debye_scattering_n_entries(&by->scattering->groups),
                                      &first, &end);
  if (!debye_scattering_positions_init(&positions, by->scattering, capacity, error))
    return FALSE;
  by->scattering->n_passes += (end - first + capacity - 1) / capacity - 1;
  for (gsize n; first < end; first += n) {
    n = MIN(capacity, end - first);
    if (!debye_scattering_positions_read(&positions, first, 1, n, error))
      return FALSE;
    const DebyeSelfBlock block = debye_scattering_positions_get(&positions, 0, n);
    if (!add_block(by, &block, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_intermediate_scattering_compute_self(DebyeIntermediateScattering *scattering,
                                           DebyeScatteringSignals *signals, GError **error)
{
  ByVectors by = {.scattering = scattering};
  gsize capacity = 0;
  /* There may be more processes than atoms. */
  if (count_atoms(scattering) > 0) {
    gboolean good = open_scattering(&by, &capacity, error) && add_atoms(&by, capacity, error);
    if (good)
      collect(&by, signals);
    debye_sharing_free(by.kernel);
    if (!good)
      return FALSE;
  }
  debye_scattering_signals_share(signals, scattering->input->ranks);
  return TRUE;
}
