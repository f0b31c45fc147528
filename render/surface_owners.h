/* SPDX-License-Identifier: MIT */
/* What the kinds of molecular surfaces share: how far atoms reach, and which atom each vertex belongs to. */
#pragma once

#include "molecular_surface.h"

G_BEGIN_DECLS

double debye_surface_largest_radius(const DebyeSurfaceAtoms *atoms); /* Å */
void debye_surface_find_ends(const float *values, gsize n, double *low, double *high);

/* Sets the mesh's atoms: of each vertex the one with the least d² − R². `beyond`: how far from its atom's
 * sphere a vertex may be, Å. The time is linear in the number of vertices. */
void debye_surface_find_owners(const DebyeSurfaceAtoms *atoms, double beyond, DebyeMesh *mesh);

G_END_DECLS
