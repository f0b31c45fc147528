/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same everywhere: SplitMix64 (S. Vigna), which is enough for directions and
 * steps. */
#pragma once

#include <math.h>

#include "data/geometry.h"
#include <glib.h>

typedef struct {
  guint64 state;
} DebyeRandom;

/* The next 64 bits. */
static inline guint64
debye_random_bits(DebyeRandom *random)
{
  guint64 z = (random->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* The stream of that number: streams of one seed don't follow one another. */
static inline void
debye_random_init(DebyeRandom *random, guint64 seed, guint64 stream)
{
  DebyeRandom other = {stream};
  random->state = seed + debye_random_bits(&other);
}

/* From 0 to below 1. */
static inline double
debye_random_uniform(DebyeRandom *random)
{
  return (double)(debye_random_bits(random) >> 11) * 0x1p-53;
}

/* A vector of length 1, all alike. */
static inline DebyeVec3
debye_random_direction(DebyeRandom *random)
{
  double z = 2.0 * debye_random_uniform(random) - 1.0, angle = 2.0 * G_PI * debye_random_uniform(random);
  double radius = sqrt(fmax(0.0, 1.0 - z * z));
  return debye_vec3(radius * cos(angle), radius * sin(angle), z);
}

/* A standard deviation of 1 along each axis (G. E. P. Box, M. E. Muller, Ann. Math. Stat. 29 (1958) 610). */
static inline DebyeVec3
debye_random_normal(DebyeRandom *random)
{
  double parts[4];
  for (int k = 0; k < 4; k += 2) {
    double radius = sqrt(-2.0 * log(1.0 - debye_random_uniform(random)));
    double angle = 2.0 * G_PI * debye_random_uniform(random);
    parts[k] = radius * cos(angle);
    parts[k + 1] = radius * sin(angle);
  }
  return debye_vec3(parts[0], parts[1], parts[2]);
}
