/* SPDX-License-Identifier: MIT */
/* The spreading kernel's values around an atom, in plain C that a compiler makes vectors of. */
#pragma once

#include "kernels/cpu/common/vector_exp.h"
#include "kernels/scattering/lattice_spread.h"

/* Those of the mesh points that the atom is spread on, the first of which is returned; 0 beyond the width. */
static inline __attribute__((always_inline)) size_t
debye_lattice_values(const DebyeLatticeSpread *spread, int axis, double place, double *value, size_t length)
{
  const int first = debye_lattice_first(spread, place), width = (int)spread->width;
  const double scale = 2.0 / (double)width, start = scale * ((double)first - place);
  for (int i = 0; i < (int)length; i++) {
    const double x = start + scale * (double)i, square = 1.0 - x * x;
    const double size = debye_exp_negative(spread->beta * (sqrt(square > 0.0 ? square : 0.0) - 1.0));
    value[i] = i < width ? size : 0.0;
  }
  return first < 0 ? (size_t)(first + (int)spread->mesh[axis]) : (size_t)first;
}
