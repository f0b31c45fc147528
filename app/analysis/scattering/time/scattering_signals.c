/* SPDX-License-Identifier: MIT */
/* Holds the series of amplitudes of rows; called by intermediate_scattering_coherent.c. */
#include "scattering_signals.h"

#include <string.h>

#include "data/files/error.h"

gboolean
debye_scattering_signals_init(DebyeScatteringSignals *signals, gsize n_rows, gsize n_times, gsize n_partials,
                              GError **error)
{
  *signals = (DebyeScatteringSignals){.n_rows = n_rows, .n_times = n_times, .n_partials = n_partials};
  signals->fqt = g_try_new0(double complex, n_rows *n_times);
  signals->fq = g_try_new0(double complex, n_rows);
  signals->fq2 = g_try_new0(double, n_rows);
  if (n_partials > 0)
    signals->partials = g_try_new0(double, n_partials *n_rows *n_times);
  if (signals->fqt != NULL && signals->fq != NULL && signals->fq2 != NULL &&
      (n_partials == 0 || signals->partials != NULL))
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "In time",
                               "no memory for %" G_GSIZE_FORMAT " values of q at %" G_GSIZE_FORMAT " times",
                               n_rows, n_times);
}

void
debye_scattering_signals_clear(DebyeScatteringSignals *signals)
{
  g_clear_pointer(&signals->fqt, g_free);
  g_clear_pointer(&signals->fq, g_free);
  g_clear_pointer(&signals->fq2, g_free);
  g_clear_pointer(&signals->partials, g_free);
}

void
debye_scattering_signals_add(DebyeScatteringSignals *signals, gsize row, const double *f, double share,
                             gboolean both)
{
  double complex *fqt = signals->fqt + row * signals->n_times;
  double mean[2];
  debye_signal_mean(f, signals->n_times, mean);
  for (gsize t = 0; t < signals->n_times; t++)
    fqt[t] += share * (f[2 * t] + (both ? 0.0 : I * f[2 * t + 1]));
  signals->fq[row] += share * (mean[0] + (both ? 0.0 : I * mean[1]));
  signals->fq2[row] += share * (mean[0] * mean[0] + mean[1] * mean[1]);
}

void
debye_scattering_signals_add_partial(DebyeScatteringSignals *signals, gsize partial, gsize row,
                                     const double *f, double share)
{
  double *to = signals->partials + (partial * signals->n_rows + row) * signals->n_times;
  for (gsize t = 0; t < signals->n_times; t++)
    to[t] += share * f[2 * t];
}

void
debye_scattering_signals_join(DebyeScatteringSignals *signals, const DebyeScatteringSignals *other,
                              const guint *rows)
{
  gsize n_times = signals->n_times;
  g_return_if_fail(n_times == other->n_times && signals->n_partials == other->n_partials);
  for (gsize i = 0; i < other->n_rows; i++) {
    gsize row = rows != NULL ? rows[i] : i;
    for (gsize t = 0; t < n_times; t++)
      signals->fqt[row * n_times + t] += other->fqt[i * n_times + t];
    for (gsize p = 0; p < signals->n_partials; p++)
      for (gsize t = 0; t < n_times; t++)
        signals->partials[(p * signals->n_rows + row) * n_times + t] +=
            other->partials[(p * other->n_rows + i) * n_times + t];
    signals->fq[row] += other->fq[i];
    signals->fq2[row] += other->fq2[i];
  }
}

void
debye_scattering_signals_pick(DebyeScatteringSignals *signals, const DebyeScatteringSignals *other,
                              const guint *rows)
{
  gsize n_times = signals->n_times;
  g_return_if_fail(n_times == other->n_times && signals->n_partials == other->n_partials);
  for (gsize i = 0; i < signals->n_rows; i++) {
    memcpy(signals->fqt + i * n_times, other->fqt + rows[i] * n_times, n_times * sizeof *signals->fqt);
    for (gsize p = 0; p < signals->n_partials; p++)
      memcpy(signals->partials + (p * signals->n_rows + i) * n_times,
             other->partials + (p * other->n_rows + rows[i]) * n_times, n_times * sizeof *signals->partials);
    signals->fq[i] = other->fq[rows[i]];
    signals->fq2[i] = other->fq2[rows[i]];
  }
}

void
debye_scattering_signals_share(DebyeScatteringSignals *signals, const DebyeRanks *ranks)
{
  gsize n = signals->n_rows * signals->n_times;
  if (ranks == NULL || ranks->n_ranks == 1)
    return;
  ranks->sum((double *)signals->fqt, 2 * n);
  ranks->sum((double *)signals->fq, 2 * signals->n_rows);
  ranks->sum(signals->fq2, signals->n_rows);
  if (signals->n_partials > 0)
    ranks->sum(signals->partials, signals->n_partials * n);
}

/* --- Partials --- */

gsize
debye_scattering_first_own_partial(const DebyeScatteringPlan *plan)
{
  gsize n = plan->scatterers.parts->len;
  return plan->with_coherent ? n * (n + 1) / 2 : 0;
}

gsize
debye_scattering_count_partials(const DebyeScatteringPlan *plan, DebyeSignal signal)
{
  gsize n_own = plan->with_incoherent ? plan->scatterers.parts->len : 0;
  return plan->settings.atoms.partials && signal != DEBYE_SIGNAL_PLAIN
             ? debye_scattering_first_own_partial(plan) + n_own
             : 0;
}

char *
debye_scattering_name_partial(const DebyeScatteringPlan *plan, gsize partial)
{
  const GPtrArray *parts = plan->scatterers.parts;
  guint n = parts->len, a = 0;
  gsize n_pairs = debye_scattering_first_own_partial(plan);
  if (partial >= n_pairs)
    return g_strdup_printf("%s self", (const char *)parts->pdata[partial - n_pairs]);
  for (; partial >= n - a; a++)
    partial -= n - a;
  return g_strdup_printf("%s-%s", (const char *)parts->pdata[a], (const char *)parts->pdata[a + partial]);
}

/* --- Vectors --- */

void
debye_vector_rows_init(DebyeVectorRows *rows, const DebyeScatteringPlan *plan)
{
  const double *weights = (const double *)plan->vectors.weights->data;
  guint n = plan->vectors.vectors->len;
  *rows = (DebyeVectorRows){g_new(guint, n), g_new(double, n), g_new(gboolean, n)};
  for (guint k = 0; k < plan->vectors.shells->len; k++) {
    const DebyeScatteringShell *shell = &g_array_index(plan->vectors.shells, DebyeScatteringShell, k);
    for (gsize v = shell->first; v < shell->first + shell->n; v++) {
      rows->row[v] = k;
      rows->share[v] = weights[v] / shell->weight;
      rows->both[v] = weights[v] > 1.0;
    }
  }
}

void
debye_vector_rows_clear(DebyeVectorRows *rows)
{
  g_clear_pointer(&rows->row, g_free);
  g_clear_pointer(&rows->share, g_free);
  g_clear_pointer(&rows->both, g_free);
}
