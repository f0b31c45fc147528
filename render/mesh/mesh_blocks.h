/* SPDX-License-Identifier: MIT */
/* Runs of a mesh's triangles and the boxes around them, so that a tile of a large picture draws those that it shows;
 * used by mesh_gl.c. Triangles that follow each other lie close together, as those who make meshes go through
 * space. */
#pragma once

#include <cglm/cglm.h>

#include "mesh.h"

typedef struct _DebyeMeshBlocks DebyeMeshBlocks;

DebyeMeshBlocks *debye_mesh_blocks_new(const DebyeMesh *mesh);
void debye_mesh_blocks_free(DebyeMeshBlocks *blocks);

/* The next triangles from *first on, before `end`, that may be seen within the sides of the picture of `to_clip` (model to clip
 * coordinates): sets *first and returns how many follow each other. 0: none are left. */
gsize debye_mesh_blocks_next(const DebyeMeshBlocks *blocks, mat4 to_clip, gsize *first, gsize end);
