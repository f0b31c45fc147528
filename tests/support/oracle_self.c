/* SPDX-License-Identifier: MIT */
/* The definitions, as they are written down. */
#include "oracle_self.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A small generator of its own, so that all machines have the same numbers. */
static double
uniform(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

/* Gaussian enough: twelve uniform numbers less their mean. */
static double
gaussian(uint64_t *state)
{
  double sum = -6.0;
  for (int i = 0; i < 12; i++)
    sum += uniform(state);
  return sum;
}

static void
walk_axis(float *out, const DebyeCourses *courses, double step, double range, uint64_t *state)
{
  const size_t stride = courses->block.stride;
  for (size_t i = 0; i < stride; i++) {
    double place = range * (2.0 * uniform(state) - 1.0);
    for (size_t t = 0; t < courses->n_frames; t++) {
      out[t * stride + i] = (float)place;
      place += step * gaussian(state);
    }
  }
}

DebyeCourses
debye_courses_walk(size_t n_atoms, size_t n_frames, size_t n_groups, double step, double range, unsigned seed)
{
  const size_t stride = n_atoms + 3, n = stride * n_frames;
  DebyeCourses courses = {.n_frames = n_frames,
                          .x = calloc(n, sizeof(float)),
                          .y = calloc(n, sizeof(float)),
                          .z = calloc(n, sizeof(float)),
                          .group = calloc(stride, sizeof(uint32_t)),
                          .length = calloc(2 * stride, sizeof(double))};
  uint64_t state = 12345 + seed;
  courses.block = (DebyeSelfBlock){.x = courses.x,
                                   .y = courses.y,
                                   .z = courses.z,
                                   .stride = stride,
                                   .n_atoms = n_atoms,
                                   .group = courses.group,
                                   .length = courses.length};
  walk_axis(courses.x, &courses, step, range, &state);
  walk_axis(courses.y, &courses, step, range, &state);
  walk_axis(courses.z, &courses, step, range, &state);
  for (size_t i = 0; i < stride; i++) {
    courses.group[i] = (uint32_t)((7 * i + 1) % n_groups);
    courses.length[2 * i] = 10.0 * uniform(&state) - 4.0;
    courses.length[2 * i + 1] = i % 3 == 0 ? -uniform(&state) : 0.0;
  }
  return courses;
}

void
debye_courses_clear(DebyeCourses *courses)
{
  free(courses->x);
  free(courses->y);
  free(courses->z);
  free(courses->group);
  free(courses->length);
  *courses = (DebyeCourses){.n_frames = 0};
}

static void
correlate(const long double *a, const long double *b, size_t n_frames, long double *out)
{
  for (size_t tau = 0; tau < n_frames; tau++) {
    long double re = 0.0L, im = 0.0L;
    for (size_t t = 0; t + tau < n_frames; t++) {
      const long double *from = a + 2 * t, *to = b + 2 * (t + tau);
      re += from[0] * to[0] + from[1] * to[1];
      im += from[0] * to[1] - from[1] * to[0];
    }
    out[2 * tau] = re / (long double)(n_frames - tau);
    out[2 * tau + 1] = im / (long double)(n_frames - tau);
  }
}

static void
process(DebyeSignal signal, const long double *a, const long double *b, size_t n_frames, long double *out)
{
  if (signal == DEBYE_SIGNAL_AUTOCORRELATE) {
    correlate(a, b, n_frames, out);
    return;
  }
  for (size_t t = 0; t < n_frames; t++) {
    const long double *from = a + 2 * t, *to = b + 2 * t;
    out[2 * t] = signal == DEBYE_SIGNAL_PLAIN ? from[0] : from[0] * to[0] + from[1] * to[1];
    out[2 * t + 1] = signal == DEBYE_SIGNAL_PLAIN ? from[1] : from[0] * to[1] - from[1] * to[0];
  }
}

void
debye_oracle_signal(DebyeSignal signal, const double *a, const double *b, size_t n_frames, double *out)
{
  const size_t n = 2 * n_frames;
  long double *wide = calloc(3 * n, sizeof *wide);
  for (size_t i = 0; i < n; i++) {
    wide[i] = a[i];
    wide[n + i] = b[i];
  }
  process(signal, wide, wide + n, n_frames, wide + 2 * n);
  for (size_t i = 0; i < n; i++)
    out[i] = (double)wide[2 * n + i];
  free(wide);
}

static void
make_series(const DebyeCourses *courses, size_t atom, DebyeVec3 q, long double *a)
{
  const DebyeSelfBlock *block = &courses->block;
  const double one[2] = {1.0, 0.0}, *b = block->length != NULL ? block->length + 2 * atom : one;
  for (size_t t = 0; t < courses->n_frames; t++) {
    const size_t place = t * block->stride + atom;
    const long double phase = (long double)q.x * (long double)block->x[place] +
                              (long double)q.y * (long double)block->y[place] +
                              (long double)q.z * (long double)block->z[place];
    a[2 * t] = b[0] * cosl(phase) - b[1] * sinl(phase);
    a[2 * t + 1] = b[0] * sinl(phase) + b[1] * cosl(phase);
  }
}

static long double
mean_square(const long double *f, size_t n)
{
  long double re = 0.0L, im = 0.0L;
  for (size_t t = 0; t < n; t++) {
    re += f[2 * t] / (long double)n;
    im += f[2 * t + 1] / (long double)n;
  }
  return re * re + im * im;
}

void
debye_oracle_self(DebyeSignal signal, const DebyeCourses *courses, DebyeVec3 q, size_t group, double *f,
                  double *fq2)
{
  const size_t n = 2 * courses->n_frames;
  long double *a = calloc(3 * n, sizeof *a), *out = a + n, *sum = a + 2 * n, elastic = 0.0L;
  for (size_t i = 0; i < courses->block.n_atoms; i++) {
    if (courses->block.group != NULL && courses->block.group[i] != group)
      continue;
    make_series(courses, i, q, a);
    process(signal, a, a, courses->n_frames, out);
    for (size_t k = 0; k < n; k++)
      sum[k] += out[k];
    elastic += mean_square(out, courses->n_frames);
  }
  for (size_t k = 0; k < n; k++)
    f[k] = (double)sum[k];
  *fq2 = (double)elastic;
  free(a);
}

static void
add_displacement(const DebyeDisplacementSettings *settings, long double square, size_t place,
                 DebyeDisplacementSums *sums, long double *moments)
{
  /* The bin by the edges' squares in double, as the definition has it. */
  size_t low = 0, high = settings->n_bins + 1;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    const double edge = settings->bin_width * (double)middle;
    if (edge * edge <= (double)square)
      low = middle;
    else
      high = middle;
  }
  if (low < settings->n_bins)
    sums->counts[place * settings->n_bins + low]++;
  else
    sums->beyond[place]++;
  moments[2 * place] += square;
  moments[2 * place + 1] += square * square;
}

void
debye_oracle_displacements(const DebyeDisplacementSettings *settings, const DebyeCourses *courses,
                           DebyeDisplacementSums *sums)
{
  const DebyeSelfBlock *block = &courses->block;
  const size_t n_rows = settings->n_groups * settings->n_lags;
  long double *moments = calloc(2 * n_rows, sizeof *moments);
  memset(sums->counts, 0, n_rows * settings->n_bins * sizeof *sums->counts);
  memset(sums->beyond, 0, n_rows * sizeof *sums->beyond);
  for (size_t i = 0; i < block->n_atoms; i++)
    for (size_t l = 0; l < settings->n_lags; l++) {
      const size_t lag = settings->lags != NULL ? settings->lags[l] : l;
      const size_t group = block->group != NULL ? block->group[i] : 0;
      for (size_t t = 0; t + lag < settings->n_frames; t++) {
        const size_t from = t * block->stride + i, to = (t + lag) * block->stride + i;
        const double dx = (double)block->x[to] - (double)block->x[from];
        const double dy = (double)block->y[to] - (double)block->y[from];
        const double dz = (double)block->z[to] - (double)block->z[from];
        add_displacement(settings, (long double)dx * dx + (long double)dy * dy + (long double)dz * dz,
                         group * settings->n_lags + l, sums, moments);
      }
    }
  for (size_t row = 0; row < n_rows; row++) {
    sums->square[row] = (double)moments[2 * row];
    sums->fourth[row] = (double)moments[2 * row + 1];
  }
  free(moments);
}
