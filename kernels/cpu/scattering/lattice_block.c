/* SPDX-License-Identifier: MIT */
/* Spreading of atoms on the mesh of the reciprocal lattice, called by scattering_lattice.c; compiled once per
 * precision REAL and instruction set. */
#include "lattice_block.h"

#include "lattice_values.h"

/* Adds to `length` values from `first` on of a row that closes to a ring. `length`, a constant where it is
 * inlined, is at least the width: what is beyond is 0. */
static inline __attribute__((always_inline)) void
add_row(REAL *row, size_t mesh, size_t first, const REAL *value, REAL factor, const size_t length)
{
  if (first + length <= mesh)
    for (size_t i = 0; i < length; i++)
      row[first + i] += factor * value[i];
  else
    for (size_t i = 0; i < length; i++)
      row[(first + i) % mesh] += factor * value[i];
}

static inline __attribute__((always_inline)) void
add_atom(const DebyeLatticeSpread *spread, const DebyeLatticeAtom *atom, size_t first_plane, size_t end_plane,
         REAL *mesh, const size_t length)
{
  REAL value[3][DEBYE_LATTICE_MAX_WIDTH];
  size_t first[3];
  for (int axis = 0; axis < 3; axis++) {
    double kernel[DEBYE_LATTICE_MAX_WIDTH];
    first[axis] = debye_lattice_values(spread, axis, atom->place[axis], kernel, length);
    for (size_t i = 0; i < length; i++)
      value[axis][i] = (REAL)kernel[i];
  }
  for (size_t k = 0; k < spread->width; k++) {
    const size_t plane = (first[2] + k) % spread->mesh[2];
    if (plane < first_plane || plane >= end_plane)
      continue;
    const REAL in_plane = (REAL)atom->weight * value[2][k];
    for (size_t j = 0; j < spread->width; j++) {
      const size_t row = (first[1] + j) % spread->mesh[1];
      add_row(mesh + (plane * spread->mesh[1] + row) * spread->mesh[0], spread->mesh[0], first[0], value[0],
              in_plane * value[1][j], length);
    }
  }
}

static void
spread(const DebyeLatticeSpread *spread, const DebyeLatticeAtom *atoms, size_t n, size_t first_plane,
       size_t end_plane, void *mesh)
{
  /* Whole vectors, where the mesh has room for them. */
  const bool narrow = spread->width <= 8 && spread->mesh[0] >= 8;
  for (size_t i = 0; i < n; i++)
    if (narrow)
      add_atom(spread, &atoms[i], first_plane, end_plane, mesh, 8);
    else
      add_atom(spread, &atoms[i], first_plane, end_plane, mesh, DEBYE_LATTICE_MAX_WIDTH);
}

const DebyeLatticeBlock DEBYE_AT_LEVEL(debye_lattice_block) = {.spread = spread};
