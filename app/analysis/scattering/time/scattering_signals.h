/* SPDX-License-Identifier: MIT */
/* The signals that intermediate_scattering_*.c fill, for each row of a result (a q, or a vector): f(q, τ) or
 * f(q, t), its mean over all times, and the mean of the squared modulus of each vector's (each atom's) own
 * mean, the elastic part. Means are over the vectors of a row; weights are included, nothing is
 * normalised. */
#pragma once

#include <complex.h>

#include "kernels/scattering/correlation.h"
#include "app/analysis/driver/ranks.h"
#include "app/analysis/scattering/system/scattering_plan.h"

typedef struct {
  gsize n_rows, n_times, n_partials;
  double complex *fqt; /* [row·n_times + time] */
  double complex *fq;  /* of a row */
  double *fq2;
  double *partials; /* [(partial·n_rows + row)·n_times + time]: real parts; NULL without */
} DebyeScatteringSignals;

/* FALSE with an error without the memory. */
gboolean debye_scattering_signals_init(DebyeScatteringSignals *signals, gsize n_rows, gsize n_times,
                                       gsize n_partials, GError **error);
void debye_scattering_signals_clear(DebyeScatteringSignals *signals);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScatteringSignals, debye_scattering_signals_clear)

/* Adds a vector's processed signal, n_times complex pairs, with its share of the row. `both`: the vector
 * stands for its opposite, too, whose signal is the conjugate. */
void debye_scattering_signals_add(DebyeScatteringSignals *signals, gsize row, const double *f, double share,
                                  gboolean both);
/* As the other does, to the real part of a partial alone. */
void debye_scattering_signals_add_partial(DebyeScatteringSignals *signals, gsize partial, gsize row,
                                          const double *f, double share);
/* Adds another's rows, row i of it to rows[i] of this one (NULL: to the same): coherent and incoherent make
 * the total. */
void debye_scattering_signals_join(DebyeScatteringSignals *signals, const DebyeScatteringSignals *other,
                                   const guint *rows);
/* The other's rows of these numbers, as many as this one has, into it. */
void debye_scattering_signals_pick(DebyeScatteringSignals *signals, const DebyeScatteringSignals *other,
                                   const guint *rows);
/* All processes' sums. */
void debye_scattering_signals_share(DebyeScatteringSignals *signals, const DebyeRanks *ranks);

/* The partials of a plan: of coherent scattering what each pair of species adds, 00, 01, …, 11, …; after them
 * of incoherent scattering each species. None unless they are asked for; of amplitudes as they are (PLAIN)
 * there are none. */
gsize debye_scattering_count_partials(const DebyeScatteringPlan *plan, DebyeSignal signal);
/* The first of the species'. */
gsize debye_scattering_first_own_partial(const DebyeScatteringPlan *plan);
/* "O-H", "H self". To be freed. */
char *debye_scattering_name_partial(const DebyeScatteringPlan *plan, gsize partial);

/* The row of each vector of a plan, and its share of that row. */
typedef struct {
  guint *row;
  double *share;
  gboolean *both;
} DebyeVectorRows;

void debye_vector_rows_init(DebyeVectorRows *rows, const DebyeScatteringPlan *plan);
void debye_vector_rows_clear(DebyeVectorRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeVectorRows, debye_vector_rows_clear)
