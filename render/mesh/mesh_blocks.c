/* SPDX-License-Identifier: MIT */
/* Implementation of mesh_blocks.h. */
#include "mesh_blocks.h"

#include <math.h>
#include <string.h>

#include "data/work/parts.h"

/* Few enough to be small in a tile, many enough that looking costs little. */
#define BLOCK_TRIANGLES 256
/* Of a cell for sorting, were they everywhere; how many are worth it, and how many a thread. */
#define CELL_TRIANGLES 128.0
#define TRIANGLES_WORTH_SORTING 65536
#define TRIANGLES_WORTH_A_THREAD 131072
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
extend(Block *block, const DebyeMesh *mesh, const guint32 *triangle)
{
  for (gsize corner = 0; corner < 3; corner++) {
    const float *position = mesh->positions + 3 * (gsize)triangle[corner];
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
  const guint32 *indices;
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
      extend(&block, work->mesh, work->indices + 3 * triangle);
    work->blocks->blocks[i] = block;
  }
}

DebyeMeshBlocks *
debye_mesh_blocks_new(const DebyeMesh *mesh, const guint32 *indices)
{
  const gsize n_blocks = (mesh->n_triangles + BLOCK_TRIANGLES - 1) / BLOCK_TRIANGLES;
  DebyeMeshBlocks *self = g_malloc(sizeof *self + n_blocks * sizeof(Block));
  self->n_blocks = n_blocks;
  Work work = {self, mesh, indices};
  debye_parts_run((n_blocks + PART_BLOCKS - 1) / PART_BLOCKS, find_part, &work);
  return self;
}

/* --- Sorting, by counting: each part of the triangles on a thread --- */

typedef struct {
  const DebyeMesh *mesh;
  double low[3], scale;
  guint n[3]; /* cells along each axis */
  gsize n_cells, n_parts;
  guint32 *cell;  /* of each triangle */
  guint32 *place; /* [part][cell]: how many, then where the next of them goes */
  guint32 *sorted;
} Sorting;

/* By its first corner. */
static guint32
cell_of(const Sorting *sorting, gsize triangle)
{
  const float *position = sorting->mesh->positions + 3 * (gsize)sorting->mesh->indices[3 * triangle];
  gsize index = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const double place = ((double)position[axis] - sorting->low[axis]) * sorting->scale;
    const guint cell = place > 0.0 ? (guint)MIN(place, (double)sorting->n[axis] - 1.0) : 0;
    index = index * sorting->n[axis] + cell;
  }
  return (guint32)index;
}

static gsize
part_begin(const Sorting *sorting, gsize part)
{
  return sorting->mesh->n_triangles * part / sorting->n_parts;
}

static void
count_part(gsize part, gpointer data)
{
  const Sorting *sorting = data;
  guint32 *count = sorting->place + part * sorting->n_cells;
  for (gsize i = part_begin(sorting, part); i < part_begin(sorting, part + 1); i++) {
    sorting->cell[i] = cell_of(sorting, i);
    count[sorting->cell[i]]++;
  }
}

static void
place_part(gsize part, gpointer data)
{
  const Sorting *sorting = data;
  guint32 *next = sorting->place + part * sorting->n_cells;
  for (gsize i = part_begin(sorting, part); i < part_begin(sorting, part + 1); i++)
    memcpy(sorting->sorted + 3 * (gsize)next[sorting->cell[i]]++, sorting->mesh->indices + 3 * i,
           3 * sizeof(guint32));
}

/* Numbers become places. */
static void
find_places(const Sorting *sorting)
{
  guint32 first = 0;
  for (gsize cell = 0; cell < sorting->n_cells; cell++)
    for (gsize part = 0; part < sorting->n_parts; part++) {
      guint32 *place = sorting->place + part * sorting->n_cells + cell;
      const guint32 count = *place;
      *place = first;
      first += count;
    }
}

static void
make_cells(Sorting *sorting)
{
  DebyeVec3 low, high;
  debye_mesh_get_bounds(sorting->mesh, &low, &high);
  const double size[3] = {high.x - low.x + 1e-3, high.y - low.y + 1e-3, high.z - low.z + 1e-3};
  const double n_wanted = (double)sorting->mesh->n_triangles / CELL_TRIANGLES;
  sorting->scale = cbrt(n_wanted / (size[0] * size[1] * size[2]));
  /* Not where a corner is at infinity. */
  sorting->n_cells = sorting->scale > 0.0 ? 1 : 0;
  for (int axis = 0; axis < 3 && sorting->n_cells > 0; axis++) {
    sorting->low[axis] = axis == 0 ? low.x : axis == 1 ? low.y : low.z;
    sorting->n[axis] = (guint)CLAMP(ceil(size[axis] * sorting->scale), 1.0, 1000.0);
    sorting->n_cells *= sorting->n[axis];
  }
}

guint32 *
debye_mesh_blocks_sort(const DebyeMesh *mesh)
{
  if (mesh->n_triangles < TRIANGLES_WORTH_SORTING)
    return NULL;
  Sorting sorting = {.mesh = mesh};
  make_cells(&sorting);
  if (sorting.n_cells == 0 || sorting.n_cells > mesh->n_triangles)
    return NULL;
  sorting.n_parts = MIN(debye_parts_count_threads(), mesh->n_triangles / TRIANGLES_WORTH_A_THREAD + 1);
  g_autofree guint32 *cell = g_new(guint32, mesh->n_triangles);
  g_autofree guint32 *place = g_new0(guint32, sorting.n_parts * sorting.n_cells);
  sorting.cell = cell;
  sorting.place = place;
  sorting.sorted = g_new(guint32, 3 * mesh->n_triangles);
  debye_parts_run(sorting.n_parts, count_part, &sorting);
  find_places(&sorting);
  debye_parts_run(sorting.n_parts, place_part, &sorting);
  return sorting.sorted;
}

void
debye_mesh_blocks_free(DebyeMeshBlocks *self)
{
  g_free(self);
}

gsize
debye_mesh_blocks_get_boxes(const DebyeMeshBlocks *self, const float **boxes)
{
  *boxes = (const float *)self->blocks;
  return self->n_blocks;
}

/* Not if all corners of its box lie beyond the same side. */
static gboolean
is_beside(const Block *block, mat4 to_clip)
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
  return beyond[0] == 8 || beyond[1] == 8 || beyond[2] == 8 || beyond[3] == 8;
}

static gboolean
may_be_seen(const DebyeMeshBlocks *self, gsize block, mat4 to_clip, const guint8 *wanted)
{
  return (wanted == NULL || wanted[block]) && !is_beside(&self->blocks[block], to_clip);
}

gsize
debye_mesh_blocks_next(const DebyeMeshBlocks *self, mat4 to_clip, const guint8 *wanted, gsize *first,
                       gsize end)
{
  const gsize end_block = MIN((end + BLOCK_TRIANGLES - 1) / BLOCK_TRIANGLES, self->n_blocks);
  gsize block = *first / BLOCK_TRIANGLES;
  while (block < end_block && !may_be_seen(self, block, to_clip, wanted))
    block++;
  *first = MAX(*first, block * BLOCK_TRIANGLES);
  while (block < end_block && may_be_seen(self, block, to_clip, wanted))
    block++;
  const gsize last = MIN(block * BLOCK_TRIANGLES, end);
  return last > *first ? last - *first : 0;
}
