/* SPDX-License-Identifier: MIT */
/* Overlaps of Gaussians, by recursion over powers along each axis (Obara & Saika, J. Chem. Phys. 84, 3963 (1986)), and
 * solid harmonics; called by wave_normalisation.c. */
#include "wave_overlap.h"

#include <math.h>
#include <string.h>

#define N_POWERS (DEBYE_WAVE_MAX_L + 1)
/* exp(−40) is below what float or a norm of 1e-12 sees. */
#define FARTHEST 40.0

gsize
debye_wave_cartesian_index(int l, int a, int b G_GNUC_UNUSED, int c)
{
  const int rest = l - a;
  return (gsize)(rest * (rest + 1) / 2 + c);
}

double
debye_wave_double_factorial(int n)
{
  double product = 1.0;
  for (int i = 2 * n - 1; i > 1; i -= 2)
    product *= i;
  return product;
}

double
debye_wave_primitive_norm(int l, double exponent)
{
  return pow(2.0 * exponent / G_PI, 0.75) * pow(4.0 * exponent, 0.5 * l);
}

static double
binomial(int n, int k)
{
  double value = 1.0;
  if (k < 0 || k > n)
    return 0.0;
  for (int i = 1; i <= k; i++)
    value = value * (n - k + i) / i;
  return value;
}

static double
factorial(int n)
{
  double product = 1.0;
  for (int i = 2; i <= n; i++)
    product *= i;
  return product;
}

/* The terms of one t and u: of m ≥ 0 even powers of y from (x + iy)^|m|, else odd ones. */
static void
add_harmonic_terms(int l, int m, int t, int u, double factor, double *values)
{
  const int size = ABS(m);
  for (int power = m < 0 ? 1 : 0; power <= size; power += 2) {
    const double sign = (t + power / 2) % 2 == 0 ? 1.0 : -1.0;
    const int a = 2 * t + size - 2 * u - power, b = 2 * u + power, c = l - 2 * t - size;
    values[debye_wave_cartesian_index(l, a, b, c)] += sign * factor * pow(0.25, t) * binomial(l, t) *
                                                      binomial(l - t, size + t) * binomial(t, u) *
                                                      binomial(size, power);
  }
}

void
debye_wave_solid_harmonic(int l, int m, double values[DEBYE_WAVE_MAX_CARTESIAN])
{
  const int size = ABS(m);
  const double factor = sqrt(2.0 * factorial(l + size) * factorial(l - size) / (m == 0 ? 2.0 : 1.0)) /
                        (ldexp(1.0, size) * factorial(l) * sqrt(debye_wave_double_factorial(l)));
  memset(values, 0, DEBYE_WAVE_MAX_CARTESIAN * sizeof *values);
  for (int t = 0; t <= (l - size) / 2; t++)
    for (int u = 0; u <= t; u++)
      add_harmonic_terms(l, m, t, u, factor, values);
}

/* ∫ (x−A)^i (x−B)^j exp(−α(x−A)² − β(x−B)²) dx without the factor exp(−αβ/(α+β) (A−B)²). */
static void
fill_line(double alpha, double beta, double a, double b, int most_i, int most_j,
          double line[N_POWERS][N_POWERS])
{
  const double sum = alpha + beta, centre = (alpha * a + beta * b) / sum, half = 0.5 / sum;
  for (int i = 0; i <= most_i; i++)
    for (int j = 0; j <= most_j; j++) {
      if (i == 0 && j == 0)
        line[i][j] = sqrt(G_PI / sum);
      else if (i > 0)
        line[i][j] = (centre - a) * line[i - 1][j] + (i > 1 ? half * (i - 1) * line[i - 2][j] : 0.0) +
                     (j > 0 ? half * j * line[i - 1][j - 1] : 0.0);
      else
        line[i][j] = (centre - b) * line[i][j - 1] + (j > 1 ? half * (j - 1) * line[i][j - 2] : 0.0);
    }
}

/* Adds one pair of primitives to the block of two shells. */
static void
add_pair(const DebyeWaveFunction *self, const DebyeWaveShell *one, const DebyeWaveShell *other, guint32 i,
         guint32 j, double *block)
{
  const double alpha = g_array_index(self->exponents, double, i);
  const double beta = g_array_index(self->exponents, double, j);
  const double *a = g_array_index(self->atoms, DebyeWaveAtom, one->atom).position;
  const double *b = g_array_index(self->atoms, DebyeWaveAtom, other->atom).position;
  double lines[3][N_POWERS][N_POWERS], square = 0.0;
  for (int axis = 0; axis < 3; axis++)
    square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  const double argument = alpha * beta / (alpha + beta) * square;
  if (argument > FARTHEST)
    return;
  for (int axis = 0; axis < 3; axis++)
    fill_line(alpha, beta, a[axis], b[axis], one->l, other->l, lines[axis]);
  const double factor =
      g_array_index(self->weights, double, i) * g_array_index(self->weights, double, j) * exp(-argument);
  for (int x = one->l; x >= 0; x--)
    for (int y = one->l - x; y >= 0; y--)
      for (int u = other->l; u >= 0; u--)
        for (int v = other->l - u; v >= 0; v--)
          *block++ += factor * lines[0][x][u] * lines[1][y][v] * lines[2][one->l - x - y][other->l - u - v];
}

static gsize
count_cartesian(const DebyeWaveShell *shell)
{
  return (gsize)(shell->l + 1) * (gsize)(shell->l + 2) / 2;
}

static void
add_block(const double *rows, gsize n, gsize stride, gsize at, gsize to, const double *block, gsize n_at,
          gsize n_to, double *norms)
{
  for (gsize row = 0; row < n; row++) {
    const double *values = rows + row * stride;
    double sum = 0.0;
    for (gsize i = 0; i < n_at; i++)
      for (gsize j = 0; j < n_to; j++)
        sum += values[at + i] * block[i * n_to + j] * values[to + j];
    norms[row] += at == to ? sum : 2.0 * sum;
  }
}

void
debye_wave_function_get_norms(const DebyeWaveFunction *self, const double *rows, gsize n, double *norms)
{
  gsize at = 0;
  memset(norms, 0, n * sizeof *norms);
  for (guint first = 0; first < self->shells->len; first++) {
    const DebyeWaveShell *one = &g_array_index(self->shells, DebyeWaveShell, first);
    gsize to = 0;
    for (guint second = 0; second <= first; second++) {
      const DebyeWaveShell *other = &g_array_index(self->shells, DebyeWaveShell, second);
      double block[DEBYE_WAVE_MAX_CARTESIAN * DEBYE_WAVE_MAX_CARTESIAN] = {0.0};
      for (guint32 i = 0; i < one->n_primitives; i++)
        for (guint32 j = 0; j < other->n_primitives; j++)
          add_pair(self, one, other, one->first_primitive + i, other->first_primitive + j, block);
      add_block(rows, n, self->n_cartesian, at, to, block, count_cartesian(one), count_cartesian(other),
                norms);
      to += count_cartesian(other);
    }
    at += count_cartesian(one);
  }
}
