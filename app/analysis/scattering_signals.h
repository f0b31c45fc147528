/* SPDX-License-Identifier: MIT */
/* What became of the amplitudes in time, for each row of a result (a q, or a vector): f(q, τ) or f(q, t), its
 * mean over all times, and the mean of the squared modulus of each vector's (each atom's) own mean, the
 * elastic part. Means over the vectors of a row. Weights are in, nothing is normalised. */
#pragma once

#include <complex.h>

#include "kernels/correlation.h"
#include "scattering_plan.h"

G_BEGIN_DECLS

typedef struct {
  gsize n_rows, n_times;
  double complex *fqt; /* [row·n_times + time] */
  double complex *fq;  /* of a row */
  double *fq2;
} DebyeScatteringSignals;

/* FALSE with an error without the memory. */
gboolean debye_scattering_signals_init(DebyeScatteringSignals *signals, gsize n_rows, gsize n_times,
                                       GError **error);
void debye_scattering_signals_clear(DebyeScatteringSignals *signals);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScatteringSignals, debye_scattering_signals_clear)

/* Adds a vector's processed signal, n_times complex pairs, with its share of the row. `both`: the vector
 * stands for its opposite, too, whose signal is the conjugate. */
void debye_scattering_signals_add(DebyeScatteringSignals *signals, gsize row, const double *f, double share,
                                  gboolean both);
/* Adds another's rows to this one's: coherent and incoherent make the total. */
void debye_scattering_signals_join(DebyeScatteringSignals *signals, const DebyeScatteringSignals *other);

/* The row of each vector of a plan, and its share of that row. */
typedef struct {
  guint *row;
  double *share;
  gboolean *both;
} DebyeVectorRows;

void debye_vector_rows_init(DebyeVectorRows *rows, const DebyeScatteringPlan *plan);
void debye_vector_rows_clear(DebyeVectorRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeVectorRows, debye_vector_rows_clear)

/* "autocorrelate", "square", "plain" */
DebyeSignal debye_scattering_parse_signal(const char *name);

G_END_DECLS
