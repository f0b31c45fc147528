/* SPDX-License-Identifier: MIT */
/* exp(x) for x ≤ 0 in plain C that a compiler makes vectors of; the library's can't be. */
#pragma once

#include <stdint.h>

/* 2ⁿ·exp(r) with n the nearest whole number to x/ln 2 and the series of exp up to r¹², good to 3e-16 for |r|
 * ≤ ½ ln 2. Below −700 the result is that of −700, which is 1e-304. */
static inline __attribute__((always_inline)) double
debye_exp_negative(double x)
{
  /* Adding it leaves the whole part in the lowest bits. */
  const double magic = 0x1.8p52, high = 0x1.62e42fefa38p-1, low = 0x1.ef35793c7673p-45;
  x = x > -700.0 ? x : -700.0;
  union {
    double number;
    int64_t bits;
  } whole = {x * 0x1.71547652b82fep0 + magic}, power;
  const double n = whole.number - magic;
  const double r = (x - n * high) - n * low;
  double sum = 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  power.bits = (int64_t)((uint64_t)(whole.bits + 1023) << 52);
  return sum * power.number;
}
