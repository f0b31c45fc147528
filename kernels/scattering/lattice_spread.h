/* SPDX-License-Identifier: MIT */
/* How atoms are spread on the mesh of the reciprocal lattice, in C and in CUDA: the kernel, its width, the
 * mesh, and what is divided out of the mesh's transform.
 *
 * The kernel is φ(x) = exp(β(√(1 − (2x/w)²) − 1)) over w mesh points along each axis, |x| ≤ w/2, with β =
 * 2.3·w for a mesh twice as fine as the lattice needs: the error falls by ten with each point of width
 * (Barnett, Magland & af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479, section 4). */
#pragma once

#include "scattering_lattice.h"

DEBYE_BEGIN_DECLS

#define DEBYE_LATTICE_MAX_WIDTH 16

typedef struct {
  unsigned width; /* w */
  double beta;
  bool double_precision; /* of the mesh */
  size_t mesh[3];
} DebyeLatticeSpread;

/* From coordinates in Å to mesh units: place = row·r, before the whole cells are taken off. */
typedef struct {
  double row[3][3];
} DebyeLatticeTurn;

/* The settings must have passed their check. */
DebyeLatticeSpread debye_lattice_spread(const DebyeLatticeSettings *settings);
DebyeLatticeTurn debye_lattice_turn(const DebyeLatticeSpread *spread, const DebyeCell *cell);
/* factor[i] is what an amplitude is multiplied by for index i − extent along the axis, extent being the
 * settings'; 2·extent + 1 of them. */
void debye_lattice_factors(const DebyeLatticeSpread *spread, int axis, unsigned extent, double *factor);

/* Where an atom is along an axis, from 0 to `mesh`. */
DEBYE_SHARED_MATH double
debye_lattice_place(const DebyeLatticeTurn *turn, int axis, double x, double y, double z, double mesh)
{
  const double *row = turn->row[axis];
  const double place = row[0] * x + row[1] * y + row[2] * z;
  const double wrapped = place - mesh * floor(place / mesh);
  /* A tiny negative place rounds to the end, which is the beginning. */
  return wrapped < mesh ? wrapped : 0.0;
}

/* The first of the mesh points that an atom there is spread on; may be negative. */
DEBYE_SHARED_MATH int
debye_lattice_first(const DebyeLatticeSpread *spread, double place)
{
  return (int)ceil(place - 0.5 * (double)spread->width);
}

DEBYE_END_DECLS
