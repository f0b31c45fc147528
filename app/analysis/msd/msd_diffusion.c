/* SPDX-License-Identifier: MIT */
/* Fits diffusion coefficients; called by msd_result.c. */
#include "msd_diffusion.h"

#include <math.h>

/* Of the longest lag: the line's usual range. Before it motion is not yet diffusive, behind it there are few
 * independent displacements. */
#define USUAL_FIRST 0.1
#define USUAL_LAST 0.5

#define XI 2.837297               /* of a cubic lattice */
#define BOLTZMANN 1.380649e-23    /* J/K */
#define SQUARE_METRE_A_SECOND 1e8 /* in Å²/ps */

/* The slope of the least squares line through y[first … last] over their index, and where it meets index 0.
 * FALSE with fewer than two values. */
static gboolean
fit_line(const double *y, gsize first, gsize last, double *slope, double *offset)
{
  const double n = (double)(last - first + 1), middle = 0.5 * (double)(first + last);
  double mean = 0.0, products = 0.0, squares = 0.0;
  if (last <= first)
    return FALSE;
  for (gsize i = first; i <= last; i++)
    mean += y[i] / n;
  for (gsize i = first; i <= last; i++) {
    const double x = (double)i - middle;
    products += x * (y[i] - mean);
    squares += x * x;
  }
  *slope = products / squares;
  *offset = mean - *slope * middle;
  return isfinite(*slope);
}

/* ξ kT/(6πηL) in Å²/ps, of K, mPa·s and Å. */
static double
find_size_correction(double temperature, double viscosity, double length)
{
  return XI * BOLTZMANN * temperature / (6.0 * G_PI * viscosity * 1e-3 * length * 1e-10) *
         SQUARE_METRE_A_SECOND;
}

/* The lags whose times are in the range, ends included. */
static void
find_range(DebyeMsdDiffusion *diffusion, const DebyeMsdPlan *plan, gsize n_lags)
{
  const double longest = diffusion->step * (double)(n_lags - 1);
  const double begin = plan->has_fit ? plan->fit[0] : USUAL_FIRST * longest;
  const double end = plan->has_fit ? plan->fit[1] : USUAL_LAST * longest;
  diffusion->first = (gsize)ceil(begin / diffusion->step - 1e-6);
  diffusion->last = MIN((gsize)floor(end / diffusion->step + 1e-6), n_lags - 1);
  /* Of a few frames all that there is. */
  if (!plan->has_fit && diffusion->last < diffusion->first + 1) {
    diffusion->first = MIN(diffusion->first, n_lags - 2);
    diffusion->last = diffusion->first + 1;
  }
}

/* Of a block that is shorter than the line's end the same parts of its own lags. */
static double
fit_block(const DebyeMsdDiffusion *diffusion, const DebyeMsdStatistic *statistic, gsize block)
{
  const double *y = statistic->blocks + block * statistic->n_block_lags;
  gsize first = diffusion->first, last = diffusion->last;
  double slope, offset;
  if (last >= statistic->n_block_lags) {
    const double part = (double)(statistic->n_block_lags - 1) / (double)(statistic->n_lags - 1);
    first = (gsize)ceil(part * (double)first);
    last = (gsize)floor(part * (double)last);
  }
  return fit_line(y, first, last, &slope, &offset) ? slope / (6.0 * diffusion->step) : NAN;
}

DebyeMsdDiffusion
debye_msd_diffusion(const DebyeMsdPlan *plan, const DebyeMsdStatistic *statistic, double step, double length)
{
  DebyeMsdDiffusion diffusion = {
      .step = step > 0.0 ? step : 1.0, .d = NAN, .error = NAN, .offset = NAN, .correction = NAN};
  g_autofree double *d = g_new(double, MAX(statistic->n_blocks, 1));
  double slope;
  if (statistic->n_lags < 2)
    return diffusion;
  find_range(&diffusion, plan, statistic->n_lags);
  if (!fit_line(statistic->msd, diffusion.first, diffusion.last, &slope, &diffusion.offset))
    return diffusion;
  diffusion.d = slope / (6.0 * diffusion.step);
  for (gsize block = 0; block < statistic->n_blocks; block++)
    d[block] = fit_block(&diffusion, statistic, block);
  diffusion.error = debye_msd_standard_error(d, statistic->n_blocks, 1);
  if (plan->settings.viscosity > 0.0 && length > 0.0)
    diffusion.correction = find_size_correction(plan->settings.temperature, plan->settings.viscosity, length);
  return diffusion;
}
