/* SPDX-License-Identifier: MIT */
/* The coherent part of intermediate_scattering.h, called by scattering_dynamic.c: the amplitudes of as many
 * vectors as memory allows, at all times, pass by pass. */
#include <string.h>

#include "data/files/error.h"
#include "kernels/scattering/scattering_amplitude_lanes.h"
#include "scattering_correlation.h"
#include "intermediate_scattering.h"
#include "app/analysis/scattering/intensity/scattering_fold.h"
#include "scattering_lattice_amplitudes.h"
#include "scattering_pass.h"

typedef struct {
  DebyeIntermediateScattering *scattering;
  DebyeSharing *amplitudes;
  DebyeLatticeAmplitudes *lattice; /* in their place where the transform is less work */
  gsize first, n;                  /* of the pass: vectors */
  gsize n_series;                  /* of a vector: one, or with partials one a species */
  double complex *series;          /* [series][vector][time] */
  double complex *weights;         /* [species][vector] of the pass */
  double complex *values;          /* [frame][species][vector] */
  DebyeFrame *held[DEBYE_SCATTERING_PASS_FRAMES];
  gsize n_held, max_held, n_done;
  gboolean may_be_packed; /* they, each for itself */
} Coherent;

static void
let_frames_go(Coherent *coherent)
{
  for (gsize i = 0; i < coherent->n_held; i++)
    debye_frame_unref(coherent->held[i]);
  coherent->n_held = 0;
}

static void
coherent_clear(Coherent *coherent)
{
  let_frames_go(coherent);
  debye_sharing_free(coherent->amplitudes);
  g_clear_pointer(&coherent->lattice, debye_lattice_amplitudes_free);
  g_free(coherent->series);
  g_free(coherent->weights);
  g_free(coherent->values);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Coherent, coherent_clear)

/* This process' vectors; of a transform all. */
static void
find_vectors(const DebyeIntermediateScattering *scattering, gsize *first, gsize *end)
{
  *end = scattering->plan->vectors.vectors->len;
  *first = 0;
  if (!scattering->by_transform)
    debye_intermediate_scattering_share(scattering, *end, first, end);
}

gsize
debye_intermediate_scattering_count_coherent_passes(const DebyeIntermediateScattering *scattering)
{
  gsize n = debye_scattering_pass_vectors(scattering->plan, scattering->signal), first, end;
  find_vectors(scattering, &first, &end);
  return (end - first + n - 1) / n;
}

static gboolean
open_amplitudes(Coherent *coherent, gsize n, GError **error)
{
  const DebyeIntermediateScattering *scattering = coherent->scattering;
  DebyeStatus status = {0};
  const DebyeAmplitudeLanesSettings settings = {
      .amplitude = {.n_atoms = debye_topology_get_n_atoms(scattering->plan->topology),
                    .groups = scattering->groups,
                    .max_vectors = n,
                    .max_frames = coherent->max_held,
                    .may_be_packed = coherent->may_be_packed,
                    .double_precision = scattering->plan->double_precision},
      .memory_limit = scattering->plan->memory_limit};
  if (debye_amplitude_lanes_create(&settings, scattering->devices, scattering->n_devices,
                                   &coherent->amplitudes, &status) == DEBYE_STATUS_OK)
    return TRUE;
  return debye_device_set_error(error, &status);
}

static gboolean
coherent_open(Coherent *coherent, GError **error)
{
  const DebyeIntermediateScattering *scattering = coherent->scattering;
  gsize n_species = scattering->groups.n_groups,
        n = debye_scattering_pass_vectors(scattering->plan, scattering->signal);
  coherent->max_held = debye_scattering_pass_frames(scattering->plan);
  coherent->may_be_packed = debye_scattering_frames_may_be_packed(scattering->frames, scattering->plan,
                                                                  scattering->devices, scattering->n_devices);
  coherent->n_series = debye_scattering_pass_series(scattering->plan, scattering->signal);
  coherent->series = g_try_new(double complex, coherent->n_series *n * scattering->plan->frames.n_frames);
  coherent->weights = g_try_new(double complex, n_species *n);
  coherent->values = g_try_new(double complex, coherent->max_held *n_species *n);
  if (coherent->series != NULL && coherent->weights != NULL && coherent->values != NULL)
    return scattering->by_transform || open_amplitudes(coherent, n, error);
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "In time",
                               "no memory for the amplitudes of %" G_GSIZE_FORMAT
                               " frames at %" G_GSIZE_FORMAT
                               " vectors: expected a smaller memory limit, which takes more passes",
                               scattering->plan->frames.n_frames, n);
}

/* Weights follow the length of the vectors, which in a cell that breathes changes a little: those of the
 * plan. */
static void
weigh_vectors(Coherent *coherent)
{
  const DebyeScatteringPlan *plan = coherent->scattering->plan;
  for (guint s = 0; s < coherent->scattering->groups.n_groups; s++)
    for (gsize v = 0; v < coherent->n; v++) {
      DebyeVec3 q = g_array_index(plan->vectors.vectors, DebyeVec3, coherent->first + v);
      coherent->weights[s * coherent->n + v] =
          debye_scatterers_coherent(&plan->scatterers, s, debye_vec3_length(q));
    }
}

/* a(t) = Σ_s w_s A_s(t) of a frame, or each species' part. */
static void
weigh_frame(Coherent *coherent, const double complex *values, gsize time)
{
  gsize n_times = coherent->scattering->plan->frames.n_frames, n = coherent->n;
  for (gsize v = 0; v < n; v++) {
    double complex sum = 0.0;
    for (gsize s = 0; s < coherent->scattering->groups.n_groups; s++) {
      double complex part = coherent->weights[s * n + v] * values[s * n + v];
      if (coherent->n_series > 1)
        coherent->series[(s * n + v) * n_times + time] = part;
      sum += part;
    }
    if (coherent->n_series == 1)
      coherent->series[v * n_times + time] = sum;
  }
}

static gboolean
compute_held(Coherent *coherent, const DebyeVec3 *vectors, GError **error)
{
  const DebyeIntermediateScattering *scattering = coherent->scattering;
  DebyeScatteringFrame positions[DEBYE_SCATTERING_PASS_FRAMES];
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  gsize bad = 0;
  for (gsize i = 0; i < coherent->n_held; i++)
    positions[i] = debye_scattering_view_frame(coherent->held[i]);
  if (coherent->lattice != NULL)
    return debye_lattice_amplitudes_execute(coherent->lattice, &positions[0], coherent->values, error);
  DebyeStatusCode code = debye_amplitude_lanes_execute(
      coherent->amplitudes, vectors + coherent->first, coherent->n, positions, coherent->n_held,
      (double *)coherent->values, &bad, debye_intermediate_scattering_get_cancel(scattering), &status);
  gsize n_reports = debye_sharing_get_reports(coherent->amplitudes, &reports);
  debye_lane_totals_add(scattering->lanes, reports, n_reports);
  return debye_device_check(code, &status, error);
}

static gboolean
sum_held(Coherent *coherent, GError **error)
{
  const DebyeScatteringPlan *plan = coherent->scattering->plan;
  gsize n_values = coherent->scattering->groups.n_groups * coherent->n;
  g_autofree DebyeVec3 *vectors = debye_scattering_plan_get_vectors(plan, coherent->held[0]);
  if (!compute_held(coherent, vectors, error))
    return FALSE;
  for (gsize i = 0; i < coherent->n_held; i++) {
    const DebyeAmplitudeRun run = {
        .first = coherent->first, .n = coherent->n, .amplitudes = coherent->values + i * n_values};
    if (plan->corrects_box)
      debye_scattering_correct_box(plan, &coherent->held[i]->cell, vectors, &run);
    weigh_frame(coherent, run.amplitudes, coherent->n_done + i);
  }
  coherent->n_done += coherent->n_held;
  let_frames_go(coherent);
  return TRUE;
}

/* A transform serves all vectors: then processes share frames. */
static gboolean
is_ours(const Coherent *coherent, gsize time)
{
  gsize first, end;
  debye_intermediate_scattering_share(coherent->scattering, coherent->scattering->plan->frames.n_frames,
                                      &first, &end);
  return !coherent->scattering->by_transform || (time >= first && time < end);
}

static gboolean
do_frame(gpointer data, DebyeFrame *frame, gsize time, GError **error)
{
  Coherent *coherent = data;
  if (!is_ours(coherent, time)) {
    coherent->n_done++;
    return TRUE;
  }
  DebyeFrame *own = coherent->scattering->plan->corrects_box ? debye_scattering_wrap_frame(frame, error)
                                                             : debye_frame_ref(frame);
  if (own == NULL)
    return FALSE;
  coherent->held[coherent->n_held++] = own;
  gboolean is_last = time + 1 == coherent->scattering->plan->frames.n_frames;
  return (coherent->n_held < coherent->max_held && !is_last) || sum_held(coherent, error);
}

/* The series of a pass are of the frames of one process: each gets all of them, and correlates a part. */
static void
share_series(Coherent *coherent, DebyeVectorSeries *series)
{
  const DebyeRanks *ranks = coherent->scattering->input->ranks;
  gsize first, end, n_values = coherent->n * coherent->scattering->plan->frames.n_frames;
  if (!coherent->scattering->by_transform || ranks == NULL || ranks->n_ranks == 1)
    return;
  ranks->sum((double *)coherent->series, 2 * n_values * coherent->n_series);
  debye_intermediate_scattering_share(coherent->scattering, coherent->n, &first, &end);
  series->from = first;
  series->to = end;
}

static gboolean
do_pass(Coherent *coherent, const DebyeVectorRows *rows, DebyeScatteringSignals *signals, GError **error)
{
  DebyeIntermediateScattering *scattering = coherent->scattering;
  DebyeVectorSeries series = {.first = coherent->first,
                              .n = coherent->n,
                              .to = coherent->n,
                              .n_series = coherent->n_series,
                              .values = coherent->series};
  coherent->n_done = 0;
  weigh_vectors(coherent);
  if (scattering->by_transform) {
    g_clear_pointer(&coherent->lattice, debye_lattice_amplitudes_free);
    coherent->lattice = debye_lattice_amplitudes_new(scattering, coherent->first, coherent->n,
                                                     coherent->may_be_packed, error);
    memset(coherent->series, 0,
           coherent->n_series * coherent->n * scattering->plan->frames.n_frames * sizeof *coherent->series);
    if (coherent->lattice == NULL)
      return FALSE;
  }
  if (!debye_intermediate_scattering_run_pass(scattering, FALSE, coherent->may_be_packed,
                                              DEBYE_SCATTERING_PASS_FRAMES, do_frame, coherent, error))
    return FALSE;
  share_series(coherent, &series);
  return debye_scattering_correlate(scattering, &series, rows, signals, error);
}

gboolean
debye_intermediate_scattering_compute_coherent(DebyeIntermediateScattering *scattering,
                                               DebyeScatteringSignals *signals, GError **error)
{
  g_auto(Coherent) coherent = {.scattering = scattering};
  g_auto(DebyeVectorRows) rows = {0};
  gsize end;
  find_vectors(scattering, &coherent.first, &end);
  debye_vector_rows_init(&rows, scattering->plan);
  if (coherent.first < end && !coherent_open(&coherent, error))
    return FALSE;
  for (; coherent.first < end; coherent.first += coherent.n) {
    coherent.n =
        MIN(debye_scattering_pass_vectors(scattering->plan, scattering->signal), end - coherent.first);
    if (!do_pass(&coherent, &rows, signals, error))
      return FALSE;
  }
  debye_scattering_signals_share(signals, scattering->input->ranks);
  return TRUE;
}
