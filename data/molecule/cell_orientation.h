/* SPDX-License-Identifier: MIT */
/* Files that keep a cell as three lengths and three angles mean one that lies along the axes: a along x, b in
 * the xy plane, c above it. Where a frame's cell lies otherwise (CHARMM's symmetric matrix, LAMMPS' general
 * boxes), its coordinates must be turned with it, or the cell in the file is another one. */
#pragma once

#include <glib.h>

#include "frame.h"

typedef struct {
  gboolean is_needed; /* FALSE: nothing is to be turned */
  double rotation[3][3];
  double lengths[3], angles[3]; /* of the cell, Å and degrees; a left-handed one with −c in place of c */
} DebyeCellOrientation;

DebyeCellOrientation debye_cell_orientation_find(const DebyeCell *cell);
DebyeVec3 debye_cell_orientation_turn(const DebyeCellOrientation *orientation, DebyeVec3 v);
/* A frame in which the cell lies along the axes: `frame` itself (a new reference) where it does, else a copy
 * with positions, velocities and cell turned together. NULL without the memory. */
DebyeFrame *debye_cell_orientation_align(DebyeFrame *frame);
