/* SPDX-License-Identifier: MIT */
/* Triangles of an isosurface of a map: marching cubes with the asymptotic decider (Nielson, Hamann, Proc. Visualization
 * '91, 83). Every back end makes the same vertices and triangles in the same order, to the last bit where the host's
 * compiler doesn't fuse multiplications with additions: vertices on the edges of a slice and to the slice before it, then
 * the cells between the two; rows within a slice; within a row 64 points at a time. */
#pragma once

#include "data/geometry.h"
#include "kernels/kernel_head.h"

DEBYE_BEGIN_DECLS

/* So many points may have more corners of triangles than 32 bits number. */
#define DEBYE_ISOSURFACE_MOST_POINTS ((size_t)1 << 28)

/* Arrays by malloc; NULL where there is nothing. */
typedef struct {
  size_t n_vertices, n_triangles;
  float *positions;  /* 3 a vertex, Å */
  float *normals;    /* 3 a vertex, unit, towards lower values (of a negative level: as well) */
  uint32_t *indices; /* 3 a triangle, counter-clockwise seen from the side of lower values */
} DebyeIsosurface;

void debye_isosurface_clear(DebyeIsosurface *mesh);

typedef struct {
  size_t shape[3]; /* of the maps */
} DebyeIsosurfaceSettings;

/* The entry of a back end's table. Contract as in backend.h. */
struct DebyeIsosurfaceKernel {
  DebyeKernelHead head;
  /* The values, x fastest, stay the caller's until there is another map or the plan is destroyed. */
  DebyeStatusCode (*set_map)(DebyeKernelPlan *plan, const DebyeGrid *grid, const float *values,
                             DebyeStatus *status);
  /* Values that are not finite lie outside. A level that isn't, or steps without a volume, give an empty mesh. The mesh is
   * to be cleared, and empty after an error. */
  DebyeStatusCode (*execute)(DebyeKernelPlan *plan, double level, const volatile bool *cancel,
                             DebyeIsosurface *mesh, DebyeStatus *status);
};

/* What both back ends check. */
DebyeStatusCode debye_isosurface_settings_check(const DebyeIsosurfaceSettings *settings, DebyeStatus *status);
DebyeStatusCode debye_isosurface_map_check(const DebyeIsosurfaceSettings *settings, const DebyeGrid *grid,
                                           DebyeStatus *status);
/* Whether a map has an isosurface at all. */
bool debye_isosurface_can_be(const DebyeGrid *grid, double level);

DEBYE_END_DECLS
