/* SPDX-License-Identifier: MIT */
/* Signals of rows, see scattering_signals.h. */
#include "scattering_signals.h"

#include "data/error.h"

gboolean
debye_scattering_signals_init(DebyeScatteringSignals *signals, gsize n_rows, gsize n_times, GError **error)
{
  *signals = (DebyeScatteringSignals){.n_rows = n_rows, .n_times = n_times};
  signals->fqt = g_try_new0(double complex, n_rows *n_times);
  signals->fq = g_try_new0(double complex, n_rows);
  signals->fq2 = g_try_new0(double, n_rows);
  if (signals->fqt != NULL && signals->fq != NULL && signals->fq2 != NULL)
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
              "In time: no memory for %" G_GSIZE_FORMAT " values of q at %" G_GSIZE_FORMAT " times", n_rows,
              n_times);
  return FALSE;
}

void
debye_scattering_signals_clear(DebyeScatteringSignals *signals)
{
  g_clear_pointer(&signals->fqt, g_free);
  g_clear_pointer(&signals->fq, g_free);
  g_clear_pointer(&signals->fq2, g_free);
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
debye_scattering_signals_join(DebyeScatteringSignals *signals, const DebyeScatteringSignals *other)
{
  g_return_if_fail(signals->n_rows == other->n_rows && signals->n_times == other->n_times);
  for (gsize i = 0; i < signals->n_rows * signals->n_times; i++)
    signals->fqt[i] += other->fqt[i];
  for (gsize row = 0; row < signals->n_rows; row++) {
    signals->fq[row] += other->fq[row];
    signals->fq2[row] += other->fq2[row];
  }
}

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

DebyeSignal
debye_scattering_parse_signal(const char *name)
{
  return g_str_equal(name, "square")  ? DEBYE_SIGNAL_SQUARE
         : g_str_equal(name, "plain") ? DEBYE_SIGNAL_PLAIN
                                      : DEBYE_SIGNAL_AUTOCORRELATE;
}
