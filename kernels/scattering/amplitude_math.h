/* SPDX-License-Identifier: MIT */
/* The mathematics of the amplitudes that all back ends share, in C and in CUDA: from q and r to the sine and
 * cosine of q·r.
 *
 * A phase is needed modulo one turn only, and of a large one a float keeps nothing. So turns are computed in
 * double: three products of a coordinate (a float, exact in double) with q/2π. For the float path a large
 * constant that is added makes them a number of fixed point whose fraction is a row of bits in the lower
 * word, and the upper 23 of those a float: no rounding, no comparison, and no loss however large the phase.
 *
 * Sine and cosine on the CPU, and in double everywhere, come from one odd polynomial for sin 2πv on |v|
 * ≤ ¼ into which both fold; folding is exact and keeps e(u + ½) = −e(u), so that the error over a turn has no
 * mean: it does not add up over atoms. (Coefficients by Remez's exchange for the least greatest error, made
 * for this program.) */
#pragma once

#include <stdint.h>
#include <string.h>

#include "data/geometry.h"
#include "kernels/shared_math.h"

/* 1/2π in two doubles. */
#define DEBYE_PER_TWO_PI 0x1.45f306dc9c883p-3
#define DEBYE_PER_TWO_PI_REST (-0x1.6b01ec5417056p-57)

/* 1.5·2²⁴: the last bit of such a double is 2⁻²⁸ of a turn; |turns| < 2²³ stays in range. Half a turn, which
 * the fraction is moved back by. And half of what is cut off when only 2⁻²³ is kept, so that cutting rounds. */
#define DEBYE_TURN_BASE (0x1.8p24 + 0.5 + 0x1p-24)
#define DEBYE_TURN_CUT 5

/* q/2π per axis; `rest` is what its rounding left, for the double path. */
typedef struct {
  double x, y, z;
  double rest_x, rest_y, rest_z;
} DebyeTurnVector;

static inline double
debye_turn_rest(double q, double turns)
{
  /* q·(1/2π) in two doubles, less the first. */
  return fma(q, DEBYE_PER_TWO_PI, -turns) + q * DEBYE_PER_TWO_PI_REST;
}

static inline DebyeTurnVector
debye_turn_vector(DebyeVec3 q)
{
  DebyeTurnVector v = {.x = q.x * DEBYE_PER_TWO_PI, .y = q.y * DEBYE_PER_TWO_PI, .z = q.z * DEBYE_PER_TWO_PI};
  v.rest_x = debye_turn_rest(q.x, v.x);
  v.rest_y = debye_turn_rest(q.y, v.y);
  v.rest_z = debye_turn_rest(q.z, v.z);
  return v;
}

/* Turns plus DEBYE_TURN_BASE → the fraction of a turn from −½ to ½ in steps of 2⁻²³. */
DEBYE_SHARED_MATH float
debye_turn_fraction(double based)
{
  uint64_t bits;
  float number;
  memcpy(&bits, &based, sizeof bits);
  /* A float from 1 to 2. */
  const uint32_t word = ((uint32_t)(bits >> DEBYE_TURN_CUT) & 0x7fffffu) | 0x3f800000u;
  memcpy(&number, &word, sizeof number);
  return number - 1.5f;
}

/* 1.5·2²⁴ alone, for CPUs: they make a float of a whole number as fast as of bits. */
#define DEBYE_TURN_PLAIN_BASE 0x1.8p24

/* Turns plus DEBYE_TURN_PLAIN_BASE → the fraction of a turn from −½ to ½, with all of a float's digits. */
DEBYE_SHARED_MATH float
debye_turn_signed_fraction(double based)
{
  uint64_t bits;
  memcpy(&bits, &based, sizeof bits);
  return (float)(int32_t)(uint32_t)(bits << 4) * 0x1p-32f;
}

/* sin 2πv for |v| ≤ ¼, off by 3e-9 beside the rounding. */
DEBYE_SHARED_MATH float
debye_quarter_sine(float v)
{
  const float z = v * v;
  float sum = 0x1.3c4b2cp+5f;
  sum = sum * z - 0x1.3232fap+6f;
  sum = sum * z + 0x1.46676ep+6f;
  sum = sum * z - 0x1.4abbb6p+5f;
  sum = sum * z + 0x1.921fb4p+2f;
  return v * sum;
}

/* sin 2πu and cos 2πu for |u| ≤ ½. */
DEBYE_SHARED_MATH void
debye_turn_sine_cosine(float u, float *sine, float *cosine)
{
  const float size = fabsf(u), other = 0.5f - size;
  *sine = debye_quarter_sine(copysignf(size < other ? size : other, u));
  *cosine = debye_quarter_sine(0.25f - size);
}

/* The whole number nearest to a double well below 2⁵¹. */
DEBYE_SHARED_MATH double
debye_whole_turns(double turns)
{
  const double magic = 0x1.8p52;
  return (turns + magic) - magic;
}

/* u·x less the whole turns nearest to it: the multiply-add rounds once, and what is left is small. */
DEBYE_SHARED_MATH double
debye_axis_fraction(double turns, double rest, double x)
{
  const double whole = debye_whole_turns(turns * x);
  return fma(rest, x, fma(turns, x, -whole));
}

/* The fraction of a turn, from −½ to ½, good to 3e-16. */
DEBYE_SHARED_MATH double
debye_exact_fraction(const DebyeTurnVector *q, double x, double y, double z)
{
  const double sum = debye_axis_fraction(q->x, q->rest_x, x) + debye_axis_fraction(q->y, q->rest_y, y) +
                     debye_axis_fraction(q->z, q->rest_z, z);
  return sum - debye_whole_turns(sum);
}

/* sin 2πv for |v| ≤ ¼; the polynomial is off by 3e-22. */
DEBYE_SHARED_MATH double
debye_exact_quarter_sine(double v)
{
  const double z = v * v;
  double sum = -0x1.7e44d9516ba61p-7;
  sum = sum * z + 0x1.aab68bdb76bb6p-4;
  sum = sum * z - 0x1.6fad332954af3p-1;
  sum = sum * z + 0x1.e8f4333082168p+1;
  sum = sum * z - 0x1.e3074fdb5eeb1p+3;
  sum = sum * z + 0x1.50783487ea9b8p+5;
  sum = sum * z - 0x1.32d2cce62bd2bp+6;
  sum = sum * z + 0x1.466bc6775aae1p+6;
  sum = sum * z - 0x1.4abbce625be53p+5;
  sum = sum * z + 0x1.921fb54442d18p+2;
  return v * sum;
}

DEBYE_SHARED_MATH void
debye_exact_sine_cosine(double u, double *sine, double *cosine)
{
  const double size = fabs(u), other = 0.5 - size;
  *sine = debye_exact_quarter_sine(copysign(size < other ? size : other, u));
  *cosine = debye_exact_quarter_sine(0.25 - size);
}
