/* SPDX-License-Identifier: MIT */
/* Triangles of a surface of a molecule's spheres, for its layer: solvent-excluded, the boundary of what a ball of the
 * solvent's size can't reach (Richards, Annu. Rev. Biophys. Bioeng. 6, 151 (1977); Connolly, Science 221, 709 (1983)),
 * van der Waals, or solvent-accessible. How deep within it a place lies is kernels/surface's knowledge, which the program
 * lends. */
#pragma once

#include "molecular_surface.h"

typedef enum {
  DEBYE_MESH_SURFACE_GAUSSIAN, /* see molecular_surface.h */
  DEBYE_MESH_SURFACE_EXCLUDED,
  DEBYE_MESH_SURFACE_VAN_DER_WAALS,
  DEBYE_MESH_SURFACE_ACCESSIBLE,
} DebyeMeshSurface;

/* Sets how deep within the surface each point of a grid lies, x fastest (Å; < 0: outside), from -band to band, and
 * farther away at these ends. The grid's axes are x, y and z. `probe`: radius of the solvent's ball, Å. Any thread.
 * FALSE: cancelled, or not enough memory. */
typedef gboolean (*DebyeSurfaceDepths)(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind, double probe,
                                       const DebyeGrid *grid, double band, float *depths,
                                       GCancellable *cancellable);

/* Once, before the first surface is made. */
void debye_sphere_surface_set_depths(DebyeSurfaceDepths find);

/* Makes the isosurface at 0 of such depths, by a device. NULL: not by one, or not now. Any thread. */
typedef DebyeMesh *(*DebyeSphereSurfaceDevice)(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind,
                                               double probe, const DebyeGrid *grid, double band,
                                               GCancellable *cancellable);
/* Lent by the program; NULL: no longer. */
void debye_sphere_surface_set_device(DebyeSphereSurfaceDevice make);

/* Of any kind but the Gaussian one. `probe` counts for the last one and the excluded one, and is above 0. The grid's
 * spacing is half the atoms' resolution, down to a quarter for small bodies, or what fits into `max_points`; a vertex is off
 * by about spacing² / 8 of the smallest radius, the probe's among them. Cavities that hold the ball have surfaces of their
 * own. The device that is lent is used, or all processors. NULL: cancelled, or not enough memory. */
DebyeMesh *debye_sphere_surface_new(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind, double probe,
                                    gsize max_points, GCancellable *cancellable);
