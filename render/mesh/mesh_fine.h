/* SPDX-License-Identifier: MIT */
/* More triangles on the same surface, for large pictures: between the vertices of a grid a curved surface has flat
 * pieces, and colours that run straight from vertex to vertex. */
#pragma once

#include "mesh.h"

/* How often each triangle of a mesh whose edges are about `length` is made into four, so that they are no longer than
 * `longest`; `longest` 0: never. */
guint debye_mesh_count_refinements(double length, double longest);

/* Makes the edges of the triangles no longer than `longest` (Å; 0: they stay), as far as so many triangles can be
 * drawn; sets the mesh's usual_edge. New vertices lie on the curves that the normals at the ends of an edge ask for
 * (Vlachos, Peters, Boyd and Mitchell, Curved PN triangles, 2001). Vertices have no atoms or values yet. FALSE: not
 * enough memory; the mesh is then as it was after the last refinement. Any thread. */
gboolean debye_mesh_refine(DebyeMesh *mesh, double longest);
