/* SPDX-License-Identifier: MIT */
/* Fourier transforms on the processor: known pairs, the definition summed in long double, Parseval's theorem,
 * batches, odd and prime lengths, the same bits for any number of threads.
 *
 * Tolerances: the error of a transform of n points is at most a few ε·log₂ n of the root mean square of its
 * result, with ε = 6e-8 in float and 1.1e-16 in double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/common/fourier.h"
#include "tests/support/check.h"
#include "tests/support/oracle_potential.h"

#define FLOAT_ERROR 1e-6
#define DOUBLE_ERROR 2e-15
#define PI 3.14159265358979323846264338327950288L

/* Values in the precision at hand, read and written as double. */
typedef struct {
  bool exact;
  size_t n; /* numbers, two a complex value */
  void *memory;
} Values;

static Values
values_new(bool exact, size_t n)
{
  return (Values){exact, n, calloc(n > 0 ? n : 1, exact ? sizeof(double) : sizeof(float))};
}

static double
get(const Values *values, size_t i)
{
  return values->exact ? ((const double *)values->memory)[i] : (double)((const float *)values->memory)[i];
}

static void
set(Values *values, size_t i, double value)
{
  if (values->exact)
    ((double *)values->memory)[i] = value;
  else
    ((float *)values->memory)[i] = (float)value;
}

static Values
random_values(bool exact, size_t n, unsigned seed)
{
  Values values = values_new(exact, n);
  for (size_t i = 0; i < n; i++)
    set(&values, i, 2.0 * debye_random(&seed) - 1.0);
  return values;
}

static Values
copy_values(const Values *values)
{
  Values copy = values_new(values->exact, values->n);
  memcpy(copy.memory, values->memory, values->n * (values->exact ? sizeof(double) : sizeof(float)));
  return copy;
}

static bool
same_bits(const Values *a, const Values *b)
{
  return memcmp(a->memory, b->memory, a->n * (a->exact ? sizeof(double) : sizeof(float))) == 0;
}

static DebyeFourier *
plan(bool real, bool exact, const size_t shape[3], size_t batch, DebyePool *pool)
{
  DebyeFourierSettings settings = {
      .real = real, .double_precision = exact, .shape = {shape[0], shape[1], shape[2]}, .batch = batch};
  DebyeFourier *fourier = NULL;
  DebyeStatus status = {0};
  debye_fourier_create(&settings, pool, &fourier, &status);
  CHECK_THAT(fourier != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  return fourier;
}

/* One value of the definition, of the transform that begins at complex value `first`. */
static void
define_value(const Values *in, size_t first, const size_t shape[3], const size_t k[3], long double out[2])
{
  out[0] = out[1] = 0.0L;
  for (size_t z = 0; z < shape[2]; z++)
    for (size_t y = 0; y < shape[1]; y++)
      for (size_t x = 0; x < shape[0]; x++) {
        long double turns = (long double)(x * k[0] % shape[0]) / shape[0] +
                            (long double)(y * k[1] % shape[1]) / shape[1] +
                            (long double)(z * k[2] % shape[2]) / shape[2];
        long double c = cosl(2.0L * PI * turns), s = -sinl(2.0L * PI * turns);
        size_t at = 2 * (first + x + shape[0] * (y + shape[1] * z));
        long double real = get(in, at), imaginary = get(in, at + 1);
        out[0] += real * c - imaginary * s;
        out[1] += real * s + imaginary * c;
      }
}

/* Root mean square of the error over that of the values, at a dozen values of each transform or more. */
static double
error_of(const Values *in, const Values *out, const size_t shape[3], size_t batch, size_t row)
{
  size_t n = shape[0] * shape[1] * shape[2], n_out = row * shape[1] * shape[2];
  long double square_error = 0.0L, square = 0.0L;
  size_t stride = n_out > 12 ? n_out / 12 : 1;
  for (size_t b = 0; b < batch; b++)
    for (size_t i = 0; i < n_out; i += stride) {
      const size_t k[3] = {i % row, i / row % shape[1], i / row / shape[1]};
      long double expected[2];
      define_value(in, b * n, shape, k, expected);
      long double real = get(out, 2 * (b * n_out + i)) - expected[0];
      long double imaginary = get(out, 2 * (b * n_out + i) + 1) - expected[1];
      square_error += real * real + imaginary * imaginary;
      square += expected[0] * expected[0] + expected[1] * expected[1];
    }
  return (double)sqrtl(square_error / square);
}

static double
tolerance(bool exact)
{
  return exact ? DOUBLE_ERROR : FLOAT_ERROR;
}

static void
test_complex(bool exact, const size_t shape[3], size_t batch, DebyePool *pool)
{
  size_t n = shape[0] * shape[1] * shape[2];
  DebyeFourier *fourier = plan(false, exact, shape, batch, pool);
  Values in = random_values(exact, 2 * n * batch, 3), out = copy_values(&in);
  debye_fourier_forward(fourier, out.memory);
  CHECK_AT_MOST(error_of(&in, &out, shape, batch, shape[0]), tolerance(exact));
  /* Parseval, and back to where it came from, times the number of points. */
  double before = 0.0, after = 0.0, worst = 0.0;
  for (size_t i = 0; i < in.n; i++) {
    before += get(&in, i) * get(&in, i);
    after += get(&out, i) * get(&out, i);
  }
  CHECK_AT_MOST(fabs(after / (before * (double)n) - 1.0), 4.0 * tolerance(exact));
  debye_fourier_backward(fourier, out.memory);
  for (size_t i = 0; i < in.n; i++)
    worst = fmax(worst, fabs(get(&out, i) / (double)n - get(&in, i)));
  CHECK_AT_MOST(worst, 4.0 * tolerance(exact));
  free(in.memory);
  free(out.memory);
  debye_fourier_destroy(fourier);
}

static void
test_real(bool exact, const size_t shape[3], size_t batch, DebyePool *pool)
{
  size_t n = shape[0] * shape[1] * shape[2], row = shape[0] / 2 + 1;
  DebyeFourier *fourier = plan(true, exact, shape, batch, pool);
  Values in = random_values(exact, n * batch, 5), kept = copy_values(&in);
  Values out = values_new(exact, 2 * row * shape[1] * shape[2] * batch), back = values_new(exact, n * batch);
  Values as_complex = values_new(exact, 2 * n * batch);
  for (size_t i = 0; i < in.n; i++)
    set(&as_complex, 2 * i, get(&in, i));
  debye_fourier_real_forward(fourier, in.memory, out.memory);
  CHECK(same_bits(&in, &kept));
  CHECK_AT_MOST(error_of(&as_complex, &out, shape, batch, row), tolerance(exact));
  debye_fourier_real_backward(fourier, out.memory, back.memory);
  double worst = 0.0;
  for (size_t i = 0; i < in.n; i++)
    worst = fmax(worst, fabs(get(&back, i) / (double)n - get(&in, i)));
  CHECK_AT_MOST(worst, 4.0 * tolerance(exact));
  free(in.memory);
  free(kept.memory);
  free(out.memory);
  free(back.memory);
  free(as_complex.memory);
  debye_fourier_destroy(fourier);
}

/* What is wanted of a transform has the bits that it has in the whole one. */
static void
test_low(bool exact, const size_t shape[3], const unsigned highest[2], DebyePool *pool)
{
  const size_t row = shape[0] / 2 + 1, n_values = row * shape[1] * shape[2];
  DebyeFourier *fourier = plan(true, exact, shape, 1, pool);
  Values in = random_values(exact, shape[0] * shape[1] * shape[2], 23);
  Values whole = values_new(exact, 2 * n_values), low = values_new(exact, 2 * n_values);
  double worst = 0.0;
  debye_fourier_real_forward(fourier, in.memory, whole.memory);
  debye_fourier_real_forward_low(fourier, in.memory, low.memory, highest);
  for (size_t i = 0; i < n_values; i++) {
    const size_t along = i % row, y = i / row % shape[1], across = y < shape[1] - y ? y : shape[1] - y;
    if (along <= highest[0] && across <= highest[1])
      for (size_t part = 2 * i; part < 2 * i + 2; part++)
        worst = fmax(worst, fabs(get(&low, part) - get(&whole, part)));
  }
  CHECK_AT_MOST(worst, 0.0);
  free(in.memory);
  free(whole.memory);
  free(low.memory);
  debye_fourier_destroy(fourier);
}

/* A plane wave becomes one value, a single point a plane wave. */
static void
test_known_pairs(bool exact, DebyePool *pool)
{
  const size_t shape[3] = {12, 10, 9}, n = 12 * 10 * 9, k[3] = {5, 7, 2};
  DebyeFourier *fourier = plan(false, exact, shape, 1, pool);
  Values wave = values_new(exact, 2 * n), point = values_new(exact, 2 * n);
  set(&point, 2 * (k[0] + 12 * (k[1] + 10 * k[2])), 1.0);
  for (size_t i = 0; i < n; i++) {
    double turns = (double)(i % 12 * k[0] % 12) / 12.0 + (double)(i / 12 % 10 * k[1] % 10) / 10.0 +
                   (double)(i / 120 * k[2] % 9) / 9.0;
    set(&wave, 2 * i, cos(2.0 * (double)PI * turns));
    set(&wave, 2 * i + 1, sin(2.0 * (double)PI * turns));
  }
  Values from_point = copy_values(&point), from_wave = copy_values(&wave);
  debye_fourier_backward(fourier, from_point.memory);
  debye_fourier_forward(fourier, from_wave.memory);
  double worst = 0.0;
  for (size_t i = 0; i < 2 * n; i++) {
    worst = fmax(worst, fabs(get(&from_point, i) - get(&wave, i)));
    worst = fmax(worst, fabs(get(&from_wave, i) / (double)n - get(&point, i)));
  }
  CHECK_AT_MOST(worst, 4.0 * tolerance(exact));
  free(wave.memory);
  free(point.memory);
  free(from_point.memory);
  free(from_wave.memory);
  debye_fourier_destroy(fourier);
}

/* Circular autocorrelation of a batch of padded series, as scattering takes it. */
static void
test_autocorrelation(bool exact, DebyePool *pool)
{
  const size_t length = 101, padded = 210, batch = 7, shape[3] = {210, 1, 1};
  DebyeFourier *fourier = plan(false, exact, shape, batch, pool);
  Values in = values_new(exact, 2 * padded * batch);
  unsigned seed = 11;
  for (size_t b = 0; b < batch; b++)
    for (size_t t = 0; t < 2 * length; t++)
      set(&in, 2 * b * padded + t, 2.0 * debye_random(&seed) - 1.0);
  Values out = copy_values(&in);
  debye_fourier_forward(fourier, out.memory);
  for (size_t i = 0; i < padded * batch; i++) {
    double real = get(&out, 2 * i), imaginary = get(&out, 2 * i + 1);
    set(&out, 2 * i, real * real + imaginary * imaginary);
    set(&out, 2 * i + 1, 0.0);
  }
  debye_fourier_backward(fourier, out.memory);
  double worst = 0.0;
  for (size_t b = 0; b < batch; b++)
    for (size_t lag = 0; lag < length; lag++) {
      double sum = 0.0;
      for (size_t t = 0; t + lag < length; t++) {
        size_t early = 2 * (b * padded + t), late = early + 2 * lag;
        sum += get(&in, early) * get(&in, late) + get(&in, early + 1) * get(&in, late + 1);
      }
      worst = fmax(worst, fabs(get(&out, 2 * (b * padded + lag)) / (double)padded - sum));
    }
  /* Sums of about a hundred terms of size one. */
  CHECK_AT_MOST(worst, 100.0 * tolerance(exact));
  free(in.memory);
  free(out.memory);
  debye_fourier_destroy(fourier);
}

static void
test_any_threads(bool exact)
{
  const size_t shape[3] = {30, 21, 13}, n = 2 * 30 * 21 * 13 * 3;
  Values in = random_values(exact, n, 17), first = copy_values(&in);
  DebyeFourier *alone = plan(false, exact, shape, 3, NULL);
  debye_fourier_forward(alone, first.memory);
  for (unsigned threads = 1; threads <= 5; threads += 2) {
    DebyePool *pool = debye_pool_new(threads);
    DebyeFourier *fourier = plan(false, exact, shape, 3, pool);
    Values out = copy_values(&in);
    debye_fourier_forward(fourier, out.memory);
    CHECK_THAT(same_bits(&out, &first), "%u threads give another result than one", threads);
    free(out.memory);
    debye_fourier_destroy(fourier);
    debye_pool_free(pool);
  }
  debye_fourier_destroy(alone);
  free(in.memory);
  free(first.memory);
}

/* Rows of an odd length begin anywhere, and so may the arrays. */
static void
test_unaligned(bool exact)
{
  const size_t shape[3] = {15, 7, 1}, n = 2 * 105, step = exact ? sizeof(double) : sizeof(float);
  DebyeFourier *fourier = plan(false, exact, shape, 1, NULL);
  Values in = random_values(exact, n, 19), expected = copy_values(&in);
  char *shifted = malloc((n + 1) * step);
  memcpy(shifted + step, in.memory, n * step);
  debye_fourier_forward(fourier, expected.memory);
  debye_fourier_forward(fourier, shifted + step);
  double worst = 0.0;
  memcpy(in.memory, shifted + step, n * step);
  for (size_t i = 0; i < n; i++)
    worst = fmax(worst, fabs(get(&in, i) - get(&expected, i)));
  CHECK_AT_MOST(worst, 20.0 * tolerance(exact));
  free(shifted);
  free(in.memory);
  free(expected.memory);
  debye_fourier_destroy(fourier);
}

static void
test_refusals(void)
{
  static const size_t shapes[][4] = {{0, 1, 1, 1},       {8, 0, 1, 1},
                                     {8, 8, 8, 0},       {(size_t)1 << 40, 1, 1, 1},
                                     {8, 1 << 20, 1, 1}, {1 << 20, 1 << 14, 1 << 14, (size_t)1 << 40}};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    DebyeFourierSettings settings = {.shape = {shapes[i][0], shapes[i][1], shapes[i][2]},
                                     .batch = shapes[i][3]};
    DebyeFourier *fourier = NULL;
    DebyeStatus status = {0};
    CHECK(debye_fourier_create(&settings, NULL, &fourier, &status) == DEBYE_STATUS_INVALID);
    CHECK(fourier == NULL && status.text[0] != '\0');
  }
  debye_fourier_destroy(NULL);
}

static void
test_good_lengths(void)
{
  static const size_t cases[][2] = {{0, 2},   {1, 2},   {2, 2},     {3, 4},     {11, 12},
                                    {13, 14}, {22, 24}, {121, 126}, {127, 128}, {2049, 2058}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    CHECK_THAT(debye_fourier_good_length(cases[i][0]) == cases[i][1], "%zu became %zu, not %zu", cases[i][0],
               debye_fourier_good_length(cases[i][0]), cases[i][1]);
}

int
main(void)
{
  static const size_t lengths[] = {1, 2, 3, 4, 5, 7, 11, 13, 16, 17, 30, 31, 64, 97, 101, 360, 1009, 5000};
  static const size_t shapes[][3] = {{8, 8, 8},   {1, 5, 1},   {6, 1, 4},  {5, 7, 3},
                                     {16, 10, 9}, {17, 33, 2}, {3, 1, 40}, {32, 24, 20}};
  DebyePool *pool = debye_pool_new(3);
  for (int exact = 0; exact < 2; exact++) {
    debye_check_subject("%s", exact ? "double" : "float");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
      const size_t shape[3] = {lengths[i], 1, 1};
      for (size_t batch = 1; batch <= 11; batch += 5) {
        debye_check_subject("%s, %zu of length %zu", exact ? "double" : "float", batch, lengths[i]);
        test_complex(exact == 1, shape, batch, pool);
        test_real(exact == 1, shape, batch, pool);
      }
    }
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
      debye_check_subject("%s, %zu × %zu × %zu", exact ? "double" : "float", shapes[i][0], shapes[i][1],
                          shapes[i][2]);
      test_complex(exact == 1, shapes[i], 1, NULL);
      test_complex(exact == 1, shapes[i], 3, pool);
      test_real(exact == 1, shapes[i], 2, pool);
    }
    debye_check_subject("%s", exact ? "double" : "float");
    test_low(exact == 1, (const size_t[3]){20, 18, 15}, (const unsigned[2]){4, 3}, pool);
    test_low(exact == 1, (const size_t[3]){64, 35, 4}, (const unsigned[2]){20, 16}, NULL);
    test_low(exact == 1, (const size_t[3]){8, 6, 5}, (const unsigned[2]){4, 3}, pool);
    test_known_pairs(exact == 1, pool);
    test_autocorrelation(exact == 1, pool);
    test_any_threads(exact == 1);
    test_unaligned(exact == 1);
  }
  debye_check_subject("%s", "sizes");
  test_refusals();
  test_good_lengths();
  debye_pool_free(pool);
  return debye_check_finish();
}
