/* SPDX-License-Identifier: MIT */
/* Adds histograms of displacements over blocks of atoms; called by
 * intermediate_scattering_displacements.c. */
#include "scattering_displacements.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "kernels/scattering/displacement_function.h"

#define DIFFERENCE 1e-4 /* of q, a part of it: for the slope of the weights */

/* --- All processes' --- */

static gboolean
shares(const DebyeRanks *ranks)
{
  return ranks != NULL && ranks->n_ranks > 1;
}

static void
sum(const DebyeRanks *ranks, double *values, gsize n)
{
  if (shares(ranks))
    ranks->sum(values, n);
}

static gsize
find_max_bins(gsize n_bins, const DebyeRanks *ranks)
{
  if (!shares(ranks))
    return n_bins;
  g_autofree double *all = g_new0(double, ranks->n_ranks);
  all[ranks->rank] = (double)n_bins;
  ranks->sum(all, ranks->n_ranks);
  for (guint i = 0; i < ranks->n_ranks; i++)
    n_bins = MAX(n_bins, (gsize)all[i]);
  return n_bins;
}

/* Histograms of one part, which may be shorter than the longest, to row i of the sums. */
static void
add_row(double *row, const DebyeDisplacementSums *part, gsize n_bins, gsize i)
{
  for (gsize k = 0; part != NULL && k < n_bins; k++)
    row[k] += (double)part->counts[i * n_bins + k];
}

static void
add_moments(DebyeDisplacementSums *sums, const DebyeDisplacementSums *part, gsize n_rows)
{
  for (gsize i = 0; part != NULL && i < n_rows; i++) {
    sums->square[i] += part->square[i];
    sums->fourth[i] += part->fourth[i];
  }
}

/* Whole numbers below 2⁵³ stay whole in double. */
static void
add_parts(DebyeScatteringDisplacements *displacements, const DebyeDisplacementSums *own, gsize n_own,
          const DebyeScatteringDisplacements *earlier, double *row, const DebyeRanks *ranks)
{
  gsize n_rows = displacements->n_species * displacements->n_times, n_bins = displacements->n_bins;
  DebyeDisplacementSums *sums = &displacements->sums;
  for (gsize i = 0; i < n_rows; i++) {
    memset(row, 0, n_bins * sizeof *row);
    add_row(row, own, n_own, i);
    if (earlier != NULL)
      add_row(row, &earlier->sums, earlier->n_bins, i);
    sum(ranks, row, n_bins);
    for (gsize k = 0; k < n_bins; k++)
      sums->counts[i * n_bins + k] = (guint64)row[k];
  }
  add_moments(sums, own, n_rows);
  add_moments(sums, earlier != NULL ? &earlier->sums : NULL, n_rows);
  sum(ranks, sums->square, n_rows);
  sum(ranks, sums->fourth, n_rows);
}

gboolean
debye_scattering_displacements_init(DebyeScatteringDisplacements *displacements, gsize n_species,
                                    gsize n_frames, gsize n_times, gsize n_bins, double width, GError **error)
{
  gsize n_rows = n_species * n_times;
  *displacements = (DebyeScatteringDisplacements){
      .n_frames = n_frames, .n_species = n_species, .n_times = n_times, .n_bins = n_bins, .width = width};
  displacements->sums = (DebyeDisplacementSums){.counts = g_try_new0(guint64, n_rows * n_bins),
                                                .square = g_try_new0(double, n_rows),
                                                .fourth = g_try_new0(double, n_rows)};
  if ((displacements->sums.counts != NULL || n_bins == 0) && displacements->sums.square != NULL &&
      displacements->sums.fourth != NULL)
    return TRUE;
  debye_error_set_about(error, DEBYE_ERROR_MEMORY, "In time",
                        "no memory for histograms of displacements of %" G_GSIZE_FORMAT " bins", n_bins);
  debye_scattering_displacements_clear(displacements);
  return FALSE;
}

gboolean
debye_scattering_displacements_collect(DebyeScatteringDisplacements *displacements,
                                       const DebyeSharing *counts,
                                       const DebyeScatteringDisplacements *earlier, gsize n_species,
                                       gsize n_frames, gsize n_times, double width, const DebyeRanks *ranks,
                                       GError **error)
{
  gsize n_own = 0, n_earlier = earlier != NULL ? earlier->n_bins : 0;
  const DebyeDisplacementSums *own =
      counts != NULL ? debye_displacement_lanes_get_sums(counts, &n_own) : NULL;
  gsize n_bins = find_max_bins(MAX(n_own, n_earlier), ranks);
  /* The earlier ones are all processes', so one of them adds them. */
  gboolean is_first = !shares(ranks) || ranks->rank == 0;
  g_autofree double *row = g_new(double, n_bins);
  if (!debye_scattering_displacements_init(displacements, n_species, n_frames, n_times, n_bins, width, error))
    return FALSE;
  add_parts(displacements, own, n_own, is_first && n_earlier > 0 ? earlier : NULL, row, ranks);
  return TRUE;
}

/* Of rows that may be shorter. */
static void
add_offset_row(double *row, const double *part, gsize n_bins, gsize i)
{
  for (gsize k = 0; part != NULL && k < n_bins; k++)
    row[k] += part[i * n_bins + k];
}

gboolean
debye_scattering_displacements_collect_offsets(DebyeScatteringDisplacements *displacements,
                                               const DebyeScatteringOffsets *own,
                                               const DebyeScatteringDisplacements *earlier,
                                               const DebyeRanks *ranks, GError **error)
{
  const gsize n_rows = displacements->n_species * displacements->n_times, n = displacements->n_bins;
  const gboolean is_first = !shares(ranks) || ranks->rank == 0;
  displacements->offsets = g_try_new0(double, n_rows *n);
  if (displacements->offsets == NULL && n_rows * n > 0)
    return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "In time",
                                 "no memory for histograms of displacements of %" G_GSIZE_FORMAT " bins", n);
  for (gsize i = 0; i < n_rows && n > 0; i++) {
    double *row = displacements->offsets + i * n;
    add_offset_row(row, own->sums, own->n_bins, i);
    if (earlier != NULL && is_first)
      add_offset_row(row, earlier->offsets, earlier->n_bins, i);
    sum(ranks, row, n);
  }
  return TRUE;
}

void
debye_scattering_displacements_clear(DebyeScatteringDisplacements *displacements)
{
  g_free(displacements->sums.counts);
  g_free(displacements->sums.square);
  g_free(displacements->sums.fourth);
  g_free(displacements->offsets);
  *displacements = (DebyeScatteringDisplacements){0};
}

/* --- What follows --- */

static const guint64 *
get_counts(const DebyeScatteringDisplacements *displacements, guint species, gsize time)
{
  return displacements->sums.counts + (species * displacements->n_times + time) * displacements->n_bins;
}

/* The mean of r² over each bin's shell, as the weights are means over it: (3/5)(b⁵ − a⁵)/(b³ − a³). */
static double *
list_squares(const DebyeScatteringDisplacements *displacements)
{
  double *squares = g_new(double, displacements->n_bins);
  for (gsize k = 0; k < displacements->n_bins; k++) {
    double a = displacements->width * (double)k, b = displacements->width * (double)(k + 1);
    squares[k] = 0.6 * (pow(b, 5.0) - pow(a, 5.0)) / (b * b * b - a * a * a);
  }
  return squares;
}

/* Weights at q, and q times their slope. */
static void
make_weights(const DebyeScatteringDisplacements *displacements, double q, double *weights, double *slopes)
{
  gsize n = displacements->n_bins;
  g_autofree double *above = g_new(double, n);
  debye_displacement_weights(q * (1.0 - DIFFERENCE), displacements->width, n, slopes);
  debye_displacement_weights(q * (1.0 + DIFFERENCE), displacements->width, n, above);
  debye_displacement_weights(q, displacements->width, n, weights);
  for (gsize k = 0; k < n; k++)
    slopes[k] = (above[k] - slopes[k]) / (2.0 * DIFFERENCE);
}

/* What an offset from the mean of a bin's shell adds: q times the slope of sin(x)/x in its middle; and where
 * that mean is, from the middle. */
static void
make_offset_weights(const DebyeScatteringDisplacements *displacements, double q, double *slopes,
                    double *means)
{
  for (gsize k = 0; k < displacements->n_bins; k++) {
    const double a = displacements->width * (double)k, b = displacements->width * (double)(k + 1);
    const double x = 0.5 * q * (a + b);
    means[k] = 0.75 * (pow(b, 4.0) - pow(a, 4.0)) / (b * b * b - a * a * a) - 0.5 * (a + b);
    slopes[k] = q * (x < 1e-2 ? -x / 3.0 * (1.0 - 0.1 * x * x) : (cos(x) - sin(x) / x) / x);
  }
}

/* Into f, instead of the stretch. */
static void
add_offsets(const DebyeScatteringDisplacements *displacements, guint species, double q, double *f)
{
  const gsize n = displacements->n_bins;
  g_autofree double *slopes = g_new(double, n);
  g_autofree double *means = g_new(double, n);
  make_offset_weights(displacements, q, slopes, means);
  for (gsize t = 1; t < displacements->n_times; t++) {
    const guint64 *counts = get_counts(displacements, species, t);
    const double *offsets = displacements->offsets + (species * displacements->n_times + t) * n;
    double sum = 0.0, n_counts = 0.0;
    for (gsize k = 0; k < n; k++) {
      const double count = (double)counts[k];
      sum += slopes[k] * (offsets[k] - count * means[k]);
      n_counts += count;
    }
    f[t] += n_counts > 0.0 ? sum / n_counts : 0.0;
  }
}

double *
debye_scattering_displacements_stretch(const DebyeScatteringDisplacements *displacements, guint species)
{
  gsize n = displacements->n_bins, n_times = displacements->n_times;
  g_autofree double *squares = list_squares(displacements);
  double *stretch = g_new0(double, n_times);
  for (gsize t = 1; t < n_times; t++) {
    const guint64 *counts = get_counts(displacements, species, t);
    double found = debye_displacement_average(counts, squares, n), n_counts = 0.0;
    for (gsize k = 0; k < n; k++)
      n_counts += (double)counts[k];
    double exact = n_counts > 0.0 ? displacements->sums.square[species * n_times + t] / n_counts : 0.0;
    /* Linear in the squares, as the weights are near 0: right for the smallest displacements, too. */
    stretch[t] = found > 0.0 ? 0.5 * (exact / found - 1.0) : 0.0;
  }
  return stretch;
}

void
debye_scattering_displacements_average(const DebyeScatteringDisplacements *displacements, guint species,
                                       const double *stretch, double q, double *f)
{
  gsize n = displacements->n_bins;
  g_autofree double *weights = g_new(double, n);
  g_autofree double *slopes = g_new(double, n);
  make_weights(displacements, q, weights, slopes);
  /* At τ = 0 nothing has moved: 1, which the first bin's mean is not quite. */
  f[0] = 1.0;
  for (gsize t = 1; t < displacements->n_times; t++) {
    const guint64 *counts = get_counts(displacements, species, t);
    double sum = 0.0, slope = 0.0, n_counts = 0.0;
    for (gsize k = 0; k < n; k++) {
      const double count = (double)counts[k];
      sum += count * weights[k];
      slope += count * slopes[k];
      n_counts += count;
    }
    slope *= displacements->offsets != NULL ? 0.0 : stretch[t];
    f[t] = n_counts > 0.0 ? (sum + slope) / n_counts : 0.0;
  }
  if (displacements->offsets != NULL)
    add_offsets(displacements, species, q, f);
}

void
debye_scattering_displacements_moments(const DebyeScatteringDisplacements *displacements,
                                       const DebyeScatterers *scatterers, guint species, gsize time,
                                       double *mean_square, double *non_gaussian)
{
  gboolean all = species == displacements->n_species;
  double square = 0.0, fourth = 0.0, n = 0.0;
  for (guint s = all ? 0 : species; s < (all ? displacements->n_species : species + 1); s++) {
    square += displacements->sums.square[s * displacements->n_times + time];
    fourth += displacements->sums.fourth[s * displacements->n_times + time];
    n += (double)debye_scatterers_get(scatterers, s)->atoms->len * (double)(displacements->n_frames - time);
  }
  *mean_square = debye_displacement_mean_square(square, n);
  *non_gaussian = debye_displacement_non_gaussian(square, fourth, n);
}

void
debye_scattering_displacements_van_hove(const DebyeScatteringDisplacements *displacements, gsize time,
                                        gsize joined, gsize n, double *values)
{
  double n_counts = 0.0;
  memset(values, 0, n * sizeof *values);
  for (guint s = 0; s < displacements->n_species; s++) {
    const guint64 *counts = get_counts(displacements, s, time);
    for (gsize k = 0; k < displacements->n_bins; k++) {
      n_counts += (double)counts[k];
      if (k / joined < n)
        values[k / joined] += (double)counts[k];
    }
  }
  for (gsize i = 0; i < n && n_counts > 0.0; i++)
    values[i] /= n_counts * displacements->width * (double)joined;
}
