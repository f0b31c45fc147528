/* SPDX-License-Identifier: MIT */
/* Clusters of touching spheres by aggregation of clusters: two of equal size at a time, off the lattice. A cluster of 2^k
 * particles is made of two of 2^(k−1), so that all of one stage are alike (the hierarchical model of R. Botet, R. Jullien
 * & M. Kolb, J. Phys. A 17 (1984) L75). Used by aggregate_file.c. Lengths are in diameters of a particle. */
#pragma once

#include "aggregate_collision.h"

typedef struct {
  DebyeAggregateLaw law;
  guint n_stages; /* 2^n_stages particles; 1 to DEBYE_AGGREGATE_MOST_STAGES */
  guint n_aggregates;
  guint64 seed; /* the same seed gives the same aggregates */
} DebyeAggregateRule;

#define DEBYE_AGGREGATE_MOST_STAGES 14

/* Fraction from 0 to 1; FALSE stops. */
typedef gboolean (*DebyeAggregateProgress)(double fraction, gpointer data);

typedef struct {
  guint n_particles, n_aggregates;
  DebyeAggregatePoint *positions; /* of one aggregate after the other, each about its centre of mass */
  double dimension,
      error; /* N ∝ Rg^dimension over the stages of 8 particles and more; NAN of fewer than 3 such stages */
} DebyeAggregates;

/* FALSE: stopped. */
gboolean debye_aggregates_grow(DebyeAggregates *self, const DebyeAggregateRule *rule,
                               DebyeAggregateProgress progress, gpointer data);
void debye_aggregates_clear(DebyeAggregates *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeAggregates, debye_aggregates_clear)
