/* SPDX-License-Identifier: MIT */
/* Implementation of depth_levels.h; called by seen_blocks.c and the renderer. */
#include "depth_levels.h"

static int
side_of(int side, int level)
{
  return (side + (1 << level) - 1) >> level;
}

void
debye_depth_levels_clear(DebyeDepthLevels *self)
{
  for (int level = 0; level < self->n_levels; level++)
    g_free(self->levels[level]);
  *self = (DebyeDepthLevels){0};
}

void
debye_depth_levels_resize(DebyeDepthLevels *self, int width, int height)
{
  if (self->width == width && self->height == height)
    return;
  debye_depth_levels_clear(self);
  self->width = width;
  self->height = height;
  gsize n = 0;
  while (n != 1 && self->n_levels < DEBYE_DEPTH_LEVELS) {
    n = (gsize)side_of(width, self->n_levels) * (gsize)side_of(height, self->n_levels);
    self->levels[self->n_levels++] = g_new(float, n);
  }
}

static float
farther(float a, float b)
{
  return a > b ? a : b;
}

/* Two rows into one; both may be the last. */
static void
reduce_rows(const float *below, const float *above, int width, float *to)
{
  for (int x = 0; x < width / 2; x++)
    to[x] = farther(farther(below[2 * x], below[2 * x + 1]), farther(above[2 * x], above[2 * x + 1]));
  if (width % 2)
    to[width / 2] = farther(below[width - 1], above[width - 1]);
}

void
debye_depth_levels_build(DebyeDepthLevels *self)
{
  for (int level = 1; level < self->n_levels; level++) {
    const int width = side_of(self->width, level - 1), height = side_of(self->height, level - 1);
    for (int y = 0; y < height; y += 2) {
      const float *below = self->levels[level - 1] + (gsize)y * (gsize)width;
      reduce_rows(below, y + 1 < height ? below + width : below, width,
                  self->levels[level] + (gsize)(y / 2) * (gsize)side_of(self->width, level));
    }
  }
}

typedef struct {
  const DebyeDepthLevels *depths;
  const int *columns, *rows;
  float depth;
} Look;

static gboolean
meets(const int range[2], int place, int level)
{
  return place << level <= range[1] && ((place + 1) << level) - 1 >= range[0];
}

/* Whether any square of that of a level, if in the columns and rows, is as far as `depth`. */
static gboolean
is_open(const Look *look, int level, int x, int y)
{
  const DebyeDepthLevels *depths = look->depths;
  if (depths->levels[level][(gsize)y * (gsize)side_of(depths->width, level) + (gsize)x] < look->depth)
    return FALSE;
  if (level == 0)
    return TRUE;
  for (int part = 0; part < 4; part++) {
    const int column = 2 * x + (part & 1), row = 2 * y + (part >> 1);
    if (meets(look->columns, column, level - 1) && meets(look->rows, row, level - 1) &&
        is_open(look, level - 1, column, row))
      return TRUE;
  }
  return FALSE;
}

/* Begins with at most two by two. */
gboolean
debye_depth_levels_hide(const DebyeDepthLevels *self, const int columns[2], const int rows[2], float depth)
{
  const Look look = {self, columns, rows, depth};
  int level = 0;
  while (level + 1 < self->n_levels &&
         ((columns[1] >> level) - (columns[0] >> level) > 1 || (rows[1] >> level) - (rows[0] >> level) > 1))
    level++;
  for (int y = rows[0] >> level; y <= rows[1] >> level; y++)
    for (int x = columns[0] >> level; x <= columns[1] >> level; x++)
      if (is_open(&look, level, x, y))
        return FALSE;
  return TRUE;
}
