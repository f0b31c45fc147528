/* SPDX-License-Identifier: MIT */
/* Implementation of scattering_distances.h; called by scattering_debye.c and scattering_debye_moments.c. */
#include "scattering_distances.h"

#include <math.h>
#include <stdbool.h>

#define TURNS_IN_A_ROW 32 /* the error of a turn is half an ulp */
#define EVEN 1e-9         /* steps that differ by less are the same, relative to q */

static void
start_turning(DebyeDistances *distances, double q)
{
  for (size_t i = 0; i < distances->n; i++) {
    distances->sine[i] = sin(q * distances->r[i]);
    distances->cosine[i] = cos(q * distances->r[i]);
  }
}

static void
make_step(DebyeDistances *distances, double step)
{
  for (size_t i = 0; i < distances->n; i++) {
    distances->step_sine[i] = sin(step * distances->r[i]);
    distances->step_cosine[i] = cos(step * distances->r[i]);
  }
}

static void
turn(DebyeDistances *distances)
{
  for (size_t i = 0; i < distances->n; i++) {
    const double s = distances->sine[i], c = distances->cosine[i];
    distances->sine[i] = s * distances->step_cosine[i] + c * distances->step_sine[i];
    distances->cosine[i] = c * distances->step_cosine[i] - s * distances->step_sine[i];
  }
}

void
debye_distances_go_to(DebyeDistances *distances, const double *q, size_t n_q, size_t k)
{
  const double next = k > 0 ? q[k] - q[k - 1] : -1.0;
  if (k == 0) {
    distances->step = -1.0;
    distances->n_turns = TURNS_IN_A_ROW;
  }
  const bool even = k > 0 && fabs(next - distances->step) <= EVEN * distances->step;
  if (!even && k + 1 < n_q && next > 0.0 && fabs(q[k + 1] - q[k] - next) <= EVEN * next) {
    distances->step = next;
    make_step(distances, next);
  }
  if (k > 0 && fabs(next - distances->step) <= EVEN * distances->step &&
      distances->n_turns < TURNS_IN_A_ROW) {
    turn(distances);
    distances->n_turns++;
  } else {
    start_turning(distances, q[k]);
    distances->n_turns = 0;
  }
}

static double
sum_weights(const DebyeDistances *distances)
{
  double sum = 0.0;
  for (size_t i = 0; i < distances->n; i++)
    sum += distances->weight[i] * distances->r[i];
  return sum;
}

void
debye_distances_flush(DebyeDistances *distances, const double *q, size_t n_q, double *sums)
{
  /* Filled up with weights of nothing. */
  for (; distances->n % DEBYE_DISTANCES_LANES > 0; distances->n++) {
    distances->r[distances->n] = 1.0;
    distances->weight[distances->n] = 0.0;
  }
  for (size_t i = 0; i < distances->n; i++)
    distances->weight[i] /= distances->r[i];
  for (size_t k = 0; k < n_q && distances->n > 0; k++) {
    debye_distances_go_to(distances, q, n_q, k);
    sums[k] += q[k] > 0.0 ? debye_sum_products(distances->weight, distances->sine, distances->n) / q[k]
                          : sum_weights(distances);
  }
  distances->n = 0;
}
