/* SPDX-License-Identifier: MIT */
/* Reads frames first, first+step … ahead on its own threads while the caller computes; used by the analyses' driver. */
#pragma once

#include "trajectory.h"

/* FIRST:LAST:STEP with LAST inclusive; see debye_frame_range_parse for the text form with negatives. */
typedef struct {
  gsize first, last, step;
} DebyeFrameRange;

/* "", "5", "0:10", "0:-1:10", "::2", "-10:": 0-based, LAST inclusive, negative from the end. */
gboolean debye_frame_range_parse(const char *text, gsize n_frames, DebyeFrameRange *range, GError **error);
gsize debye_frame_range_count(const DebyeFrameRange *range);
char *debye_frame_range_to_string(const DebyeFrameRange *range);

typedef struct _DebyeFrameStream DebyeFrameStream;

/* There are `depth` frames at most (2 at least; 0: a default from the frame's size), those that the caller
 * holds among them: with all of them in use, asking for the next waits until another thread lets one go. So a
 * thread that keeps frames while it asks for more keeps fewer than `depth`, or copies of them. */
/* They are read by one thread, and by up to `n_readers` (0: one a core) where
 * the caller has to wait for them; each has a buffer. */
DebyeFrameStream *debye_frame_stream_new(DebyeTrajectory *trajectory, DebyeFrameRange range, guint depth,
                                         guint n_readers);
/* What is done with each frame on the thread that read it, several at once: it may change the frame, whose next reader
 * writes all of it anew. */
typedef void (*DebyeFrameFunc)(DebyeFrame *frame, gpointer data);
/* `prepare` may be NULL. `may_be_packed`: frames may stay as the file packs them (debye_frame_add_packed), each for itself. */
DebyeFrameStream *debye_frame_stream_new_prepared(DebyeTrajectory *trajectory, DebyeFrameRange range,
                                                  guint depth, guint n_readers, gboolean may_be_packed,
                                                  DebyeFrameFunc prepare, gpointer data);
void debye_frame_stream_free(DebyeFrameStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFrameStream, debye_frame_stream_free)
/* The next frame (a new reference), in order; NULL at the end (no error) or on an error. Unreffing it gives
 * the buffer back to the stream; frames may outlive it. */
DebyeFrame *debye_frame_stream_next(DebyeFrameStream *stream, GError **error);
