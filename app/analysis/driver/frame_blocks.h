/* SPDX-License-Identifier: MIT */
/* Blocks of successive frames for standard errors, from the spread of the blocks' means (Flyvbjerg & Petersen, J.
 * Chem. Phys. 91 (1989) 461). Used by frame_run.h and the statistics of the analyses. Each requested frame is in
 * one block; lengths differ by one frame if the number of blocks doesn't divide that of the frames. A frame that
 * can't be used keeps its place, so that a block covers the same stretch of time with it and without. The block
 * then has one frame less, and an empty block doesn't count. All blocks have equal weight. This errs on the safe
 * side: means of more frames spread less. */
#pragma once

#include "data/results/result.h"
#include "frame_state.h"

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

/* The block that a frame is in; n_blocks behind the last. */
static inline gsize
debye_frame_blocks_find(DebyeFrameBlocks blocks, gsize frame)
{
  return frame < blocks.n_frames ? ((frame + 1) * blocks.n_blocks - 1) / blocks.n_frames : blocks.n_blocks;
}

/* The first frame behind that one's block. G_MAXSIZE where there are no blocks, or no more. */
static inline gsize
debye_frame_blocks_end(DebyeFrameBlocks blocks, gsize frame)
{
  if (blocks.n_blocks == 0 || frame >= blocks.n_frames)
    return G_MAXSIZE;
  return debye_frame_blocks_begin(blocks, debye_frame_blocks_find(blocks, frame) + 1);
}

/* How far a run is through its blocks. */
typedef struct {
  DebyeFrameBlocks blocks;
  guint64 block;             /* under way */
  guint64 n_frames;          /* of it, used so far */
  guint64 n_whole;           /* before it, of those that have a frame … */
  guint64 shortest, longest; /* … how many these have … */
  guint64 n_in_whole;        /* … and all of them together */
} DebyeFrameBlocksProgress;

/* All frames before that one have been seen. How many frames the block that ended with them has; 0: none
 * did, or none of its frames was used. */
static inline gsize
debye_frame_blocks_reach(DebyeFrameBlocksProgress *progress, gsize frame)
{
  if (progress->blocks.n_blocks == 0 || debye_frame_blocks_find(progress->blocks, frame) == progress->block)
    return 0;
  const gsize n = progress->n_frames;
  progress->block = debye_frame_blocks_find(progress->blocks, frame);
  progress->n_frames = 0;
  if (n == 0)
    return 0;
  progress->shortest = progress->n_whole > 0 ? MIN(progress->shortest, n) : n;
  progress->longest = MAX(progress->longest, n);
  progress->n_in_whole += n;
  progress->n_whole++;
  return n;
}

/* `prefix`: of the arrays' names. */
void debye_frame_blocks_list_state(DebyeFrameBlocksProgress *progress, const char *prefix,
                                   DebyeFrameState *state);

/* Says why a result that was asked for standard errors has none; nothing where it has, or none were asked. */
void debye_frame_blocks_add_missing_note(DebyeFrameBlocks blocks, gsize n_whole, DebyeResult *result);
