/* SPDX-License-Identifier: MIT */
/* Sines and cosines of q·r of some distances, from one q to the next; for scattering_debye.c and
 * scattering_debye_moments.c; and sums of products, also for scattering_debye_lattice.c. Where values of q are evenly
 * spaced, each goes on by a turn through a fixed angle, which is made anew now and then so that rounding does not grow. */
#pragma once

#include <stddef.h>

#define DEBYE_DISTANCES_TILE 128 /* at a time: their sines stay in the first cache */
#define DEBYE_DISTANCES_LANES 8  /* divides TILE: sums side by side don't wait for each other */

/* Σ a·b, n not necessarily a multiple of LANES. */
static inline double
debye_sum_products(const double *a, const double *b, size_t n)
{
  double sums[DEBYE_DISTANCES_LANES] = {0.0}, sum = 0.0;
  const size_t end = n - n % DEBYE_DISTANCES_LANES;
  for (size_t i = 0; i < end; i += DEBYE_DISTANCES_LANES)
    for (size_t lane = 0; lane < DEBYE_DISTANCES_LANES; lane++)
      sums[lane] += a[i + lane] * b[i + lane];
  for (size_t i = end; i < n; i++)
    sum += a[i] * b[i];
  for (size_t lane = 0; lane < DEBYE_DISTANCES_LANES; lane++)
    sum += sums[lane];
  return sum;
}

typedef struct {
  size_t n;
  double r[DEBYE_DISTANCES_TILE], weight[DEBYE_DISTANCES_TILE];
  double sine[DEBYE_DISTANCES_TILE], cosine[DEBYE_DISTANCES_TILE];           /* of q·r */
  double step_sine[DEBYE_DISTANCES_TILE], step_cosine[DEBYE_DISTANCES_TILE]; /* of (the step of q)·r */
  double step;
  size_t n_turns;
} DebyeDistances;

/* Makes sines and cosines those of q[k]; to be called for k = 0, 1, 2, … of the same n distances. */
void debye_distances_go_to(DebyeDistances *distances, const double *q, size_t n_q, size_t k);
/* Adds Σ weight·sin(qr)/(qr) to sums[n_q], and has no distances then. All r > 0. */
void debye_distances_flush(DebyeDistances *distances, const double *q, size_t n_q, double *sums);

/* Adds a pair: its distance to the tile, which is flushed when it is full; atoms at one place to the sums at once. */
static inline void
debye_distances_add(DebyeDistances *distances, double r, double weight, const double *q, size_t n_q,
                    double *sums)
{
  if (r == 0.0) {
    for (size_t k = 0; k < n_q; k++)
      sums[k] += weight;
    return;
  }
  distances->r[distances->n] = r;
  distances->weight[distances->n++] = weight;
  if (distances->n == DEBYE_DISTANCES_TILE)
    debye_distances_flush(distances, q, n_q, sums);
}
