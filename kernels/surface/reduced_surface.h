/* SPDX-License-Identifier: MIT */
/* The reduced surface of a molecule (Sanner, Olson & Spehner, Biopolymers 38 (1996) 305): where the center of a
 * probe that rolls over the atoms can be. Each atom's sphere is expanded by the probe's radius; what bounds their union,
 * the solvent-accessible surface, consists of
 *
 *   faces     of spheres, the probe touches one atom,
 *   arcs      of circles where two spheres meet, it touches two,
 *   vertices  where three meet, it touches three or more.
 *
 * The solvent-excluded surface (Connolly, J. Appl. Cryst. 16 (1983) 548) is what lies a probe's radius from the nearest
 * point of these: exact to rounding, without dots. With a probe of 0 both are the van der Waals surface. */
#pragma once

#include "kernels/chunk_threads.h"
#include "kernels/status.h"
#include "sphere_bins.h"

DEBYE_BEGIN_DECLS

/* Where two expanded spheres meet: center + radius·(cos θ·u + sin θ·v). Its exposed arcs are
 * [first_arc, first_arc + n_arcs); one of 2π is all of it. */
typedef struct {
  DebyeVec3 center, u, v;
  double radius;
  uint32_t atom[2];
  uint32_t first_arc, n_arcs;
} DebyeSurfaceCircle;

/* Angles: `begin` in [0, 2π), `length` in (0, 2π]. */
typedef struct {
  double begin, length;
} DebyeSurfaceArc;

/* What of an atom's expanded sphere lies within a neighbor's: directions with direction·axis > limit. */
typedef struct {
  DebyeVec3 axis; /* to the neighbor, Å */
  double limit;
} DebyeSurfaceCap;

/* An atom of which some is exposed, with the caps that cover the rest. */
typedef struct {
  uint32_t atom;
  uint32_t n_caps;
  size_t first_cap;
} DebyeSurfaceFace;

typedef struct {
  DebyeSpheres spheres; /* borrowed */
  double probe;         /* Å */
  DebyeSurfaceFace *faces;
  DebyeSurfaceCap *caps;
  DebyeSurfaceCircle *circles;
  DebyeSurfaceArc *arcs;
  DebyeVec3 *vertices; /* each as often as it ends an arc: once in each direction of its circles */
  size_t n_faces, n_caps, n_circles, n_arcs, n_vertices;
} DebyeReducedSurface;

/* Time and memory are linear in the number of spheres. Spheres within others are left out. NO_MEMORY, with nothing in
 * it. */
DebyeStatusCode debye_reduced_surface_init(DebyeReducedSurface *surface, const DebyeSpheres *spheres,
                                           double probe, const DebyeChunkRunner *runner, DebyeStatus *status);
void debye_reduced_surface_clear(DebyeReducedSurface *surface);

/* At an angle, rad. */
static inline DebyeVec3
debye_surface_circle_point(const DebyeSurfaceCircle *circle, double angle)
{
  const DebyeVec3 along = debye_vec3_add(debye_vec3_scale(circle->u, circle->radius * cos(angle)),
                                         debye_vec3_scale(circle->v, circle->radius * sin(angle)));
  return debye_vec3_add(circle->center, along);
}

DEBYE_END_DECLS
