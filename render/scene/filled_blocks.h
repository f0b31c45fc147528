/* SPDX-License-Identifier: MIT */
/* Which blocks of a picture anything opaque was drawn in. What comes after the opaque pass costs processors as much per empty
 * pixel as per filled one, and much of a large picture is empty. */
#pragma once

#include "render/gl/gl_target.h"

typedef struct {
  guint8 *filled; /* per block, row by row from the bottom */
  float *depths;  /* as they were read last */
  int width, height, n_x, n_y;
} DebyeFilledBlocks;

/* Of a target of this size, pixels: none is filled. */
void debye_filled_blocks_begin(DebyeFilledBlocks *self, int width, int height);
void debye_filled_blocks_clear(DebyeFilledBlocks *self);

/* Adds those in which the target's depth isn't the far end. The GL must be a desktop's: others read no depths. */
void debye_filled_blocks_add(DebyeFilledBlocks *self, const DebyeTarget *target);

/* The run of filled blocks in one row that begins at `*block` or after it: its rectangle in pixels (x, y, width, height).
 * `*block` then is the one behind it. FALSE: there are no more. */
gboolean debye_filled_blocks_next(const DebyeFilledBlocks *self, int *block, int rectangle[4]);
