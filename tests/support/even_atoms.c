/* SPDX-License-Identifier: MIT */
#include "even_atoms.h"

DebyeRandomSystem
debye_even_atoms_new(double edge, double density, unsigned seed)
{
  static const float charges[3] = {-0.834f, 0.417f, 0.417f};
  size_t n = (size_t)rint(edge * cbrt(density));
  n = n > 0 ? n : 1;
  DebyeRandomSystem system =
      debye_random_system_new(n * n * n, debye_vec3(0.0, 0.0, 0.0), debye_vec3(0.0, 0.0, 0.0), seed);
  const double step = edge / (double)n;
  for (size_t i = 0; i < n * n * n; i++) {
    system.x[i] = (float)(step * ((double)(i % n) + debye_random(&seed)));
    system.y[i] = (float)(step * ((double)(i / n % n) + debye_random(&seed)));
    system.z[i] = (float)(step * ((double)(i / n / n) + debye_random(&seed)));
    system.charge[i] = charges[i % 3];
  }
  return system;
}
