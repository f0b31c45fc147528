/* SPDX-License-Identifier: MIT */
/* Implementation of mesh_blocks.h. */
#include "mesh_blocks.h"

#include <math.h>

#include "data/work/parts.h"

/* Few enough to be small in a tile, many enough that looking costs little. */
#define BLOCK_TRIANGLES 512
/* That a thread looks at. */
#define PART_BLOCKS 64

typedef struct {
  vec3 box[2];
} Block;

struct _DebyeMeshBlocks {
  gsize n_blocks;
  Block blocks[];
};

/* Without fminf and fmaxf, which are calls. */
static void
extend(Block *block, const DebyeMesh *mesh, gsize triangle)
{
  for (gsize corner = 0; corner < 3; corner++) {
    const float *position = mesh->positions + 3 * (gsize)mesh->indices[3 * triangle + corner];
    for (int axis = 0; axis < 3; axis++) {
      const float at = position[axis];
      block->box[0][axis] = at < block->box[0][axis] ? at : block->box[0][axis];
      block->box[1][axis] = at > block->box[1][axis] ? at : block->box[1][axis];
    }
  }
}

typedef struct {
  DebyeMeshBlocks *blocks;
  const DebyeMesh *mesh;
} Work;

static void
find_part(gsize part, gpointer data)
{
  const Work *work = data;
  const gsize end = MIN((part + 1) * PART_BLOCKS, work->blocks->n_blocks);
  for (gsize i = part * PART_BLOCKS; i < end; i++) {
    Block block = {{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    const gsize last = MIN((i + 1) * BLOCK_TRIANGLES, work->mesh->n_triangles);
    for (gsize triangle = i * BLOCK_TRIANGLES; triangle < last; triangle++)
      extend(&block, work->mesh, triangle);
    work->blocks->blocks[i] = block;
  }
}

DebyeMeshBlocks *
debye_mesh_blocks_new(const DebyeMesh *mesh)
{
  const gsize n_blocks = (mesh->n_triangles + BLOCK_TRIANGLES - 1) / BLOCK_TRIANGLES;
  DebyeMeshBlocks *self = g_malloc(sizeof *self + n_blocks * sizeof(Block));
  self->n_blocks = n_blocks;
  Work work = {self, mesh};
  debye_parts_run((n_blocks + PART_BLOCKS - 1) / PART_BLOCKS, find_part, &work);
  return self;
}

void
debye_mesh_blocks_free(DebyeMeshBlocks *self)
{
  g_free(self);
}

/* Not if all corners of its box lie beyond the same side. */
static gboolean
may_be_seen(const Block *block, mat4 to_clip)
{
  int beyond[4] = {0};
  for (int corner = 0; corner < 8; corner++) {
    vec4 point = {block->box[corner & 1][0], block->box[corner >> 1 & 1][1], block->box[corner >> 2][2],
                  1.0f};
    glm_mat4_mulv(to_clip, point, point);
    for (int axis = 0; axis < 2; axis++) {
      beyond[2 * axis] += point[axis] < -point[3];
      beyond[2 * axis + 1] += point[axis] > point[3];
    }
  }
  return beyond[0] < 8 && beyond[1] < 8 && beyond[2] < 8 && beyond[3] < 8;
}

gsize
debye_mesh_blocks_next(const DebyeMeshBlocks *self, mat4 to_clip, gsize *first, gsize end)
{
  gsize block = *first / BLOCK_TRIANGLES;
  while (block < self->n_blocks && block * BLOCK_TRIANGLES < end &&
         !may_be_seen(&self->blocks[block], to_clip))
    block++;
  *first = MAX(*first, block * BLOCK_TRIANGLES);
  while (block < self->n_blocks && block * BLOCK_TRIANGLES < end &&
         may_be_seen(&self->blocks[block], to_clip))
    block++;
  const gsize last = MIN(block * BLOCK_TRIANGLES, end);
  return last > *first ? last - *first : 0;
}
