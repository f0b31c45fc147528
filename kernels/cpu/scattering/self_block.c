/* SPDX-License-Identifier: MIT */
/* The loops of self scattering over the frames of one atom, called by scattering_self.c; compiled once per
 * instruction set. */
#include "self_block.h"

#include "self_phase.h"

#define INLINE inline __attribute__((always_inline))
#define STRIP 64

/* The phase in quarter turns: its whole part, of which only the last two bits matter, and the rest within ±½.
 * Adding the magic number leaves the whole part in the lowest bits. */
static INLINE void
reduce(const float *x, const float *y, const float *z, size_t n, const double quarter[3], int32_t *whole,
       double *rest)
{
  const double magic = 0x1.8p52, qx = quarter[0], qy = quarter[1], qz = quarter[2];
  for (size_t i = 0; i < n; i++) {
    const double phase = qx * (double)x[i] + qy * (double)y[i] + qz * (double)z[i];
    const union {
      double number;
      int64_t bits;
    } nearest = {phase + magic};
    whole[i] = (int32_t)nearest.bits;
    rest[i] = phase - (nearest.number - magic);
  }
}

static void
phases_float(const float *x, const float *y, const float *z, size_t n, const double quarter[3], float *out)
{
  int32_t whole[STRIP];
  double rest[STRIP];
  float turned[STRIP], cosine[STRIP], sine[STRIP];
  for (size_t first = 0; first < n; first += STRIP) {
    const size_t count = n - first < STRIP ? n - first : STRIP;
    reduce(x + first, y + first, z + first, count, quarter, whole, rest);
    for (size_t i = 0; i < count; i++)
      turned[i] = (float)(rest[i] * 1.57079632679489661923);
    for (size_t i = 0; i < count; i++)
      debye_self_sincos_float(turned[i], whole[i], &cosine[i], &sine[i]);
    for (size_t i = 0; i < count; i++) {
      out[2 * (first + i)] = cosine[i];
      out[2 * (first + i) + 1] = sine[i];
    }
  }
}

static void
phases_double(const float *x, const float *y, const float *z, size_t n, const double quarter[3], double *out)
{
  int32_t whole[STRIP];
  double rest[STRIP], cosine[STRIP], sine[STRIP];
  for (size_t first = 0; first < n; first += STRIP) {
    const size_t count = n - first < STRIP ? n - first : STRIP;
    reduce(x + first, y + first, z + first, count, quarter, whole, rest);
    for (size_t i = 0; i < count; i++)
      debye_self_sincos_double(rest[i] * 1.57079632679489661923, whole[i], &cosine[i], &sine[i]);
    for (size_t i = 0; i < count; i++) {
      out[2 * (first + i)] = cosine[i];
      out[2 * (first + i) + 1] = sine[i];
    }
  }
}

static void
add_power_float(const float *values, size_t n, float weight, float *sum)
{
  for (size_t k = 0; k < n; k++)
    sum[k] += weight * (values[2 * k] * values[2 * k] + values[2 * k + 1] * values[2 * k + 1]);
}

static void
add_power_double(const double *values, size_t n, double weight, double *sum)
{
  for (size_t k = 0; k < n; k++)
    sum[k] += weight * (values[2 * k] * values[2 * k] + values[2 * k + 1] * values[2 * k + 1]);
}

/* Sums run in lanes that are added at the end, so that vectors need no leave to reorder; in double, because
 * the first points are thousands of times larger than the others. */
static void
mean_float(const float *values, size_t n, const float *real, const float *imaginary, double mean[2])
{
  double re[16] = {0.0}, im[16] = {0.0};
  const size_t whole = n / 16 * 16;
  for (size_t first = 0; first < n; first += 16)
    for (size_t i = 0; i < (first < whole ? 16 : n - whole); i++) {
      const float *value = values + 2 * (first + i);
      const float power = value[0] * value[0] + value[1] * value[1];
      re[i] += (double)(power * real[first + i]);
      im[i] += (double)(power * imaginary[first + i]);
    }
  mean[0] = mean[1] = 0.0;
  for (size_t i = 0; i < 16; i++) {
    mean[0] += re[i];
    mean[1] += im[i];
  }
}

static void
mean_double(const double *values, size_t n, const double *real, const double *imaginary, double mean[2])
{
  double re[8] = {0.0}, im[8] = {0.0};
  const size_t whole = n / 8 * 8;
  for (size_t k = 0; k < whole; k += 8)
    for (size_t i = 0; i < 8; i++) {
      const double *value = values + 2 * (k + i);
      const double power = value[0] * value[0] + value[1] * value[1];
      re[i] += power * real[k + i];
      im[i] += power * imaginary[k + i];
    }
  for (size_t k = whole; k < n; k++) {
    const double power = values[2 * k] * values[2 * k] + values[2 * k + 1] * values[2 * k + 1];
    re[0] += power * real[k];
    im[0] += power * imaginary[k];
  }
  mean[0] = mean[1] = 0.0;
  for (size_t i = 0; i < 8; i++) {
    mean[0] += re[i];
    mean[1] += im[i];
  }
}

static void
add(const float *from, size_t n, double *sum)
{
  for (size_t k = 0; k < n; k++)
    sum[k] += (double)from[k];
}

const DebyeSelfBlockLoops DEBYE_AT_LEVEL(debye_self_block_loops) = {
    .phases_float = phases_float,
    .phases_double = phases_double,
    .add_power_float = add_power_float,
    .add_power_double = add_power_double,
    .mean_float = mean_float,
    .mean_double = mean_double,
    .add = add,
};
