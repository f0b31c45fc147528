/* SPDX-License-Identifier: MIT */
/* The ions' answer to a potential, shared by all back ends. */
#pragma once

#include <math.h>

#include "kernels/shared_math.h"
#include "poisson.h"

/* g(φ) = −Σ s_j e^(−z_j φ)/z_j: sinh φ for ions ±1, φ where that is small. *slope gets g′. Exponents are held where they can be
 * counted: no solution has them, but a step towards one may. */
DEBYE_SHARED_MATH double
debye_poisson_ions(const DebyePoissonSalt *salt, double potential, double *slope)
{
  double sum = 0.0;
  *slope = 0.0;
  for (unsigned i = 0; i < salt->n_ions; i++) {
    const double exponent = -salt->valence[i] * potential;
    const double part = salt->share[i] * exp(exponent < 60.0 ? exponent : 60.0);
    *slope += part;
    sum -= part / salt->valence[i];
  }
  return sum;
}
