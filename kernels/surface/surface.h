/* SPDX-License-Identifier: MIT */
/* The surface of a molecule in its solvent, for everything that needs one: where a dielectric ends, what a picture shows,
 * areas and volumes. */
#pragma once

#include "reduced_surface.h"

DEBYE_BEGIN_DECLS

typedef enum {
  DEBYE_SURFACE_EXCLUDED,      /* solvent-excluded: what a probe that touches the atoms can't reach */
  DEBYE_SURFACE_VAN_DER_WAALS, /* of the atoms' spheres */
  DEBYE_SURFACE_ACCESSIBLE,    /* solvent-accessible: of the spheres expanded by the probe's radius */
} DebyeSurfaceKind;

typedef struct {
  DebyeSurfaceKind kind;
  DebyeSpheres spheres; /* borrowed */
  double probe;         /* Å */
  double band; /* Å about the surface in which depths are found; 0, as initialised: the longest step */
  DebyeReducedSurface reduced; /* of the excluded surface */
} DebyeSurface;

/* INVALID where a coordinate, radius or the probe is no finite number or negative. */
DebyeStatusCode debye_surface_check(const DebyeSpheres *spheres, double probe, DebyeStatus *status);
/* An excluded surface with a probe of 0 is the van der Waals surface. INVALID as debye_surface_check() says; NO_MEMORY. */
DebyeStatusCode debye_surface_init(DebyeSurface *surface, DebyeSurfaceKind kind, const DebyeSpheres *spheres,
                                   double probe, const DebyeChunkRunner *runner, DebyeStatus *status);
void debye_surface_clear(DebyeSurface *surface);

/* Its axes are x, y and z. */
typedef struct {
  DebyeVec3 origin;
  double step[3]; /* Å */
  size_t shape[3];
} DebyeSurfaceGrid;

static inline size_t
debye_surface_grid_n_points(const DebyeSurfaceGrid *grid)
{
  return grid->shape[0] * grid->shape[1] * grid->shape[2];
}

static inline DebyeVec3
debye_surface_grid_point(const DebyeSurfaceGrid *grid, size_t x, size_t y, size_t z)
{
  return debye_vec3(grid->origin.x + (double)x * grid->step[0], grid->origin.y + (double)y * grid->step[1],
                    grid->origin.z + (double)z * grid->step[2]);
}

/* Depth of a grid point, > 0 inside the surface: its distance to the surface in Å, within the band. Of an excluded surface
 * it is INFINITY farther inside and -probe outside the expanded spheres; of a union of spheres it is -INFINITY farther outside.
 * `feature` is the nearest one of the surface: FACE | atom, CIRCLE | its number or VERTEX | its number. Both ends of an edge
 * that crosses the surface are sure to have one if the band is at least the grid's longest step. */
typedef struct {
  float depth;
  uint32_t feature;
} DebyeSurfacePoint;

#define DEBYE_SURFACE_NOTHING UINT32_MAX
#define DEBYE_SURFACE_FACE 0u
#define DEBYE_SURFACE_CIRCLE (1u << 30)
#define DEBYE_SURFACE_VERTEX (2u << 30)
/* Å. Where a face becomes an arc or an arc its vertex, the second is farther by the square of the distance from there
 * alone. Rounding doesn't choose between them, and so where an edge is cut: a point is a face's before an arc's, and
 * an arc's before a vertex's, that are nearer by less than this. */
#define DEBYE_SURFACE_TIE 1e-5

/* Planes [first, first + count) of the grid, x fastest, into out. On the calling thread; others may do planes of their own
 * at the same time. */
void debye_surface_find(const DebyeSurface *surface, const DebyeSurfaceGrid *grid, size_t first, size_t count,
                        DebyeSurfacePoint *out);
/* How much of the edge from a point within to one outside is within, in [0, 1]. */
double debye_surface_cross(const DebyeSurface *surface, DebyeVec3 inner, DebyeSurfacePoint at_inner,
                           DebyeVec3 outer, DebyeSurfacePoint at_outer);

DEBYE_END_DECLS
