/* SPDX-License-Identifier: MIT */
/* The depths of surface_mesh.h on the host, on the threads of a runner: what the CPU's back end makes triangles of, and
 * pictures without one. */
#pragma once

#include "kernels/isosurface/isosurface_host.h"
#include "surface_mesh.h"

/* Depths, Å, x fastest, of a task that was checked: from -band to band, < 0 outside. The way has as many slabs as
 * debye_surface_mesh_count_slabs() says. CANCELLED, NO_MEMORY. */
DebyeStatusCode debye_surface_mesh_find_depths(const DebyeSurfaceMeshTask *task,
                                               const DebyeIsosurfaceWay *way, float *depths,
                                               DebyeStatus *status);
/* What so many threads share well. */
size_t debye_surface_mesh_count_slabs(const DebyeGrid *grid, size_t n_threads);
