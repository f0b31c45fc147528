/* SPDX-License-Identifier: MIT */
/* Which blocks of what layers draw have been seen in the samples of a picture so far: the others are left out, and the picture is
 * the same to the bit. Layers ask for each of their lists of boxes, in the same order in each pass of each sample. */
#pragma once

#include "depth_levels.h"

/* Passes in which other blocks are seen: layers of transparency. */
#define DEBYE_SEEN_PASSES 8

/* Blocks in model coordinates. A block has nothing outside its box with the margins. */
typedef struct {
  const void *first; /* its low x, y, z and high x, y, z: six floats */
  gsize stride, n;   /* bytes to the next one; how many */
  float margin;      /* Å */
  float pixels;      /* beyond that, on the picture */
} DebyeBoxes;

typedef struct _DebyeSeenBlocks DebyeSeenBlocks;

DebyeSeenBlocks *debye_seen_blocks_new(void);
void debye_seen_blocks_free(DebyeSeenBlocks *self);

/* A new picture of so many pixels, whose samples are shifted by up to half a pixel: nothing is known. What the last one
 * took is freed. */
void debye_seen_blocks_begin(DebyeSeenBlocks *self, int width, int height);
/* A pass of a sample begins; more than DEBYE_SEEN_PASSES aren't told apart from unknown ones. */
void debye_seen_blocks_begin_pass(DebyeSeenBlocks *self, int pass);

/* A pass that is only asked for what the last look has found. */
void debye_seen_blocks_begin_found(DebyeSeenBlocks *self);

/* By layers: per block, whether it is to be drawn; valid until the pass has been looked at. NULL: all are. `to_clip`: from model to
 * clip coordinates. */
const guint8 *debye_seen_blocks_ask(DebyeSeenBlocks *self, const DebyeBoxes *boxes, mat4 to_clip);

/* Whether to look at the depths that the pass has left: layers have asked, and leave out enough. */
gboolean debye_seen_blocks_is_worth_a_look(const DebyeSeenBlocks *self);
/* TRUE: blocks that were left out may be seen by these depths; they are left out no more. */
gboolean debye_seen_blocks_look(DebyeSeenBlocks *self, const DebyeDepthLevels *depths);
