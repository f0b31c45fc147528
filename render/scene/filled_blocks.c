/* SPDX-License-Identifier: MIT */
/* Finds the blocks of a picture that aren't empty, by its depths; called by renderer.c and renderer_passes.c. */
#include "filled_blocks.h"

#define SIDE 32 /* pixels: half of what Mesa's software renderer bins */

void
debye_filled_blocks_begin(DebyeFilledBlocks *self, int width, int height)
{
  if (width != self->width || height != self->height) {
    debye_filled_blocks_clear(self);
    self->width = width;
    self->height = height;
    self->n_x = (width + SIDE - 1) / SIDE;
    self->n_y = (height + SIDE - 1) / SIDE;
    self->filled = g_new(guint8, (gsize)self->n_x * (gsize)self->n_y);
    self->depths = g_new(float, (gsize)width *(gsize)height);
  }
  memset(self->filled, 0, (gsize)self->n_x * (gsize)self->n_y);
}

void
debye_filled_blocks_clear(DebyeFilledBlocks *self)
{
  g_free(self->filled);
  g_free(self->depths);
  *self = (DebyeFilledBlocks){0};
}

void
debye_filled_blocks_add(DebyeFilledBlocks *self, const DebyeTarget *target)
{
  g_return_if_fail(target->width == self->width && target->height == self->height);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, self->width, self->height, GL_DEPTH_COMPONENT, GL_FLOAT, self->depths);
  for (int y = 0; y < self->height; y++) {
    const float *row = self->depths + (gsize)y * (gsize)self->width;
    guint8 *blocks = self->filled + (gsize)(y / SIDE) * (gsize)self->n_x;
    for (int x = 0; x < self->width; x++)
      blocks[x / SIDE] |= row[x] < 1.0f;
  }
}

gboolean
debye_filled_blocks_next(const DebyeFilledBlocks *self, int *block, int rectangle[4])
{
  const int n = self->n_x * self->n_y;
  while (*block < n && !self->filled[*block])
    ++*block;
  if (*block >= n)
    return FALSE;
  const int row = *block / self->n_x, first = *block % self->n_x;
  int end = first;
  while (end < self->n_x && self->filled[row * self->n_x + end])
    end++;
  *block = row * self->n_x + end;
  rectangle[0] = first * SIDE;
  rectangle[1] = row * SIDE;
  rectangle[2] = MIN(end * SIDE, self->width) - rectangle[0];
  rectangle[3] = MIN((row + 1) * SIDE, self->height) - rectangle[1];
  return TRUE;
}
