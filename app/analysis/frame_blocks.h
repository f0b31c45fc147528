/* SPDX-License-Identifier: MIT */
/* Blocks of successive frames, from the spread of whose means standard errors come (Flyvbjerg & Petersen, J.
 * Chem. Phys. 91 (1989) 461). Every frame is in one: lengths differ by one frame where the blocks don't
 * divide the frames, whose means are weighed alike all the same. That errs to the safe side: means of longer
 * blocks spread less, and by 1/length at most. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize n_frames; /* expected */
  gsize n_blocks; /* 0: none */
} DebyeFrameBlocks;

/* As many as are asked for, but not more than frames; none where that is less than two. */
static inline DebyeFrameBlocks
debye_frame_blocks(gsize n_frames, gsize n_blocks)
{
  const gsize n = MIN(n_blocks, n_frames);
  return (DebyeFrameBlocks){n_frames, n >= 2 ? n : 0};
}

/* The first frame of a block; n_frames for that behind the last. */
static inline gsize
debye_frame_blocks_begin(DebyeFrameBlocks blocks, gsize block)
{
  return blocks.n_frames * block / blocks.n_blocks;
}

static inline gsize
debye_frame_blocks_length(DebyeFrameBlocks blocks, gsize block)
{
  return debye_frame_blocks_begin(blocks, block + 1) - debye_frame_blocks_begin(blocks, block);
}

/* The block that a frame is in; n_blocks behind the last. */
static inline gsize
debye_frame_blocks_find(DebyeFrameBlocks blocks, gsize frame)
{
  return frame < blocks.n_frames ? ((frame + 1) * blocks.n_blocks - 1) / blocks.n_frames : blocks.n_blocks;
}

/* Frames from this one to the end of its block. G_MAXSIZE where there are no blocks, or no more. */
static inline gsize
debye_frame_blocks_left(DebyeFrameBlocks blocks, gsize frame)
{
  if (blocks.n_blocks == 0 || frame >= blocks.n_frames)
    return G_MAXSIZE;
  return debye_frame_blocks_begin(blocks, debye_frame_blocks_find(blocks, frame) + 1) - frame;
}

/* Whether the last of so many frames, at least one, is the last of its block. */
static inline gboolean
debye_frame_blocks_end_at(DebyeFrameBlocks blocks, gsize n_frames)
{
  return debye_frame_blocks_left(blocks, n_frames - 1) == 1;
}

G_END_DECLS
