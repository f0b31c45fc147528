/* SPDX-License-Identifier: MIT */
/* Fewer triangles over the same vertices, for pictures that must be quick: while a view is turned. */
#pragma once

#include "mesh.h"

/* Of each mesh of a quick picture: a software GL takes some 8 ms of the processor for so many. */
#define DEBYE_COARSE_TRIANGLES 10000

/* Sets the mesh's coarse triangles, about `n_triangles` of them; none where it has no more than that already.
 * The vertices of each cell of a grid become the one nearest to their mean (clustering: Rossignac and Borrel
 * 1993), and triangles with two corners in one cell go. Linear in the vertices; any thread. For surfaces:
 * what is thinner than a cell, as the tubes of a cartoon are, would fall flat. */
void debye_mesh_coarsen(DebyeMesh *mesh, gsize n_triangles);
