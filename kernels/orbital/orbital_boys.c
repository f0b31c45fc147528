/* SPDX-License-Identifier: MIT */
/* Boys functions; called by orbital_potential.c for each product of Gaussians and point. */
#include <math.h>
#include <pthread.h>

#include "orbital_potential.h"

#define MAX_ORDER 24
#define N_TERMS 7
#define STEP 0.1
#define LARGEST 50.0 /* exp(−50) is below what double sees */
#define N_STEPS 502  /* one more than up to LARGEST */

static double table[N_STEPS][MAX_ORDER + N_TERMS];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

/* Of the highest order by its series, of the others downwards: both lose no digits. */
static void
fill_table(void)
{
  const int highest = MAX_ORDER + N_TERMS - 1;
  for (int k = 0; k < N_STEPS; k++) {
    const double t = k * STEP;
    double term = 1.0 / (2 * highest + 1), sum = 0.0;
    for (int i = 1; term > 1e-18 * sum; i++) {
      sum += term;
      term *= 2.0 * t / (2 * highest + 2 * i + 1);
    }
    table[k][highest] = exp(-t) * sum;
    for (int m = highest; m > 0; m--)
      table[k][m - 1] = (2.0 * t * table[k][m] + exp(-t)) / (2 * m - 1);
  }
}

/* Taylor's series about the table's nearest place, as dF_m/dt = −F_(m+1). */
static double
interpolate(int order, double t)
{
  const int nearest = (int)(t / STEP + 0.5);
  const double step = nearest * STEP - t;
  const double *row = table[nearest] + order;
  double sum = row[N_TERMS - 1];
  for (int k = N_TERMS - 1; k > 0; k--)
    sum = row[k - 1] + sum * step / k;
  return sum;
}

void
debye_orbital_boys(int order, double t, double *values)
{
  if (t >= LARGEST) {
    values[0] = 0.5 * sqrt(3.14159265358979323846 / t);
    for (int m = 0; m < order; m++)
      values[m + 1] = (2 * m + 1) * values[m] / (2.0 * t);
    return;
  }
  pthread_once(&table_once, fill_table);
  values[order] = interpolate(order, t);
  const double small = order > 0 ? exp(-t) : 0.0;
  for (int m = order; m > 0; m--)
    values[m - 1] = (2.0 * t * values[m] + small) / (2 * m - 1);
}
