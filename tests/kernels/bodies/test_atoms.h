/* SPDX-License-Identifier: MIT */
/* Molecules that tests of surfaces and of the Poisson-Boltzmann equation put together atom by atom. */
#pragma once

#include "kernels/surface/surface.h"

#define MOST_TEST_ATOMS 400

typedef struct {
  float x[MOST_TEST_ATOMS], y[MOST_TEST_ATOMS], z[MOST_TEST_ATOMS];
  float radius[MOST_TEST_ATOMS], charge[MOST_TEST_ATOMS];
  size_t n;
} Atoms;

static inline void
append(Atoms *atoms, double x, double y, double z, double radius, double charge)
{
  const size_t i = atoms->n++;
  atoms->x[i] = (float)x;
  atoms->y[i] = (float)y;
  atoms->z[i] = (float)z;
  atoms->radius[i] = (float)radius;
  atoms->charge[i] = (float)charge;
}

static inline DebyeSpheres
spheres_of(const Atoms *atoms)
{
  return (DebyeSpheres){atoms->x, atoms->y, atoms->z, atoms->radius, atoms->n};
}
