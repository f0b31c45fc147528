/* SPDX-License-Identifier: MIT */
/* What the formats share when they make the table of a file's frames. */
#pragma once

#include "format.h"

/* What a frame's first bytes tell about it. */
typedef struct {
  gsize n_atoms;
  double time;              /* ps; NAN: not told */
  guint64 n_bytes;          /* to the next frame; at least 1 */
  gboolean has_coordinates; /* frames without are left out */
  gboolean has_bad_cell;    /* numbers for a cell that describe none */
} DebyeFrameFacts;

/* Looks at the `n` bytes from the frame's beginning, where the file has `available`. NULL, or a fault as the
 * end of the sentence "frame 12: …" with its DEBYE_ERROR code. */
typedef char *(*DebyeFrameLook)(gconstpointer format_data, const DebyeFrameIndex *index, const guint8 *bytes,
                                gsize n, guint64 available, DebyeFrameFacts *facts, int *code);

/* Hops from frame to frame, from `offset` to the end of the file, reading `n_look` bytes of each. The first
 * fault ends it: a warning when there are whole frames before it, else an error. With frames in the index, it
 * begins at the last of them instead. */
gboolean debye_frame_index_walk(DebyeFrameIndex *index, DebyeInput *input, guint64 offset, gsize n_look,
                                DebyeFrameLook look, gconstpointer format_data, DebyeProgressFunc progress,
                                gpointer data, GError **error);

/* Of the first and the last frame; the step follows from them. */
void debye_frame_index_set_times(DebyeFrameIndex *index, double first, double last);
