/* SPDX-License-Identifier: MIT */
/* Runs of a mesh's triangles and the boxes around them, so that a tile of a large picture draws those that it shows;
 * used by mesh_gl.c. Triangles that follow each other lie close together, as those who make meshes go through
 * space. */
#pragma once

#include <cglm/cglm.h>

#include "mesh.h"

typedef struct _DebyeMeshBlocks DebyeMeshBlocks;

/* The mesh's triangles so that those close together follow each other in all directions, where their makers leave whole rows
 * together: three indices per triangle. NULL: they are too few for that to matter. */
guint32 *debye_mesh_blocks_sort(const DebyeMesh *mesh);
/* `indices`: the mesh's triangles in the order in which they are drawn. */
DebyeMeshBlocks *debye_mesh_blocks_new(const DebyeMesh *mesh, const guint32 *indices);
void debye_mesh_blocks_free(DebyeMeshBlocks *blocks);

/* How many, and their boxes: of each the low x, y, z and the high x, y, z. */
gsize debye_mesh_blocks_get_boxes(const DebyeMeshBlocks *blocks, const float **boxes);

/* The next triangles from *first on, before `end`, that may be seen within the sides of the picture of `to_clip` (model to clip
 * coordinates), of blocks whose `wanted` isn't 0 (NULL: of all): sets *first and returns how many follow each other. 0: none are
 * left. */
gsize debye_mesh_blocks_next(const DebyeMeshBlocks *blocks, mat4 to_clip, const guint8 *wanted, gsize *first,
                             gsize end);
