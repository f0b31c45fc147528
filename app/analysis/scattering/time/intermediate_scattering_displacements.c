/* SPDX-License-Identifier: MIT */
/* The incoherent part in time, averaged exactly, called by scattering_dynamic.c: displacements of all atoms
 * after each lag are counted, as many atoms at a time as memory allows. The atoms take turns among processes,
 * so that those that are counted are the first ones at any time. */
#include <math.h>

#include "data/files/error.h"
#include "kernels/chunk_threads.h"
#include "kernels/scattering/displacement_function.h"
#include "intermediate_scattering.h"
#include "scattering_pass.h"
#include "scattering_positions.h"

#define LEAST_Q 0.1           /* Å⁻¹: at smaller ones alone bins would be as wide as atoms move */
#define USUAL_TOLERANCE 1e-5  /* of averages over displacements: what the bins are made for */
#define FINEST_TOLERANCE 1e-8 /* finer bins would be more than there are displacements */

typedef struct {
  DebyeIntermediateScattering *scattering;
  DebyeScatteringCount *count;
  DebyeSharing *counts;  /* NULL: of no atom yet */
  gsize first;           /* of the atoms, which are counted in this run */
  gsize capacity;        /* a pass and process */
  double width;          /* Å, of a bin */
  gboolean with_offsets; /* few enough are counted, and those before have them */
  DebyeScatteringOffsets offsets;
} Counting;

static guint
get_n_ranks(const DebyeIntermediateScattering *scattering)
{
  return scattering->input->ranks != NULL ? scattering->input->ranks->n_ranks : 1;
}

static guint
get_rank(const DebyeIntermediateScattering *scattering)
{
  return scattering->input->ranks != NULL ? scattering->input->ranks->rank : 0;
}

/* Of n atoms in turns among the processes. */
static gsize
count_own(const DebyeIntermediateScattering *scattering, gsize n)
{
  guint n_ranks = get_n_ranks(scattering), rank = get_rank(scattering);
  return n > rank ? (n - rank - 1) / n_ranks + 1 : 0;
}

/* Most of a process, which is the first one. */
static gsize
count_largest_share(const DebyeIntermediateScattering *scattering, gsize n)
{
  return (n + get_n_ranks(scattering) - 1) / get_n_ranks(scattering);
}

static DebyeStatusCode
try_counts(Counting *counting, DebyeStatus *status)
{
  const DebyeIntermediateScattering *scattering = counting->scattering;
  const DebyeScatteringPlan *plan = scattering->plan;
  g_autofree guint32 *lags = g_new(guint32, scattering->n_lags);
  for (gsize i = 0; i < scattering->n_lags; i++)
    lags[i] = (guint32)i;
  const DebyeDisplacementLanesSettings settings = {.displacement = {.n_frames = plan->frames.n_frames,
                                                                    .lags = lags,
                                                                    .n_lags = scattering->n_lags,
                                                                    .bin_width = counting->width,
                                                                    .n_groups = scattering->groups.n_groups,
                                                                    .max_atoms = counting->capacity},
                                                   .memory_limit = plan->memory_limit};
  return debye_displacement_lanes_create(&settings, scattering->devices, scattering->n_devices,
                                         &counting->counts, status);
}

/* For as many atoms at a time as fit. The error of what doesn't is that of one atom: the least there can be. */
static gboolean
open_counts(Counting *counting, GError **error)
{
  DebyeStatus status = {0};
  while (try_counts(counting, &status) == DEBYE_STATUS_NO_MEMORY && counting->capacity > 1)
    counting->capacity /= 2;
  return counting->counts != NULL || debye_device_set_error(error, &status);
}

static gboolean
is_stopped(const volatile bool *cancel, GError **error)
{
  if (cancel == NULL || !*cancel)
    return FALSE;
  debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
  return TRUE;
}

/* Stopped, they are not all there: the block, whose counts are, must not be kept. */
static gboolean
add_offsets(Counting *counting, const DebyeSelfBlock *block, GError **error)
{
  const volatile bool *cancel = debye_intermediate_scattering_get_cancel(counting->scattering);
  gsize n_bins;
  debye_displacement_lanes_get_sums(counting->counts, &n_bins);
  if (debye_scattering_offsets_add(&counting->offsets, block, n_bins, cancel))
    return !is_stopped(cancel, error);
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "In time",
                               "no memory for histograms of displacements of %" G_GSIZE_FORMAT " bins",
                               n_bins);
}

static gboolean
add_block(Counting *counting, const DebyeSelfBlock *block, GError **error)
{
  const DebyeLaneReport *reports = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = debye_displacement_lanes_execute(
      counting->counts, block, debye_intermediate_scattering_get_cancel(counting->scattering), NULL, NULL,
      &status);
  gsize n_reports = debye_sharing_get_reports(counting->counts, &reports);
  debye_lane_totals_add(counting->scattering->lanes, reports, n_reports);
  if (code != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return code == DEBYE_STATUS_OK && (!counting->with_offsets || add_offsets(counting, block, error));
}

static gboolean
collect(const Counting *counting, DebyeScatteringDisplacements *displacements, GError **error)
{
  const DebyeIntermediateScattering *scattering = counting->scattering;
  const DebyeScatteringDisplacements *earlier = counting->count->earlier;
  return debye_scattering_displacements_collect(displacements, counting->counts, earlier,
                                                scattering->groups.n_groups,
                                                scattering->plan->frames.n_frames, scattering->n_lags,
                                                counting->width, scattering->input->ranks, error) &&
         (!counting->with_offsets ||
          debye_scattering_displacements_collect_offsets(displacements, &counting->offsets, earlier,
                                                         scattering->input->ranks, error));
}

/* Those so far, where they are kept. */
static gboolean
keep(const Counting *counting, GError **error)
{
  DebyeScatteringCount *count = counting->count;
  g_auto(DebyeScatteringDisplacements) displacements = {0};
  count->n_done += count->n_next;
  if (count->n_done == count->n_all || !count->is_kept)
    return TRUE;
  return collect(counting, &displacements, error) && count->keep(count->data, &displacements, error);
}

/* The atoms of a pass, in blocks of as many as are to be counted before they are kept. */
static gboolean
count_pass(Counting *counting, const DebyeScatteringPositions *positions, gsize n_largest, GError **error)
{
  DebyeScatteringCount *count = counting->count;
  guint n_ranks = get_n_ranks(counting->scattering);
  for (gsize at = 0, n; at < n_largest; at += n) {
    gsize n_left = count->n_all - count->n_done;
    n = CLAMP(count->next(count->data) / n_ranks, 1, n_largest - at);
    count->n_next = MIN(n * n_ranks, n_left);
    const DebyeSelfBlock block = debye_scattering_positions_get(positions, MIN(at, positions->n),
                                                                MIN(n, positions->n - MIN(at, positions->n)));
    if ((block.n_atoms > 0 && !add_block(counting, &block, error)) || !keep(counting, error))
      return FALSE;
  }
  return TRUE;
}

/* Processes go in step: as many atoms a pass as the one with the least memory. */
static void
agree(Counting *counting)
{
  guint n_ranks = get_n_ranks(counting->scattering);
  if (n_ranks == 1)
    return;
  g_autofree double *all = g_new0(double, n_ranks);
  all[get_rank(counting->scattering)] = (double)counting->capacity;
  counting->scattering->input->ranks->sum(all, n_ranks);
  for (guint i = 0; i < n_ranks; i++)
    counting->capacity = MIN(counting->capacity, (gsize)all[i]);
}

static gboolean
count_atoms(Counting *counting, GError **error)
{
  g_auto(DebyeScatteringPositions) positions = {0};
  DebyeIntermediateScattering *scattering = counting->scattering;
  guint n_ranks = get_n_ranks(scattering);
  gsize n_largest = count_largest_share(scattering, counting->count->n_all - counting->first);
  if (!open_counts(counting, error))
    return FALSE;
  agree(counting);
  if (!debye_scattering_positions_init(&positions, scattering, counting->capacity, error))
    return FALSE;
  scattering->n_passes += (n_largest + counting->capacity - 1) / counting->capacity - 1;
  for (gsize at = 0; at < n_largest; at += counting->capacity) {
    gsize first = counting->first + at * n_ranks, n = MIN(counting->capacity, n_largest - at);
    gsize n_own = count_own(scattering, MIN(n * n_ranks, counting->count->n_all - first));
    if (!debye_scattering_positions_read(&positions, first + get_rank(scattering), n_ranks, n_own, error) ||
        !count_pass(counting, &positions, n, error))
      return FALSE;
  }
  return TRUE;
}

/* --- The average --- */

/* Of a species, whose rows are independent of each other. */
typedef struct {
  const DebyeIntermediateScattering *scattering;
  const DebyeScatteringDisplacements *displacements;
  const volatile bool *cancel;
  DebyeScatteringSignals *signals;
  const double *stretch;
  guint species;
} Average;

/* F_s(q, τ) = Σ_species N b² ⟨sin(qd)/(qd)⟩ */
static void
average_row(void *context, gsize row)
{
  const Average *average = context;
  const DebyeScatterers *scatterers = &average->scattering->plan->scatterers;
  DebyeScatteringSignals *signals = average->signals;
  const gsize n_times = signals->n_times, n_lags = average->displacements->n_times;
  gsize partial = debye_scattering_first_own_partial(average->scattering->plan);
  const guint part = debye_scatterers_get(scatterers, average->species)->part;
  g_autofree double *f = g_new(double, n_lags);
  if (average->cancel != NULL && *average->cancel)
    return;
  double weight = debye_scatterers_incoherent(scatterers, average->species) *
                  (double)debye_scatterers_get(scatterers, average->species)->atoms->len;
  debye_scattering_displacements_average(average->displacements, average->species, average->stretch,
                                         average->scattering->q[row], f);
  for (gsize t = 0; t < n_lags; t++)
    signals->fqt[row * n_times + t] += weight * f[t];
  for (gsize t = 0; t < n_lags && signals->n_partials > 0; t++)
    signals->partials[((partial + part) * signals->n_rows + row) * n_times + t] += weight * f[t];
}

static gboolean
average(const DebyeIntermediateScattering *scattering, const DebyeScatteringDisplacements *displacements,
        DebyeScatteringSignals *signals, GError **error)
{
  Average average = {.scattering = scattering,
                     .displacements = displacements,
                     .cancel = debye_intermediate_scattering_get_cancel(scattering),
                     .signals = signals};
  for (; average.species < scattering->plan->scatterers.species->len; average.species++) {
    g_autofree double *stretch = debye_scattering_displacements_stretch(displacements, average.species);
    average.stretch = stretch;
    debye_chunk_threads_run(signals->n_rows, average_row, &average);
  }
  return !is_stopped(average.cancel, error);
}

/* Of the exact average only F is there: its mean over the lags is fq, and fq2 isn't known. */
static void
finish(DebyeScatteringSignals *signals, gsize n_lags)
{
  for (gsize row = 0; row < signals->n_rows; row++) {
    for (gsize t = 0; t < n_lags; t++)
      signals->fq[row] += signals->fqt[row * signals->n_times + t] / (double)n_lags;
    signals->fq2[row] = NAN;
  }
}

gboolean
debye_intermediate_scattering_compute_displacements(DebyeIntermediateScattering *scattering,
                                                    DebyeScatteringCount *count,
                                                    DebyeScatteringSignals *signals,
                                                    DebyeScatteringDisplacements *displacements,
                                                    GError **error)
{
  const DebyeScatteringPlan *plan = scattering->plan;
  gsize n_left = count->n_all - count->n_done;
  Counting counting = {.scattering = scattering,
                       .count = count,
                       .first = count->n_done,
                       .capacity =
                           debye_scattering_pass_room(plan) / (3 * sizeof(float) * plan->frames.n_frames),
                       .width = debye_intermediate_scattering_bin_width(scattering)};
  counting.with_offsets =
      (count->earlier == NULL || count->earlier->offsets != NULL) &&
      debye_scattering_offsets_are_worth(count->n_all, plan->frames.n_frames, scattering->n_lags);
  counting.offsets = (DebyeScatteringOffsets){.n_species = scattering->groups.n_groups,
                                              .n_frames = plan->frames.n_frames,
                                              .n_times = scattering->n_lags,
                                              .width = counting.width};
  counting.capacity = CLAMP(counting.capacity, 1, MAX(count_largest_share(scattering, n_left), 1));
  gboolean good = (n_left == 0 || count_atoms(&counting, error)) && collect(&counting, displacements, error);
  debye_scattering_offsets_clear(&counting.offsets);
  debye_sharing_free(counting.counts);
  if (!good || !average(scattering, displacements, signals, error))
    return FALSE;
  finish(signals, scattering->n_lags);
  return TRUE;
}

double
debye_scattering_displacement_bin_width(double tolerance, double q_max)
{
  /* Bins are taken for their shell's mean: half the error that their width is chosen by, and less. */
  return debye_displacement_bin_width(fmax(q_max, LEAST_Q),
                                      tolerance >= USUAL_TOLERANCE
                                          ? tolerance
                                          : fmax(fmin(2.0 * tolerance, USUAL_TOLERANCE), FINEST_TOLERANCE));
}

double
debye_intermediate_scattering_bin_width(const DebyeIntermediateScattering *scattering)
{
  return debye_scattering_displacement_bin_width(scattering->plan->settings.tolerance,
                                                 scattering->q[scattering->n_rows - 1]);
}
