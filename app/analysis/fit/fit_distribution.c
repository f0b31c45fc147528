/* SPDX-License-Identifier: MIT */
/* Implementation of fit_distribution.h. All matrices are N × N, row by row, N the inner distances. */
#include "fit_distribution.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"

#define N DEBYE_FIT_DISTANCES
#define LEAST_POINTS 10
#define MAX_POINTS 20000 /* some seconds and 13 MB */
#define LOW_GUESS 1.5
#define HIGH_GUESS 8.0
#define N_TRIED 40        /* of D, evenly in its logarithm */
#define N_REFINED 12      /* steps of the search about the best */
#define N_WEIGHTS 25      /* of α, tried first */
#define WEIGHT_DECADES 14 /* that they span */
#define UNKNOWN_ERROR 0.01
#define GOLDEN 0.3819660112501051

typedef struct {
  double matrix[N * N]; /* B = AᵀWA */
  double vector[N];     /* AᵀWI */
  double square;        /* IᵀWI */
  double smooth[N * N]; /* K */
  double smooth_log_determinant;
  double factor[N * N]; /* Cholesky's of B + αK */
  double p[N];
  double chi_square, weight, evidence;
  double *kernel; /* points × N */
  double *error;  /* of the points */
} Transform;

static void
transform_free(Transform *self)
{
  g_free(self->kernel);
  g_free(self->error);
  g_free(self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Transform, transform_free)

/* --- Linear algebra --- */

/* The lower factor in place. FALSE where the matrix isn't positive definite. */
static gboolean
decompose(double *a)
{
  for (int j = 0; j < N; j++) {
    for (int i = j; i < N; i++) {
      double sum = a[i * N + j];
      for (int k = 0; k < j; k++)
        sum -= a[i * N + k] * a[j * N + k];
      if (i == j && !(sum > 0.0))
        return FALSE;
      a[i * N + j] = i == j ? sqrt(sum) : sum / a[j * N + j];
    }
  }
  return TRUE;
}

static double
get_log_determinant(const double *factor)
{
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    sum += 2.0 * log(factor[i * N + i]);
  return sum;
}

static void
solve(const double *factor, const double *b, double *x)
{
  for (int i = 0; i < N; i++) {
    double sum = b[i];
    for (int k = 0; k < i; k++)
      sum -= factor[i * N + k] * x[k];
    x[i] = sum / factor[i * N + i];
  }
  for (int i = N - 1; i >= 0; i--) {
    double sum = x[i];
    for (int k = i + 1; k < N; k++)
      sum -= factor[k * N + i] * x[k];
    x[i] = sum / factor[i * N + i];
  }
}

static double
multiply(const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    sum += a[i] * b[i];
  return sum;
}

static double
get_quadratic(const double *matrix, const double *v)
{
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    sum += v[i] * multiply(matrix + i * N, v);
  return sum;
}

/* --- Matrices --- */

/* K = LᵀL of second differences. */
static void
set_smoothness(Transform *self)
{
  static const double row[] = {1.0, -2.0, 1.0};
  for (int j = 0; j < N; j++)
    for (int a = -1; a <= 1; a++)
      for (int b = -1; b <= 1; b++)
        if (j + a >= 0 && j + a < N && j + b >= 0 && j + b < N)
          self->smooth[(j + a) * N + j + b] += row[a + 1] * row[b + 1];
  memcpy(self->factor, self->smooth, sizeof self->factor);
  self->smooth_log_determinant = decompose(self->factor) ? get_log_determinant(self->factor) : 0.0;
}

static double
kernel_law(double q, gconstpointer distance)
{
  const double x = q * *(const double *)distance;
  return x > 1e-6 ? sin(x) / x : 1.0;
}

static void
set_matrix(Transform *self, const DebyeFitPoints *points, double greatest)
{
  const double step = greatest / (N + 1);
  memset(self->matrix, 0, sizeof self->matrix);
  memset(self->vector, 0, sizeof self->vector);
  self->square = 0.0;
  for (gsize i = 0; i < points->n; i++) {
    double *row = self->kernel + i * N;
    const double w = 1.0 / (self->error[i] * self->error[i]), y = points->intensity[i];
    for (int j = 0; j < N; j++) {
      const double r = (j + 1) * step;
      row[j] = 4.0 * G_PI * step *
               debye_fit_smear(kernel_law, &r, points->q[i], points->width != NULL ? points->width[i] : 0.0);
    }
    for (int j = 0; j < N; j++) {
      for (int k = 0; k <= j; k++)
        self->matrix[j * N + k] += w * row[j] * row[k];
      self->vector[j] += w * row[j] * y;
    }
    self->square += w * y * y;
  }
  for (int j = 0; j < N; j++)
    for (int k = 0; k < j; k++)
      self->matrix[k * N + j] = self->matrix[j * N + k];
}

/* --- Evidence --- */

static double
evaluate(gpointer data, double log_weight)
{
  Transform *self = data;
  const double weight = exp(log_weight);
  for (int i = 0; i < N * N; i++)
    self->factor[i] = self->matrix[i] + weight * self->smooth[i];
  self->weight = weight;
  if (!decompose(self->factor))
    return -INFINITY;
  solve(self->factor, self->vector, self->p);
  const double roughness = get_quadratic(self->smooth, self->p);
  /* χ² + αR = IᵀWI − PᵀAᵀWI at the minimum. */
  const double least = self->square - multiply(self->p, self->vector);
  self->chi_square = least - weight * roughness;
  return 0.5 * (N * log_weight + self->smooth_log_determinant - get_log_determinant(self->factor) - least);
}

typedef double (*Score)(gpointer self, double x);

/* The greatest value of what has one maximum between low and high. */
static double
maximise(Score score, gpointer self, double low, double high, int n_steps)
{
  double a = low + GOLDEN * (high - low), b = high - GOLDEN * (high - low);
  double at_a = score(self, a), at_b = score(self, b);
  for (int i = 0; i < n_steps; i++) {
    if (at_a > at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = score(self, a = low + GOLDEN * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = score(self, b = high - GOLDEN * (high - low));
    }
  }
  return at_a > at_b ? a : b;
}

/* The most probable α of this D, and how probable D is with it. */
static double
fit_weight(Transform *self)
{
  double scale = 0.0;
  for (int i = 0; i < N; i++)
    scale += self->matrix[i * N + i] / self->smooth[i * N + i] / N;
  const double step = WEIGHT_DECADES * G_LN10 / (N_WEIGHTS - 1), first = log(scale) - 8.0 * G_LN10;
  double best = first, highest = -INFINITY;
  for (int i = 0; i < N_WEIGHTS; i++) {
    const double value = evaluate(self, first + i * step);
    if (value <= highest)
      continue;
    highest = value;
    best = first + i * step;
  }
  best = maximise(evaluate, self, best - step, best + step, 12);
  return self->evidence = evaluate(self, best);
}

typedef struct {
  Transform *transform;
  const DebyeFitPoints *points;
} Search;

static double
score_greatest(gpointer data, double log_greatest)
{
  Search *search = data;
  set_matrix(search->transform, search->points, exp(log_greatest));
  return fit_weight(search->transform);
}

/* --- The result --- */

/* I(0) and Rg², and their gradients by P. */
static void
get_moments(const Transform *self, double greatest, double *zero, double *square_radius, double *by_zero,
            double *by_radius)
{
  const double step = greatest / (N + 1);
  double sum = 0.0, second = 0.0;
  for (int j = 0; j < N; j++) {
    const double r = (j + 1) * step;
    sum += self->p[j];
    second += r * r * self->p[j];
  }
  *zero = 4.0 * G_PI * step * sum;
  *square_radius = second / (2.0 * sum);
  for (int j = 0; j < N && by_zero != NULL; j++) {
    const double r = (j + 1) * step;
    by_zero[j] = 4.0 * G_PI * step;
    by_radius[j] = (0.5 * r * r - *square_radius) / sum;
  }
}

/* Completes a fit for a given D: P(r), its errors, Rg and I(0). */
static void
complete(const Transform *self, const DebyeFitPoints *points, double greatest, DebyeDistanceFit *fit)
{
  const double step = greatest / (N + 1);
  double by_zero[N], by_radius[N], solved[N], square_radius;
  fit->greatest = greatest;
  fit->weight = self->weight;
  fit->chi_square = fit->has_errors ? self->chi_square / (double)points->n : (double)NAN;
  get_moments(self, greatest, &fit->zero, &square_radius, by_zero, by_radius);
  fit->radius = sqrt(square_radius);
  solve(self->factor, by_zero, solved);
  fit->zero_error = sqrt(multiply(by_zero, solved));
  solve(self->factor, by_radius, solved);
  fit->radius_error = sqrt(multiply(by_radius, solved)) / (2.0 * fit->radius);
  fit->r[N + 1] = greatest;
  for (int j = 0; j < N; j++) {
    double unit[N] = {0};
    unit[j] = 1.0;
    solve(self->factor, unit, solved);
    fit->r[j + 1] = (j + 1) * step;
    fit->p[j + 1] = self->p[j];
    fit->error[j + 1] = sqrt(solved[j]);
  }
  fit->intensity = g_new(double, points->n + 1);
  for (gsize i = 0; i < points->n; i++)
    fit->intensity[i] = multiply(self->kernel + i * N, self->p);
}

/* Sums over all D that were tried, each as much as it is probable beside the best. */
typedef struct {
  double weight, greatest, radius, zero; /* Σ w, Σ w (D − D_best)² … */
} Spread;

static void
add_spread(Spread *spread, const Transform *tried, double greatest, const DebyeDistanceFit *best,
           double evidence)
{
  double zero, square_radius;
  const double w = exp(tried->evidence - evidence);
  get_moments(tried, greatest, &zero, &square_radius, NULL, NULL);
  if (!isfinite(w) || !(square_radius > 0.0))
    return;
  const double radius = sqrt(square_radius) - best->radius, distance = greatest - best->greatest;
  spread->weight += w;
  spread->greatest += w * distance * distance;
  spread->radius += w * radius * radius;
  spread->zero += w * (zero - best->zero) * (zero - best->zero);
}

static void
find_greatest(Search *search, double guess, DebyeDistanceFit *fit)
{
  Transform *transform = search->transform;
  const double low = log(LOW_GUESS * guess), step = log(HIGH_GUESS / LOW_GUESS) / (N_TRIED - 1);
  double best = low, highest = -INFINITY;
  for (int i = 0; i < N_TRIED; i++) {
    const double value = score_greatest(search, low + i * step);
    best = value > highest ? low + i * step : best;
    highest = MAX(value, highest);
  }
  best = maximise(score_greatest, search, best - step, best + step, N_REFINED);
  const double evidence = score_greatest(search, best);
  complete(transform, search->points, exp(best), fit);
  Spread spread = {0};
  /* About the best only: D is known better than the steps between those that were tried first. */
  for (int i = -10; i <= 10; i++) {
    const double tried = best + 0.2 * i * step;
    score_greatest(search, tried);
    add_spread(&spread, transform, exp(tried), fit, evidence);
  }
  fit->greatest_error = sqrt(spread.greatest / spread.weight);
  fit->radius_error = hypot(fit->radius_error, sqrt(spread.radius / spread.weight));
  fit->zero_error = hypot(fit->zero_error, sqrt(spread.zero / spread.weight));
}

gboolean
debye_fit_distances(const DebyeFitPoints *points, double guess, double greatest, DebyeDistanceFit *fit,
                    GError **error)
{
  *fit = (DebyeDistanceFit){.has_errors = points->error != NULL};
  if (points->n < LEAST_POINTS || points->n > MAX_POINTS)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "expected %d to %d points for P(r), found %" G_GSIZE_FORMAT, LEAST_POINTS,
                           MAX_POINTS, points->n);
  g_autoptr(Transform) transform = g_new0(Transform, 1);
  transform->kernel = g_new(double, points->n *N);
  transform->error = g_new(double, points->n);
  for (gsize i = 0; i < points->n; i++)
    transform->error[i] = points->error != NULL ? points->error[i]
                                                : UNKNOWN_ERROR * MAX(fabs(points->intensity[i]),
                                                                      1e-3 * fabs(points->intensity[0]));
  set_smoothness(transform);
  Search search = {transform, points};
  if (isnan(greatest)) {
    find_greatest(&search, guess, fit);
  } else {
    score_greatest(&search, log(greatest));
    complete(transform, points, greatest, fit);
  }
  if (isfinite(fit->radius) && isfinite(fit->zero) && fit->zero > 0.0)
    return TRUE;
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "P(r): no distribution of distances fits the curve: expected another largest distance or range of q");
}

void
debye_distance_fit_clear(DebyeDistanceFit *fit)
{
  g_clear_pointer(&fit->intensity, g_free);
}
