/* SPDX-License-Identifier: MIT */
/* The molecule of tests of the Poisson-Boltzmann equation. */
#pragma once

#include "test_atoms.h"

#define POISSON_ATOMS MOST_TEST_ATOMS

static inline double
next_random(unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 16777216.0;
}

/* As dense as a protein; of its atoms one lies within another, two are the same, and
 * one has no radius. Some float apart, one of them twice. */
static inline void
make_atoms(Atoms *atoms, size_t n, double ball)
{
  unsigned state = 7;
  atoms->n = 0;
  append(atoms, 0.1, 0.2, -0.3, 1.7, 0.4);
  append(atoms, 0.1, 0.2, -0.3, 1.7, 0.1);
  append(atoms, 0.3, 0.2, -0.3, 1.1, 0.3);
  append(atoms, 1.0, 1.2, 0.3, 0.0, 0.5);
  append(atoms, ball + 1.0, 0.0, 0.0, 1.5, 0.5);
  append(atoms, 0.0, -ball - 2.5, 0.0, 1.5, 1.0);
  while (atoms->n + 1 < n) {
    const double x = (2.0 * next_random(&state) - 1.0) * ball, y = (2.0 * next_random(&state) - 1.0) * ball;
    const double z = (2.0 * next_random(&state) - 1.0) * ball, radius = 1.0 + next_random(&state);
    if (x * x + y * y + z * z < ball * ball)
      append(atoms, x, y, z, radius, next_random(&state));
  }
  append(atoms, (double)atoms->x[4], (double)atoms->y[4], (double)atoms->z[4], (double)atoms->radius[4], 0.2);
}
