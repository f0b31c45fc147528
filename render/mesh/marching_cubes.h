/* SPDX-License-Identifier: MIT */
/* An isosurface as a closed, consistently oriented mesh. Ambiguous faces are decided by the asymptotic
 * decider (Nielson & Hamann 1991), so neighbouring cells agree and the surface is closed except where it
 * leaves the grid. Points that are not finite count as outside the body that the surface encloses: below the
 * level, or above a negative one. */
#pragma once

#include <gio/gio.h>

#include "kernels/isosurface/isosurface.h"
#include "mesh.h"

/* On all processors; any thread. NULL when cancelled or out of memory. */
DebyeMesh *debye_marching_cubes(const DebyeGrid *grid, const float *values, double level,
                                GCancellable *cancellable);
/* The same, so many slabs of slices at a time: the mesh doesn't depend on their number. */
DebyeMesh *debye_marching_cubes_in_slabs(const DebyeGrid *grid, const float *values, double level,
                                         gsize n_slabs, GCancellable *cancellable);
/* Its arrays, which `made` loses. */
DebyeMesh *debye_marching_cubes_take(DebyeIsosurface *made);

/* The same mesh of a map, by a device. NULL: not by one, or not now. Any thread. */
typedef DebyeMesh *(*DebyeMarchingCubesDevice)(DebyeField *field, double level, GCancellable *cancellable);
/* Lent by the program; NULL: no longer. */
void debye_marching_cubes_set_device(DebyeMarchingCubesDevice make);
/* On the device that is lent, else as above. */
DebyeMesh *debye_marching_cubes_of_field(DebyeField *field, double level, GCancellable *cancellable);
