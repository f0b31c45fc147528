/* SPDX-License-Identifier: MIT */
/* Finds the peaks and shells of a pair distribution; called by rdf_result.c. */
#include "rdf_peaks.h"

#include <math.h>

#define REACH 0.3   /* Å: narrower than any two shells are apart */
#define CHANCE 0.01 /* of one peak or more that is noise, in a whole curve */

/* Whether sign·g[k] is the largest within reach; of equal ones the first. A minimum need be the first of its own valley alone:
 * on both sides of a narrow peak, as crystals have them, g is 0. At the ends nobody knows. */
static gboolean
is_extreme(const double *g, gsize n_bins, gsize k, gsize reach, double sign)
{
  if (k + 1 >= n_bins || k == 0)
    return FALSE;
  gsize first = k > reach ? k - reach : 0, last = MIN(k + reach, n_bins - 1);
  for (gsize i = first; i <= last; i++)
    if (sign * g[i] > sign * g[k] || (i < k && g[i] == g[k] && (sign > 0.0 || i + 1 == k)))
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

/* How many standard errors a normal variate exceeds with a probability of CHANCE in any of `n` tries: the root of
 * n·erfc(z/√2)/2 = CHANCE, by bisection. */
static double
standard_errors_for(double n)
{
  double low = 0.0, high = 10.0;
  while (high - low > 1e-6) {
    const double z = 0.5 * (low + high);
    if (0.5 * n * erfc(z * G_SQRT2 / 2.0) > CHANCE)
      low = z;
    else
      high = z;
  }
  return high;
}

typedef struct {
  const double *g, *errors;
  double over_one, apart; /* standard errors that a value must be above 1, and two values apart */
  gsize start;            /* of the search for the next peak */
  gsize peak, end;        /* of the shell under way, 0: not yet met */
} Search;

static gboolean
are_apart(const Search *search, gsize low, gsize high)
{
  return search->g[high] - search->g[low] > search->apart * hypot(search->errors[low], search->errors[high]);
}

/* Above 1, and above some value before it: the lowest one may be the least certain. */
static gboolean
stands_out(const Search *search, gsize k)
{
  gboolean is_above = FALSE;
  for (gsize i = search->start; i < k && !is_above; i++)
    is_above = are_apart(search, i, k);
  return is_above && search->g[k] > 1.0 + search->over_one * search->errors[k];
}

/* TRUE where a maximum ends the shell under way, and may begin the next. One that is not told from the minimum before it
 * belongs to the shell, as its peak where it is higher. */
static gboolean
ends_shell(Search *search, gsize maximum)
{
  if (search->end != 0 && are_apart(search, search->end, search->peak) &&
      are_apart(search, search->end, maximum))
    return TRUE;
  if (search->g[maximum] > search->g[search->peak]) {
    search->peak = maximum;
    search->end = 0;
  }
  return FALSE;
}

/* The shell under way, whose minimum counts where it is told from the peak. */
static DebyeRdfPeak
take_shell(Search *search, const double *coordination, double width)
{
  const double *g = search->g;
  const gsize k = search->peak;
  const gboolean has_end = search->end != 0 && are_apart(search, search->end, k);
  const DebyeRdfPeak peak = {
      .position = width * ((double)k + 0.5 + summit(g[k - 1], g[k], g[k + 1])),
      .height = g[k],
      .end = has_end ? width * ((double)search->end + 0.5) : NAN,
      .coordination = has_end ? coordination[search->end] : NAN,
  };
  search->start = search->end;
  search->peak = search->end = 0;
  return peak;
}

gsize
debye_rdf_find_peaks(const double *g, const double *errors, const double *coordination, gsize n_bins,
                     double width, DebyeRdfPeak *peaks, gsize max)
{
  const double n_tries = (double)n_bins;
  Search search = {.g = g,
                   .errors = errors,
                   .over_one = standard_errors_for(n_tries),
                   .apart = standard_errors_for(0.5 * n_tries * n_tries)};
  gsize n = 0, reach = (gsize)MAX(1.0, ceil(REACH / width));
  for (gsize k = 1; k + 1 < n_bins && n < max; k++) {
    const gboolean is_maximum = is_extreme(g, n_bins, k, reach, 1.0);
    if (search.peak != 0 && is_maximum && ends_shell(&search, k))
      peaks[n++] = take_shell(&search, coordination, width);
    if (search.peak == 0 && is_maximum && stands_out(&search, k))
      search.peak = k;
    else if (search.peak != 0 && is_extreme(g, n_bins, k, reach, -1.0) &&
             (search.end == 0 || g[k] < g[search.end]))
      search.end = k;
  }
  if (search.peak != 0 && n < max)
    peaks[n++] = take_shell(&search, coordination, width);
  return n;
}
