/* SPDX-License-Identifier: MIT */
/* How far a run is through its blocks, as a state, and the warning that too few of them are complete for a standard error;
 * called by the runs of maps, pairs and scattering. */
#include "frame_blocks.h"

void
debye_frame_blocks_list_state(DebyeFrameBlocksProgress *progress, const char *prefix, DebyeFrameState *state)
{
  g_autofree char *under_way = g_strconcat(prefix, "block_frames", NULL);
  debye_frame_state_add_counts(state, under_way, DEBYE_STATE_SUM, &progress->n_frames, 1);
  const struct {
    const char *name;
    guint64 *count;
  } kept[] = {{"block_number", &progress->block},
              {"whole_blocks", &progress->n_whole},
              {"shortest_block", &progress->shortest},
              {"longest_block", &progress->longest},
              {"frames_of_whole_blocks", &progress->n_in_whole}};
  for (gsize i = 0; i < G_N_ELEMENTS(kept); i++) {
    g_autofree char *name = g_strconcat(prefix, kept[i].name, NULL);
    debye_frame_state_add_counts(state, name, DEBYE_STATE_KEPT, kept[i].count, 1);
  }
}

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
