/* SPDX-License-Identifier: MIT */
/* Triangles of a molecule's surface, as pictures show it: how deep within the surface each point of a grid lies (surface.h), a
 * distance that is exact near the surface, and the isosurface of that at 0. A vertex of a sphere of radius R is off by up to
 * step² / 8R, and touching spheres have the saddle that the probe's has. */
#pragma once

#include "kernels/isosurface/isosurface.h"
#include "kernels/kernel_head.h"
#include "surface.h"

DEBYE_BEGIN_DECLS

/* Of a typical molecule: plans take more where one is larger. */
typedef struct {
  size_t n_atoms;
  size_t shape[3]; /* of its grid */
} DebyeSurfaceMeshSettings;

typedef struct {
  DebyeSurfaceKind kind;
  DebyeSpheres spheres; /* borrowed */
  double probe;         /* Å */
  DebyeGrid grid;       /* its axes are x, y and z */
  /* Å on both sides of the surface: farther away depths stay at it. An edge that crosses the surface has slopes at its ends
   * by their neighbors where it is at least two of the grid's steps. */
  double band;
} DebyeSurfaceMeshTask;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeSurfaceMeshKernel {
  DebyeKernelHead head;
  /* The mesh is to be cleared, and empty after an error. INVALID as debye_surface_mesh_check() says. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, const DebyeSurfaceMeshTask *task,
                             const volatile bool *cancel, DebyeIsosurface *mesh, DebyeStatus *status);
};

/* What both back ends check. */
DebyeStatusCode debye_surface_mesh_settings_check(const DebyeSurfaceMeshSettings *settings,
                                                  DebyeStatus *status);
DebyeStatusCode debye_surface_mesh_check(const DebyeSurfaceMeshTask *task, DebyeStatus *status);

DebyeSurfaceGrid debye_surface_mesh_grid(const DebyeSurfaceMeshTask *task);
/* Whether the band of an excluded surface leaves what the probe's center can't be in: how deep a point is there is told by
 * how far outside the accessible surface it is. */
bool debye_surface_mesh_leaves_probe(const DebyeSurfaceMeshTask *task);
/* Returns NO_MEMORY. */
DebyeStatusCode debye_surface_mesh_no_memory(size_t n_atoms, DebyeStatus *status);

DEBYE_END_DECLS
