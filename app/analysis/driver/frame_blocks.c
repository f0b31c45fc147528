/* SPDX-License-Identifier: MIT */
/* Adds the warning that too few blocks of frames are complete for a standard error; called by the runs of
 * maps, pairs and scattering. */
#include "frame_blocks.h"

#include "analysis.h"

void
debye_frame_blocks_add_missing_note(DebyeFrameBlocks blocks, gsize n_whole, DebyeResult *result)
{
  if (blocks.n_blocks > 0 && n_whole < 2)
    debye_result_add_note_of(
        result, DEBYE_NOTE_WARNING, NULL,
        "no standard errors: they need two whole blocks of frames, found %" G_GSIZE_FORMAT
        " of %" G_GSIZE_FORMAT,
        n_whole, blocks.n_blocks);
}
