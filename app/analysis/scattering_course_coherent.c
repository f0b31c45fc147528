/* SPDX-License-Identifier: MIT */
/* The coherent part in time, see scattering_course.h: the amplitudes of as many vectors as memory allows, at
 * all times, pass by pass. */
#include <math.h>
#include <string.h>

#include "data/error.h"
#include "kernels/amplitudes.h"
#include "kernels/correlations.h"
#include "scattering_course.h"
#include "scattering_fold.h"

#define USUAL_SERIES_BYTES ((guint64)1 << 30) /* where no limit is given */
#define SERIES_AT_ONCE 512                    /* that are correlated together */
#define MOST_FRAMES 32                        /* that go to the devices together */

typedef struct {
  DebyeScatteringCourse *course;
  DebyeAmplitudes *amplitudes;
  gsize first, n;          /* of the pass: vectors */
  double complex *series;  /* [vector][time] */
  double complex *weights; /* [species][vector] of the pass */
  double complex *values;  /* [frame][species][vector] */
  DebyeFrame *held[MOST_FRAMES];
  gsize n_held, most_held, n_done;
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
  debye_amplitudes_destroy(coherent->amplitudes);
  g_free(coherent->series);
  g_free(coherent->weights);
  g_free(coherent->values);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Coherent, coherent_clear)

/* Vectors of a pass: their series and, while those are correlated, a part of the result. */
static gsize
vectors_of_pass(const DebyeScatteringCourse *course)
{
  guint64 limit = course->plan->memory_limit > 0 ? course->plan->memory_limit / 2 : USUAL_SERIES_BYTES;
  gsize n_all = course->plan->vectors.vectors->len;
  return CLAMP(limit / (course->plan->frames.n_frames * sizeof(double complex)), 1, n_all);
}

gsize
debye_scattering_course_count_coherent(const DebyeScatteringCourse *course)
{
  gsize n = vectors_of_pass(course);
  return (course->plan->vectors.vectors->len + n - 1) / n;
}

static gboolean
moves(const DebyeScatteringPlan *plan)
{
  return plan->orientation.kind == DEBYE_ORIENTATION_LATTICE;
}

static gboolean
coherent_open(Coherent *coherent, GError **error)
{
  const DebyeScatteringCourse *course = coherent->course;
  gsize n_species = course->groups.n_groups, n = vectors_of_pass(course);
  DebyeStatus status = {0};
  coherent->most_held = moves(course->plan) ? 1 : MOST_FRAMES;
  coherent->series = g_try_new(double complex, n * course->plan->frames.n_frames);
  coherent->weights = g_try_new(double complex, n_species *n);
  coherent->values = g_try_new(double complex, coherent->most_held *n_species *n);
  if (coherent->series == NULL || coherent->weights == NULL || coherent->values == NULL) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
                "In time: no memory for the amplitudes of %" G_GSIZE_FORMAT " frames at %" G_GSIZE_FORMAT
                " vectors: expected a smaller memory limit, which takes more passes",
                course->plan->frames.n_frames, n);
    return FALSE;
  }
  const DebyeAmplitudesSettings settings = {
      .amplitude = {.n_atoms = debye_topology_get_n_atoms(course->plan->topology),
                    .groups = course->groups,
                    .max_vectors = n,
                    .max_frames = coherent->most_held,
                    .double_precision = course->plan->double_precision},
      .memory_limit = course->plan->memory_limit};
  if (debye_amplitudes_create(&settings, course->devices, course->n_devices, &coherent->amplitudes,
                              &status) == DEBYE_STATUS_OK)
    return TRUE;
  debye_device_set_error(error, &status);
  return FALSE;
}

/* Weights follow the length of the vectors, which in a cell that breathes changes a little: those of the
 * plan.
 */
static void
weigh_vectors(Coherent *coherent)
{
  const DebyeScatteringPlan *plan = coherent->course->plan;
  for (guint s = 0; s < coherent->course->groups.n_groups; s++)
    for (gsize v = 0; v < coherent->n; v++) {
      DebyeVec3 q = g_array_index(plan->vectors.vectors, DebyeVec3, coherent->first + v);
      coherent->weights[s * coherent->n + v] =
          debye_scatterers_coherent(&plan->scatterers, s, debye_vec3_length(q));
    }
}

/* a(t) = Σ_s w_s A_s(t) of a frame. */
static void
weigh_frame(Coherent *coherent, const double complex *values, gsize time)
{
  gsize n_times = coherent->course->plan->frames.n_frames;
  for (gsize v = 0; v < coherent->n; v++) {
    double complex sum = 0.0;
    for (gsize s = 0; s < coherent->course->groups.n_groups; s++)
      sum += coherent->weights[s * coherent->n + v] * values[s * coherent->n + v];
    coherent->series[v * n_times + time] = sum;
  }
}

static gboolean
sum_held(Coherent *coherent, GError **error)
{
  const DebyeScatteringCourse *course = coherent->course;
  const DebyeScatteringPlan *plan = course->plan;
  const DebyeRunCallbacks *callbacks = course->input->callbacks;
  gsize n_values = course->groups.n_groups * coherent->n, bad = 0;
  DebyeScatteringFrame positions[MOST_FRAMES];
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  g_autofree DebyeVec3 *vectors = debye_scattering_plan_get_vectors(plan, coherent->held[0]);
  for (gsize i = 0; i < coherent->n_held; i++)
    positions[i] = (DebyeScatteringFrame){
        .x = coherent->held[i]->x, .y = coherent->held[i]->y, .z = coherent->held[i]->z};
  DebyeStatusCode code = debye_amplitudes_execute(
      coherent->amplitudes, vectors + coherent->first, coherent->n, positions, coherent->n_held,
      (double *)coherent->values, &bad, callbacks != NULL ? callbacks->cancel : NULL, &status);
  gsize n_reports = debye_amplitudes_get_reports(coherent->amplitudes, &reports);
  debye_lane_totals_add(course->lanes, reports, n_reports);
  if (code != DEBYE_STATUS_OK) {
    debye_device_set_error(error, &status);
    return FALSE;
  }
  for (gsize i = 0; i < coherent->n_held; i++)
    weigh_frame(coherent, coherent->values + i * n_values, coherent->n_done + i);
  coherent->n_done += coherent->n_held;
  let_frames_go(coherent);
  return TRUE;
}

static gboolean
do_frame(gpointer data, DebyeFrame *frame, gsize time, GError **error)
{
  Coherent *coherent = data;
  coherent->held[coherent->n_held++] = debye_frame_ref(frame);
  gboolean is_last = time + 1 == coherent->course->plan->frames.n_frames;
  return (coherent->n_held < coherent->most_held && !is_last) || sum_held(coherent, error);
}

/* The pass's series, some at a time, into their rows. */
static gboolean
correlate(Coherent *coherent, const DebyeVectorRows *rows, DebyeScatteringSignals *signals, GError **error)
{
  const DebyeScatteringCourse *course = coherent->course;
  const DebyeRunCallbacks *callbacks = course->input->callbacks;
  gsize n_times = course->plan->frames.n_frames;
  const DebyeCorrelationSettings settings = {.signal = course->signal, .n_frames = n_times};
  g_autofree double *out = g_try_new(double, 2 * SERIES_AT_ONCE * n_times);
  if (out == NULL) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
                "In time: no memory for %" G_GSIZE_FORMAT " frames of %d vectors", n_times, SERIES_AT_ONCE);
    return FALSE;
  }
  for (gsize at = 0; at < coherent->n; at += SERIES_AT_ONCE) {
    DebyeStatus status = {0};
    gsize n = MIN(SERIES_AT_ONCE, coherent->n - at);
    if (debye_correlations_execute(
            &settings, course->devices, course->n_devices, (const double *)(coherent->series + at * n_times),
            NULL, n, out, callbacks != NULL ? callbacks->cancel : NULL, &status) != DEBYE_STATUS_OK) {
      debye_device_set_error(error, &status);
      return FALSE;
    }
    for (gsize i = 0; i < n; i++) {
      gsize v = coherent->first + at + i;
      debye_scattering_signals_add(signals, rows->row[v], out + 2 * i * n_times, rows->share[v],
                                   rows->both[v]);
    }
  }
  return TRUE;
}

gboolean
debye_scattering_course_coherent(DebyeScatteringCourse *course, DebyeScatteringSignals *signals,
                                 GError **error)
{
  g_auto(Coherent) coherent = {.course = course};
  g_auto(DebyeVectorRows) rows = {0};
  gsize n_all = course->plan->vectors.vectors->len;
  debye_vector_rows_init(&rows, course->plan);
  if (!coherent_open(&coherent, error))
    return FALSE;
  for (coherent.first = 0; coherent.first < n_all; coherent.first += coherent.n) {
    coherent.n = MIN(vectors_of_pass(course), n_all - coherent.first);
    coherent.n_done = 0;
    weigh_vectors(&coherent);
    if (!debye_scattering_course_pass(course, MOST_FRAMES, do_frame, &coherent, error) ||
        !correlate(&coherent, &rows, signals, error))
      return FALSE;
  }
  return TRUE;
}
