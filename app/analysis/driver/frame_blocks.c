/* SPDX-License-Identifier: MIT */
/* What is said of blocks of frames, see frame_blocks.h. */
#include "frame_blocks.h"

#include "analysis.h"

void
debye_frame_blocks_add_missing_note(DebyeFrameBlocks blocks, gsize n_whole, DebyeResult *result)
{
  if (blocks.n_blocks > 0 && n_whole < 2)
    debye_result_add_note(result,
                          DEBYE_NOTE_WARNING
                          "no standard errors: they need two whole blocks of frames, found %" G_GSIZE_FORMAT
                          " of %" G_GSIZE_FORMAT,
                          n_whole, blocks.n_blocks);
}
