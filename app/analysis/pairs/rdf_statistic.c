/* SPDX-License-Identifier: MIT */
/* Turns counts into g(r) with standard errors; called by rdf_run.c, rdf_result.c and rdf_structure.c. */
#include "rdf_statistic.h"

#include <math.h>
#include <stdlib.h>

#define NOISE_REACH 3 /* bins to either side */

struct _DebyeRdfStatistic {
  double width;
  gsize n_bins;
  guint64 n_known;  /* frames whose g is known … */
  guint64 n_around; /* … and that have atoms to count around */
  DebyeFrameBlocksProgress progress;
  guint64 *ordered;
  double *around;                     /* Σ n/N_a */
  double *mean;                       /* Welford's running mean of the frames' g … */
  double *squares;                    /* … and sum of squared deviations */
  double *block;                      /* sum over the block under way */
  double *block_mean, *block_squares; /* Welford's, of blocks */
};

double
debye_rdf_shell_volume(double width, gsize bin)
{
  double k = (double)bin;
  return 4.0 / 3.0 * G_PI * width * width * width * (3.0 * k * (k + 1.0) + 1.0);
}

DebyeRdfStatistic *
debye_rdf_statistic_new(double width, gsize n_bins, DebyeFrameBlocks blocks)
{
  DebyeRdfStatistic *statistic = g_new0(DebyeRdfStatistic, 1);
  statistic->width = width;
  statistic->n_bins = n_bins;
  statistic->progress.blocks = blocks;
  statistic->ordered = g_try_new0(guint64, n_bins);
  double **const arrays[] = {&statistic->around, &statistic->mean,       &statistic->squares,
                             &statistic->block,  &statistic->block_mean, &statistic->block_squares};
  gboolean ok = statistic->ordered != NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(arrays); i++)
    ok = (*arrays[i] = g_try_new0(double, n_bins)) != NULL && ok;
  if (!ok)
    g_clear_pointer(&statistic, debye_rdf_statistic_free);
  return statistic;
}

void
debye_rdf_statistic_free(DebyeRdfStatistic *statistic)
{
  if (statistic == NULL)
    return;
  g_free(statistic->ordered);
  g_free(statistic->around);
  g_free(statistic->mean);
  g_free(statistic->squares);
  g_free(statistic->block);
  g_free(statistic->block_mean);
  g_free(statistic->block_squares);
  g_free(statistic);
}

static void
list_array(DebyeFrameState *state, const char *prefix, const char *name, DebyeFrameStateKind kind,
           double *values, gsize n)
{
  g_autofree char *whole = g_strconcat(prefix, name, NULL);
  debye_frame_state_add(state, whole, kind, values, n);
}

void
debye_rdf_statistic_list_state(DebyeRdfStatistic *statistic, const char *prefix, DebyeFrameState *state)
{
  const gsize n = statistic->n_bins;
  g_autofree char *ordered = g_strconcat(prefix, "ordered", NULL), *g = g_strconcat(prefix, "g", NULL),
                  *known = g_strconcat(prefix, "known", NULL),
                  *around = g_strconcat(prefix, "n_around", NULL);
  debye_frame_state_add_counts(state, ordered, DEBYE_STATE_SUM, statistic->ordered, n);
  debye_frame_state_add_counts(state, known, DEBYE_STATE_SUM, &statistic->n_known, 1);
  debye_frame_state_add_counts(state, around, DEBYE_STATE_SUM, &statistic->n_around, 1);
  debye_frame_state_add_spread(state, g, &statistic->n_known, statistic->mean, statistic->squares, n);
  list_array(state, prefix, "around", DEBYE_STATE_SUM, statistic->around, n);
  list_array(state, prefix, "block", DEBYE_STATE_SUM, statistic->block, n);
  list_array(state, prefix, "block_mean", DEBYE_STATE_KEPT, statistic->block_mean, n);
  list_array(state, prefix, "block_squares", DEBYE_STATE_KEPT, statistic->block_squares, n);
  debye_frame_blocks_list_state(&statistic->progress, prefix, state);
}

/* Welford's update by the n-th value. */
static inline void
update_spread(double *mean, double *squares, double value, double n)
{
  double before = value - *mean;
  *mean += before / n;
  *squares += before * (value - *mean);
}

void
debye_rdf_statistic_reach(DebyeRdfStatistic *statistic, gsize frame)
{
  const gsize length = debye_frame_blocks_reach(&statistic->progress, frame);
  for (gsize k = 0; length > 0 && k < statistic->n_bins; k++) {
    update_spread(&statistic->block_mean[k], &statistic->block_squares[k],
                  statistic->block[k] / (double)length, (double)statistic->progress.n_whole);
    statistic->block[k] = 0.0;
  }
}

static void
add_g(DebyeRdfStatistic *statistic, const guint64 *ordered, double volume_a_pair)
{
  statistic->n_known++;
  statistic->progress.n_frames++;
  for (gsize k = 0; k < statistic->n_bins; k++) {
    double g = (double)ordered[k] * volume_a_pair / debye_rdf_shell_volume(statistic->width, k);
    update_spread(&statistic->mean[k], &statistic->squares[k], g, (double)statistic->n_known);
    statistic->block[k] += g;
  }
}

void
debye_rdf_statistic_add(DebyeRdfStatistic *statistic, const guint64 *ordered, double volume_a_pair,
                        double n_around)
{
  if (volume_a_pair > 0.0)
    add_g(statistic, ordered, volume_a_pair);
  if (!(n_around > 0.0))
    return;
  statistic->n_around++;
  for (gsize k = 0; k < statistic->n_bins; k++) {
    statistic->ordered[k] += ordered[k];
    statistic->around[k] += (double)ordered[k] / n_around;
  }
}

const guint64 *
debye_rdf_statistic_get_ordered(const DebyeRdfStatistic *statistic)
{
  return statistic->ordered;
}

double *
debye_rdf_statistic_get_g(const DebyeRdfStatistic *statistic)
{
  double *g = g_new(double, statistic->n_bins);
  for (gsize k = 0; k < statistic->n_bins; k++)
    g[k] = statistic->n_known > 0 ? statistic->mean[k] : NAN;
  return g;
}

double *
debye_rdf_statistic_get_errors(const DebyeRdfStatistic *statistic)
{
  double *errors = g_new(double, statistic->n_bins), n = (double)statistic->progress.n_whole;
  for (gsize k = 0; k < statistic->n_bins; k++)
    errors[k] = n >= 2.0 ? sqrt(statistic->block_squares[k] / (n - 1.0) / n) : NAN;
  return errors;
}

/* Σ g·v over Σ ordered, bin by bin the same: what one ordered pair adds to g·v. */
static double
volume_of_a_count(const DebyeRdfStatistic *statistic)
{
  double volume = 0.0, count = 0.0;
  for (gsize k = 0; k < statistic->n_bins; k++) {
    volume += statistic->mean[k] * debye_rdf_shell_volume(statistic->width, k);
    count += (double)statistic->ordered[k];
  }
  return count > 0.0 ? volume / count : 0.0;
}

/* Of g in bin k, were pairs independent: √n of n pairs, of one where none was counted. */
static double
counting_variance(const DebyeRdfStatistic *statistic, gsize k, double unit, double ordered_a_pair)
{
  const double counted = MAX((double)statistic->ordered[k], ordered_a_pair);
  const double g = unit / debye_rdf_shell_volume(statistic->width, k);
  return g * g * ordered_a_pair * counted;
}

static double
block_variance(const DebyeRdfStatistic *statistic, gsize k)
{
  const double n = (double)statistic->progress.n_whole;
  return n >= 2.0 ? statistic->block_squares[k] / (n - 1.0) / n : 0.0;
}

static int
compare(const void *a, const void *b)
{
  const double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

/* By how much blocks differ more than independent pairs do, around bin k: that of a bin alone is uncertain with a few blocks,
 * and the median leaves out the flanks of peaks that move. */
static double
dispersion_around(const DebyeRdfStatistic *statistic, gsize k, double unit, double ordered_a_pair)
{
  const gsize first = k > NOISE_REACH ? k - NOISE_REACH : 0;
  const gsize last = MIN(k + NOISE_REACH, statistic->n_bins - 1);
  double ratios[2 * NOISE_REACH + 1];
  for (gsize i = first; i <= last; i++)
    ratios[i - first] = block_variance(statistic, i) / counting_variance(statistic, i, unit, ordered_a_pair);
  qsort(ratios, last - first + 1, sizeof *ratios, compare);
  return MAX(1.0, ratios[(last - first) / 2]);
}

double *
debye_rdf_statistic_get_noise(const DebyeRdfStatistic *statistic, gboolean is_self)
{
  double *noise = g_new0(double, statistic->n_bins);
  const double unit = volume_of_a_count(statistic), ordered_a_pair = is_self ? 2.0 : 1.0;
  for (gsize k = 0; unit > 0.0 && k < statistic->n_bins; k++)
    noise[k] = sqrt(counting_variance(statistic, k, unit, ordered_a_pair) *
                    dispersion_around(statistic, k, unit, ordered_a_pair));
  return noise;
}

double *
debye_rdf_statistic_get_coordination(const DebyeRdfStatistic *statistic)
{
  double *numbers = g_new(double, statistic->n_bins), sum = 0.0;
  for (gsize k = 0; k < statistic->n_bins; k++) {
    sum += statistic->around[k];
    numbers[k] = sum / (double)MAX(statistic->n_around, 1);
  }
  return numbers;
}

gsize
debye_rdf_statistic_get_n_known(const DebyeRdfStatistic *statistic)
{
  return statistic->n_known;
}

const DebyeFrameBlocksProgress *
debye_rdf_statistic_get_blocks(const DebyeRdfStatistic *statistic)
{
  return &statistic->progress;
}

double
debye_rdf_statistic_get_inefficiency(const DebyeRdfStatistic *statistic)
{
  double blocks = 0.0, frames = 0.0, n_blocks = (double)statistic->progress.n_whole;
  if (statistic->progress.n_whole < 2)
    return NAN;
  const double length = (double)statistic->progress.n_in_whole / n_blocks;
  for (gsize k = 0; k < statistic->n_bins; k++) {
    blocks += statistic->block_squares[k] / (n_blocks - 1.0);
    frames += statistic->squares[k] / ((double)statistic->n_known - 1.0);
  }
  return frames > 0.0 ? length * blocks / frames : NAN;
}
