/* SPDX-License-Identifier: MIT */
/* Correlates the series of vectors; called by intermediate_scattering_coherent.c.
 *
 * What a pair of species adds, both orders together, is what correlating their sum brings beyond correlating
 * each: C(a + b) − C(a) − C(b). That holds of the squared modulus, too. */
#include "scattering_correlation.h"

#include <string.h>

#include "data/files/error.h"
#include "kernels/scattering/correlation_lanes.h"
#include "app/analysis/scattering/intensity/scattering_sums.h"

#define MAX_SERIES 512               /* that are correlated together */
#define MAX_BYTES ((guint64)1 << 26) /* of them */
/* And this part of a limit on memory: the series of a pass have half of it, and as much as goes in comes out.
 */
#define LIMIT_PART 8
#define ALL_SPECIES G_MAXUINT

typedef struct {
  const DebyeIntermediateScattering *scattering;
  const DebyeVectorSeries *series;
  const DebyeVectorRows *rows;
  DebyeScatteringSignals *signals;
  double complex *in, *out; /* of some vectors */
} Correlation;

static void
correlation_clear(Correlation *correlation)
{
  g_free(correlation->in);
  g_free(correlation->out);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Correlation, correlation_clear)

/* Adds a species' series of n vectors from `at` on to those that are to be correlated. */
static void
add_series(const Correlation *correlation, gsize species, gsize at, gsize n)
{
  gsize n_times = correlation->signals->n_times;
  const double complex *from =
      correlation->series->values + (species * correlation->series->n + at) * n_times;
  for (gsize i = 0; i < n * n_times; i++)
    correlation->in[i] += from[i];
}

static gboolean
execute(const Correlation *correlation, gsize n, GError **error)
{
  const DebyeIntermediateScattering *scattering = correlation->scattering;
  const DebyeCorrelationLanesSettings settings = {
      .correlation = {.signal = scattering->signal, .n_frames = correlation->signals->n_times},
      .memory_limit = scattering->plan->memory_limit};
  DebyeStatus status = {0};
  if (debye_correlation_lanes_execute(&settings, scattering->devices, scattering->n_devices,
                                      (const double *)correlation->in, n, (double *)correlation->out,
                                      debye_intermediate_scattering_get_cancel(scattering),
                                      &status) == DEBYE_STATUS_OK)
    return TRUE;
  return debye_device_set_error(error, &status);
}

/* The partial that a pair of species adds to: with parts, several do to one. */
static gsize
find_partial(const Correlation *correlation, guint a, guint b)
{
  const DebyeScatterers *scatterers = &correlation->scattering->plan->scatterers;
  const guint one = debye_scatterers_get(scatterers, a)->part,
              other = debye_scatterers_get(scatterers, b)->part;
  return debye_scattering_pair(scatterers->parts->len, MIN(one, other), MAX(one, other));
}

/* Of the species a and b together, of a alone (b = a), or of all. */
static gboolean
correlate_some(const Correlation *correlation, guint a, guint b, gsize at, gsize n, GError **error)
{
  const DebyeVectorRows *rows = correlation->rows;
  DebyeScatteringSignals *signals = correlation->signals;
  gsize n_times = signals->n_times, n_species = correlation->series->n_series;
  memset(correlation->in, 0, n * n_times * sizeof *correlation->in);
  for (guint s = 0; s < n_species; s++)
    if (a == ALL_SPECIES || s == a || s == b)
      add_series(correlation, s, at, n);
  if (!execute(correlation, n, error))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    gsize v = correlation->series->first + at + i;
    const double *f = (const double *)(correlation->out + i * n_times);
    if (a == ALL_SPECIES) {
      debye_scattering_signals_add(signals, rows->row[v], f, rows->share[v], rows->both[v]);
      continue;
    }
    debye_scattering_signals_add_partial(signals, find_partial(correlation, a, b), rows->row[v], f,
                                         rows->share[v]);
    for (guint s = 0; s < n_species; s++)
      if (a == b && s != a)
        debye_scattering_signals_add_partial(signals, find_partial(correlation, s, a), rows->row[v], f,
                                             -rows->share[v]);
  }
  return TRUE;
}

static gboolean
correlate_run(const Correlation *correlation, gsize at, gsize n, GError **error)
{
  guint n_species = (guint)correlation->series->n_series;
  if (!correlate_some(correlation, ALL_SPECIES, ALL_SPECIES, at, n, error))
    return FALSE;
  for (guint a = 0; a < n_species && correlation->signals->n_partials > 0; a++)
    for (guint b = a; b < n_species; b++)
      if (!correlate_some(correlation, a, b, at, n, error))
        return FALSE;
  return TRUE;
}

gsize
debye_scattering_correlate_together(const DebyeScatteringPlan *plan, gsize n)
{
  const guint64 limit = plan->memory_limit;
  const guint64 room = limit > 0 ? MIN(limit / LIMIT_PART, MAX_BYTES) : MAX_BYTES;
  return CLAMP(room / (plan->frames.n_frames * sizeof(double complex)), 1, CLAMP(n, 1, MAX_SERIES));
}

gboolean
debye_scattering_correlate(const DebyeIntermediateScattering *scattering, const DebyeVectorSeries *series,
                           const DebyeVectorRows *rows, DebyeScatteringSignals *signals, GError **error)
{
  gsize n_times = signals->n_times;
  gsize n_together = debye_scattering_correlate_together(scattering->plan, series->to - series->from);
  g_auto(Correlation)
      correlation = {.scattering = scattering, .series = series, .rows = rows, .signals = signals};
  correlation.in = g_try_new(double complex, n_together *n_times);
  correlation.out = g_try_new(double complex, n_together *n_times);
  if (correlation.in == NULL || correlation.out == NULL)
    return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "In time",
                                 "no memory for %" G_GSIZE_FORMAT " frames of %" G_GSIZE_FORMAT " vectors",
                                 n_times, n_together);
  for (gsize at = series->from; at < series->to; at += n_together)
    if (!correlate_run(&correlation, at, MIN(n_together, series->to - at), error))
      return FALSE;
  return TRUE;
}
