/* SPDX-License-Identifier: MIT */
/* Averages displacements over origins, centres and blocks; called by msd_analysis.c. */
#include "msd_statistic.h"

#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "kernels/scattering/displacement_function.h"

void
debye_msd_statistic_clear(DebyeMsdStatistic *statistic)
{
  g_clear_pointer(&statistic->msd, g_free);
  g_clear_pointer(&statistic->alpha2, g_free);
  g_clear_pointer(&statistic->errors, g_free);
  g_clear_pointer(&statistic->blocks, g_free);
}

double
debye_msd_standard_error(const double *values, gsize n, gsize step)
{
  double sum = 0.0, squares = 0.0;
  gsize n_known = 0;
  for (gsize i = 0; i < n; i++)
    if (isfinite(values[i * step])) {
      sum += values[i * step];
      n_known++;
    }
  if (n_known < 2)
    return NAN;
  const double mean = sum / (double)n_known;
  for (gsize i = 0; i < n; i++)
    if (isfinite(values[i * step]))
      squares += (values[i * step] - mean) * (values[i * step] - mean);
  return sqrt(squares / (double)(n_known - 1) / (double)n_known);
}

/* The sums of a block over its displacements, into the means; a block without paths has none. */
static void
take_block(DebyeMsdStatistic *statistic, gsize block, gsize n_paths, gsize n_frames, const double *square)
{
  statistic->n_known += n_paths > 0;
  for (gsize lag = 0; lag < statistic->n_block_lags; lag++)
    statistic->blocks[block * statistic->n_block_lags + lag] =
        n_paths > 0 ? debye_displacement_mean_square(square[lag], (double)n_paths * (double)(n_frames - lag))
                    : NAN;
}

static void
find_errors(DebyeMsdStatistic *statistic)
{
  for (gsize lag = 0; lag < statistic->n_lags; lag++)
    statistic->errors[lag] =
        lag < statistic->n_block_lags
            ? debye_msd_standard_error(statistic->blocks + lag, statistic->n_blocks, statistic->n_block_lags)
            : NAN;
}

/* Blocks of frames. */
static gboolean
add_frame_blocks(DebyeMsdStatistic *statistic, const DebyeDisplacementMoments *moments, gsize n_frames,
                 GError **error)
{
  g_autofree double *square = g_new(double, n_frames);
  g_autofree double *fourth = g_new(double, n_frames);
  for (gsize block = 0; block < statistic->n_blocks; block++) {
    DebyeStatus status = {0};
    if (!debye_device_check(debye_displacement_moments_get(moments, block, square, fourth, &status), &status,
                            error))
      return FALSE;
    take_block(statistic, block, debye_displacement_moments_count(moments, block), n_frames, square);
  }
  return TRUE;
}

/* All centres; where the groups tell the errors, each of them. */
static gboolean
add_groups(DebyeMsdStatistic *statistic, const DebyeDisplacementMoments *moments, gsize n_groups,
           gsize n_frames, GError **error)
{
  g_autofree double *square = g_new(double, n_frames);
  g_autofree double *fourth = g_new(double, n_frames);
  g_autofree double *fourths = g_new0(double, statistic->n_lags);
  for (gsize group = 0; group < n_groups; group++) {
    DebyeStatus status = {0};
    const gsize n_paths = debye_displacement_moments_count(moments, group);
    if (!debye_device_check(debye_displacement_moments_get(moments, group, square, fourth, &status), &status,
                            error))
      return FALSE;
    statistic->n_centres += n_paths;
    for (gsize lag = 0; lag < statistic->n_lags; lag++) {
      statistic->msd[lag] += square[lag];
      fourths[lag] += fourth[lag];
    }
    if (!statistic->of_frames)
      take_block(statistic, group, n_paths, n_frames, square);
  }
  for (gsize lag = 0; lag < statistic->n_lags; lag++) {
    const double n = (double)statistic->n_centres * (double)(n_frames - lag);
    statistic->alpha2[lag] = debye_displacement_non_gaussian(statistic->msd[lag], fourths[lag], n);
    statistic->msd[lag] = debye_displacement_mean_square(statistic->msd[lag], n);
  }
  return TRUE;
}

gboolean
debye_msd_statistic_init(DebyeMsdStatistic *statistic, const DebyeDisplacementMoments *moments,
                         gsize n_groups, gsize n_frames, gsize n_lags,
                         const DebyeDisplacementMoments *of_frames, gsize n_frame_blocks,
                         gsize n_block_frames, GError **error)
{
  *statistic = (DebyeMsdStatistic){.n_lags = n_lags,
                                   .msd = g_new0(double, n_lags),
                                   .alpha2 = g_new0(double, n_lags),
                                   .errors = g_new0(double, n_lags),
                                   .of_frames = of_frames != NULL,
                                   .n_blocks = of_frames != NULL ? n_frame_blocks : n_groups,
                                   .n_block_lags = of_frames != NULL ? MIN(n_block_frames, n_lags) : n_lags};
  statistic->blocks = g_new0(double, statistic->n_blocks * statistic->n_block_lags);
  if (!add_groups(statistic, moments, n_groups, n_frames, error) ||
      (of_frames != NULL && !add_frame_blocks(statistic, of_frames, n_block_frames, error)))
    return FALSE;
  find_errors(statistic);
  return TRUE;
}
