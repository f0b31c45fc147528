/* SPDX-License-Identifier: MIT */
/* The incoherent part in time, see scattering_course.h: the places of as many atoms as memory allows, at all
 * times, pass by pass. */
#include <math.h>
#include <string.h>

#include "data/error.h"
#include "kernels/displacement_counts.h"
#include "kernels/displacement_function.h"
#include "kernels/self_scattering.h"
#include "scattering_course.h"

#define USUAL_BLOCK_BYTES ((guint64)1 << 30) /* of atoms' places, where no limit is given */
#define LEAST_Q 0.1           /* Å⁻¹: at smaller ones alone bins would be as wide as atoms move */
#define FINEST_TOLERANCE 1e-5 /* of averages over displacements: finer bins would be empty */

/* The places of a pass's atoms. */
typedef struct {
  const DebyeScatteringCourse *course;
  gsize first, n, most; /* of the atoms of all species, one after the other */
  float *x, *y, *z;     /* [time·n + atom] */
  guint32 *species;     /* of the pass's atoms */
} Block;

static void
block_clear(Block *block)
{
  g_free(block->x);
  g_free(block->y);
  g_free(block->z);
  g_free(block->species);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Block, block_clear)

/* This process' atoms. */
static gsize
count_atoms(const DebyeScatteringCourse *course)
{
  gsize first, end;
  debye_scattering_course_share(course, debye_scattering_n_entries(&course->groups), &first, &end);
  return end - first;
}

static gboolean
block_init(Block *block, const DebyeScatteringCourse *course, gsize most, GError **error)
{
  gsize n = course->plan->frames.n_frames * most;
  *block = (Block){.course = course, .most = most};
  block->x = g_try_new(float, n);
  block->y = g_try_new(float, n);
  block->z = g_try_new(float, n);
  block->species = g_try_new(guint32, most);
  if (block->x != NULL && block->y != NULL && block->z != NULL && block->species != NULL)
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
              "Memory limit: no memory for the places of %" G_GSIZE_FORMAT " atoms at %" G_GSIZE_FORMAT
              " times: expected a smaller limit, which takes more passes",
              most, course->plan->frames.n_frames);
  return FALSE;
}

static gboolean
keep_places(gpointer data, DebyeFrame *frame, gsize time, GError **error)
{
  Block *block = data;
  const guint32 *atoms = block->course->groups.atoms + block->first;
  (void)error;
  for (gsize i = 0; i < block->n; i++) {
    block->x[time * block->n + i] = frame->x[atoms[i]];
    block->y[time * block->n + i] = frame->y[atoms[i]];
    block->z[time * block->n + i] = frame->z[atoms[i]];
  }
  return TRUE;
}

static void
find_species(Block *block)
{
  const DebyeScatteringGroups *groups = &block->course->groups;
  guint32 species = 0;
  for (gsize i = 0; i < block->n; i++) {
    while (block->first + i >= groups->first[species + 1])
      species++;
    block->species[i] = species;
  }
}

typedef gboolean (*BlockFunc)(gpointer data, const DebyeSelfBlock *block, GError **error);

/* Pass by pass, all of this process' atoms. */
static gboolean
for_each_block(DebyeScatteringCourse *course, gsize most, BlockFunc work, gpointer data, GError **error)
{
  g_auto(Block) block = {0};
  gsize first, end;
  debye_scattering_course_share(course, debye_scattering_n_entries(&course->groups), &first, &end);
  if (!block_init(&block, course, most, error))
    return FALSE;
  course->n_passes += (end - first + most - 1) / most - 1;
  for (block.first = first; block.first < end; block.first += block.n) {
    block.n = MIN(most, end - block.first);
    find_species(&block);
    if (!debye_scattering_course_pass(course, 0, keep_places, &block, error))
      return FALSE;
    const DebyeSelfBlock self = {.x = block.x,
                                 .y = block.y,
                                 .z = block.z,
                                 .stride = block.n,
                                 .n_atoms = block.n,
                                 .group = block.species};
    if (!work(data, &self, error))
      return FALSE;
  }
  return TRUE;
}

/* --- By vectors --- */

typedef struct {
  DebyeScatteringCourse *course;
  DebyeSelfScattering *scattering;
} ByVectors;

static gboolean
add_to_scattering(gpointer data, const DebyeSelfBlock *block, GError **error)
{
  ByVectors *by = data;
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = debye_self_scattering_execute(
      by->scattering, block, debye_scattering_course_get_cancel(by->course), NULL, NULL, &status);
  gsize n_reports = debye_self_scattering_get_reports(by->scattering, &reports);
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
      const double *f = debye_self_scattering_get_f(by->scattering, v, s);
      double squared = debye_scatterers_incoherent(&plan->scatterers, s);
      double weight = by->course->signal == DEBYE_SIGNAL_PLAIN ? sqrt(squared) : squared;
      double complex *fqt = signals->fqt + (gsize)rows.row[v] * n_times;
      double mean[2];
      debye_signal_mean(f, n_times, mean);
      for (gsize t = 0; t < n_times; t++)
        fqt[t] += rows.share[v] * weight * (f[2 * t] + (rows.both[v] ? 0.0 : I * f[2 * t + 1]));
      signals->fq[rows.row[v]] += rows.share[v] * weight * (mean[0] + (rows.both[v] ? 0.0 : I * mean[1]));
      signals->fq2[rows.row[v]] +=
          rows.share[v] * weight * weight * debye_self_scattering_get_fq2(by->scattering, v, s);
      if (signals->n_partials > 0)
        debye_scattering_signals_add_partial(signals, first_own + s, rows.row[v], f, rows.share[v] * weight);
    }
}

static gboolean
open_scattering(ByVectors *by, gsize *most, GError **error)
{
  const DebyeScatteringCourse *course = by->course;
  const DebyeScatteringPlan *plan = course->plan;
  DebyeSelfScatteringSettings settings = {.self = {.signal = course->signal,
                                                   .n_frames = plan->frames.n_frames,
                                                   .vectors = (const DebyeVec3 *)plan->vectors.vectors->data,
                                                   .n_vectors = plan->vectors.vectors->len,
                                                   .n_groups = course->groups.n_groups,
                                                   .elastic = true,
                                                   .double_precision = plan->double_precision},
                                          .memory_limit = plan->memory_limit};
  DebyeStatus status = {0};
  if (debye_self_scattering_pass_atoms(&settings, course->devices, course->n_devices, count_atoms(course),
                                       most, &status) == DEBYE_STATUS_OK) {
    settings.self.max_atoms = *most;
    debye_self_scattering_create(&settings, course->devices, course->n_devices, &by->scattering, &status);
  }
  if (by->scattering == NULL)
    debye_device_set_error(error, &status);
  return by->scattering != NULL;
}

gboolean
debye_scattering_course_self(DebyeScatteringCourse *course, DebyeScatteringSignals *signals, GError **error)
{
  ByVectors by = {.course = course};
  gsize most = 0;
  /* There may be more processes than atoms. */
  if (count_atoms(course) > 0) {
    gboolean good =
        open_scattering(&by, &most, error) && for_each_block(course, most, add_to_scattering, &by, error);
    if (good)
      collect(&by, signals);
    debye_self_scattering_destroy(by.scattering);
    if (!good)
      return FALSE;
  }
  debye_scattering_signals_share(signals, course->input->ranks);
  return TRUE;
}

/* --- Averaged exactly --- */

typedef struct {
  DebyeScatteringCourse *course;
  DebyeDisplacementCounts *counts;
} ByDisplacements;

static gboolean
add_to_counts(gpointer data, const DebyeSelfBlock *block, GError **error)
{
  ByDisplacements *by = data;
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = debye_displacement_counts_execute(
      by->counts, block, debye_scattering_course_get_cancel(by->course), NULL, NULL, &status);
  gsize n_reports = debye_displacement_counts_get_reports(by->counts, &reports);
  debye_lane_totals_add(by->course->lanes, reports, n_reports);
  if (code != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return code == DEBYE_STATUS_OK;
}

/* F_s(q, τ) = Σ_species N b² ⟨sin(qd)/(qd)⟩ */
static void
average(const DebyeScatteringCourse *course, const DebyeScatteringDisplacements *displacements,
        DebyeScatteringSignals *signals)
{
  const DebyeScatterers *scatterers = &course->plan->scatterers;
  gsize n_times = signals->n_times, first_own = debye_scattering_first_own_partial(course->plan);
  g_autofree double *f = g_new(double, n_times);
  for (gsize row = 0; row < signals->n_rows; row++)
    for (guint s = 0; s < scatterers->species->len; s++) {
      double weight = debye_scatterers_incoherent(scatterers, s) *
                      (double)debye_scatterers_get(scatterers, s)->atoms->len;
      debye_scattering_displacements_average(displacements, s, course->q[row], f);
      for (gsize t = 0; t < n_times; t++)
        signals->fqt[row * n_times + t] += weight * f[t];
      for (gsize t = 0; t < n_times && signals->n_partials > 0; t++)
        signals->partials[((first_own + s) * signals->n_rows + row) * n_times + t] += weight * f[t];
    }
}

/* Of the exact average only F is there: its mean over the times is fq, and fq2 isn't known. */
static void
finish(DebyeScatteringSignals *signals)
{
  for (gsize row = 0; row < signals->n_rows; row++) {
    for (gsize t = 0; t < signals->n_times; t++)
      signals->fq[row] += signals->fqt[row * signals->n_times + t] / (double)signals->n_times;
    signals->fq2[row] = NAN;
  }
}

/* The counts of this process' atoms; NULL with an error. */
static DebyeDisplacementCounts *
count_displacements(DebyeScatteringCourse *course, double width, GError **error)
{
  const DebyeScatteringPlan *plan = course->plan;
  guint64 limit = plan->memory_limit > 0 ? plan->memory_limit / 2 : USUAL_BLOCK_BYTES;
  gsize most = CLAMP(limit / (3 * sizeof(float) * plan->frames.n_frames), 1, count_atoms(course));
  ByDisplacements by = {.course = course};
  DebyeStatus status = {0};
  const DebyeDisplacementCountsSettings settings = {.displacement = {.n_frames = plan->frames.n_frames,
                                                                     .n_lags = plan->frames.n_frames,
                                                                     .bin_width = width,
                                                                     .n_groups = course->groups.n_groups,
                                                                     .max_atoms = most},
                                                    .memory_limit = plan->memory_limit};
  if (debye_displacement_counts_create(&settings, course->devices, course->n_devices, &by.counts, &status) !=
      DEBYE_STATUS_OK) {
    debye_device_set_error(error, &status);
    return NULL;
  }
  if (for_each_block(course, most, add_to_counts, &by, error))
    return by.counts;
  debye_displacement_counts_destroy(by.counts);
  return NULL;
}

gboolean
debye_scattering_course_displacements(DebyeScatteringCourse *course, DebyeScatteringSignals *signals,
                                      DebyeScatteringDisplacements *displacements, GError **error)
{
  double q_max = fmax(course->q[course->n_rows - 1], LEAST_Q);
  double width = debye_displacement_bin_width(q_max, fmax(course->plan->tolerance, FINEST_TOLERANCE));
  /* There may be more processes than atoms. */
  DebyeDisplacementCounts *counts =
      count_atoms(course) > 0 ? count_displacements(course, width, error) : NULL;
  if ((counts == NULL && count_atoms(course) > 0) ||
      !debye_scattering_displacements_init(displacements, counts, course->groups.n_groups, signals->n_times,
                                           width, course->input->ranks, error))
    return FALSE;
  average(course, displacements, signals);
  finish(signals);
  return TRUE;
}
