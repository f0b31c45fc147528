/* SPDX-License-Identifier: MIT */
/* Atoms in a compact ball, about as densely and as unevenly as a protein's: for surfaces. */
#pragma once

#include "kernels/surface/surface_mesh.h"

typedef struct {
  DebyeSpheres spheres;
  float *memory;
} DebyeAtomBall;

/* The same atoms for the same numbers. NULL memory: there is none. */
DebyeAtomBall debye_atom_ball_new(size_t n, unsigned seed);
void debye_atom_ball_clear(DebyeAtomBall *ball);

/* Of a surface of spheres by a probe of water, on a grid of this step as pictures lay it about them. */
DebyeSurfaceMeshTask debye_surface_task_about(const DebyeSpheres *spheres, DebyeSurfaceKind kind,
                                              double probe, double step);
