/* SPDX-License-Identifier: MIT */
/* Finds the peaks and shells of a pair distribution; called by rdf_result.c. */
#include "rdf_peaks.h"

#include <math.h>

#define REACH 0.3 /* Å: narrower than any two shells are apart */

/* Whether sign·g[k] is the largest within reach; of equal ones the first. At the ends nobody knows. */
static gboolean
is_extreme(const double *g, gsize n_bins, gsize k, gsize reach, double sign)
{
  if (k + 1 >= n_bins || k == 0)
    return FALSE;
  gsize first = k > reach ? k - reach : 0, last = MIN(k + reach, n_bins - 1);
  for (gsize i = first; i <= last; i++)
    if (sign * g[i] > sign * g[k] || (i < k && g[i] == g[k]))
      return FALSE;
  return TRUE;
}

/* The summit of the parabola through three points, in bins from the middle one. */
static double
summit(double before, double at, double behind)
{
  double curvature = before - 2.0 * at + behind;
  return curvature < 0.0 ? 0.5 * (before - behind) / curvature : 0.0;
}

gsize
debye_rdf_find_peaks(const double *g, const double *coordination, gsize n_bins, double width,
                     DebyeRdfPeak *peaks, gsize max)
{
  gsize n = 0, reach = (gsize)MAX(1.0, ceil(REACH / width));
  for (gsize k = 1; k + 1 < n_bins; k++) {
    gboolean in_shell = n > 0 && isnan(peaks[n - 1].end);
    if (in_shell && is_extreme(g, n_bins, k, reach, -1.0)) {
      peaks[n - 1].end = width * ((double)k + 0.5);
      peaks[n - 1].coordination = coordination[k];
    } else if (!in_shell && n < max && g[k] > 1.0 && is_extreme(g, n_bins, k, reach, 1.0)) {
      double shift = summit(g[k - 1], g[k], g[k + 1]);
      peaks[n++] = (DebyeRdfPeak){
          .position = width * ((double)k + 0.5 + shift), .height = g[k], .end = NAN, .coordination = NAN};
    }
  }
  return n;
}
