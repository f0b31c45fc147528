/* SPDX-License-Identifier: MIT */
/* How two clusters of spheres of diameter 1 come to touch; called by aggregate.c. */
#pragma once

#include <glib.h>

typedef enum {
  DEBYE_AGGREGATE_DIFFUSION, /* Brownian motion, and the first contact is for ever: D = 1.78 ± 0.05 */
  DEBYE_AGGREGATE_REACTION, /* contacts seldom hold: each way to touch is as likely (R. Jullien & M. Kolb, J. Phys. A 17 (1984)
                                L639): D = 2.0 ± 0.1 */
} DebyeAggregateLaw;

typedef struct {
  double x, y, z;
} DebyeAggregatePoint;

typedef struct {
  const DebyeAggregatePoint *points; /* about the centre of mass */
  guint n;
  double radius; /* of the farthest point */
} DebyeCluster;

/* From 0 to 1, 1 excluded (D. E. Knuth's MMIX generator with an output mix): the same on all machines. */
double debye_aggregate_random(guint64 *state);

/* Where the centre of `moving` is when it touches `fixed`: exactly one distance is 1, none is less. */
DebyeAggregatePoint debye_aggregate_collide(DebyeAggregateLaw law, const DebyeCluster *fixed,
                                            const DebyeCluster *moving, guint64 *state);
