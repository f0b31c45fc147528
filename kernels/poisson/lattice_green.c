/* SPDX-License-Identifier: MIT */
/* Implementation of lattice_green.h: the trapezoidal rule over ln t, which converges exponentially. */
#include "lattice_green.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define N (DEBYE_LATTICE_GREEN_REACH + 1)
#define PI 3.14159265358979323846
/* Of ln(2ct): the integrand falls as t below and as t^(−1/2) above. */
#define FIRST (-30.0)
#define LAST 50.0
#define STEP 0.125
/* From here on the asymptotic series is exact to rounding. */
#define ASYMPTOTIC 2000.0

/* e^(−x) I_n(x) for n = 0 … N − 1, by its series for large x. */
static void
bessel_large(double x, double out[N])
{
  for (int n = 0; n < N; n++) {
    double term = 1.0, sum = 1.0;
    for (int k = 1; k <= 12; k++) {
      const double odd = 2.0 * k - 1.0;
      term *= -(4.0 * n * n - odd * odd) / (8.0 * k * x);
      sum += term;
    }
    out[n] = sum / sqrt(2.0 * PI * x);
  }
}

/* By Miller's recurrence, normalised by e^x = I_0 + 2 Σ I_n. */
static void
bessel_small(double x, double out[N])
{
  const int start = N + 20 + (int)(8.0 * sqrt(x));
  double next = 0.0, here = 1e-280, sum = 0.0;
  for (int n = start; n >= 0; n--) {
    if (n < N)
      out[n] = here;
    sum += n > 0 ? 2.0 * here : here;
    const double before = next + 2.0 * n / x * here;
    next = here;
    here = before;
    if (here > 1e250) {
      here *= 1e-250;
      next *= 1e-250;
      sum *= 1e-250;
      for (int i = n; i < N; i++)
        out[i] *= 1e-250;
    }
  }
  for (int n = 0; n < N; n++)
    out[n] /= sum;
}

static void
bessel_scaled(double x, double out[N])
{
  memset(out, 0, N * sizeof *out);
  if (x < 1e-6)
    for (int n = 0; n < N; n++)
      out[n] = n == 0 ? 1.0 - x : out[n - 1] * x / (2.0 * n);
  else if (x < ASYMPTOTIC)
    bessel_small(x, out);
  else
    bessel_large(x, out);
}

static void
add(DebyeLatticeGreen *green, double weight, double bessel[3][N])
{
  for (int x = 0; x < N; x++)
    for (int y = 0; y < N; y++)
      for (int z = 0; z < N; z++)
        green->at[x][y][z] += weight * bessel[0][x] * bessel[1][y] * bessel[2][z];
}

static void
integrate(DebyeLatticeGreen *green, const double conductance[3])
{
  memset(green, 0, sizeof *green);
  for (double u = FIRST; u <= LAST; u += STEP) {
    const double t = exp(u) / conductance[0];
    double bessel[3][N];
    for (int axis = 0; axis < 3; axis++)
      bessel_scaled(2.0 * conductance[axis] * t, bessel[axis]);
    add(green, STEP * t, bessel);
  }
}

static DebyeLatticeGreen cubic;

static void
integrate_cubic(void)
{
  static const double unit[3] = {1.0, 1.0, 1.0};
  integrate(&cubic, unit);
}

/* All cubic lattices have one function, but for its scale. */
void
debye_lattice_green_init(DebyeLatticeGreen *green, const double conductance[3])
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const double *from = &cubic.at[0][0][0];
  double *to = &green->at[0][0][0];
  if (conductance[0] != conductance[1] || conductance[0] != conductance[2]) {
    integrate(green, conductance);
    return;
  }
  pthread_once(&once, integrate_cubic);
  for (size_t i = 0; i < N * N * N; i++)
    to[i] = from[i] / conductance[0];
}
