/* SPDX-License-Identifier: MIT */
/* Lends kernels/surface to the layers that draw a molecule's surface; called by both programs as they start. */
#pragma once

#include "kernels/surface/surface_mesh.h"
#include "render/mesh/sphere_surface.h"

/* From then on layers make surfaces of spheres. Idempotent. */
void debye_surface_depths_lend(void);

/* What a layer asks for, as kernels are asked; the atoms are borrowed. */
DebyeSurfaceMeshTask debye_surface_depths_task(const DebyeSurfaceAtoms *atoms, DebyeMeshSurface kind,
                                               double probe, const DebyeGrid *grid, double band);
