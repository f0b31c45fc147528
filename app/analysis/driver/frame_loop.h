/* SPDX-License-Identifier: MIT */
/* The one loop over a trajectory's frames: read ahead, looked at for cancel, frames that can't be used named
 * and left out. An analysis gives it what to do with a frame. */
#pragma once

#include <stdbool.h>

#include "data/results/stages.h"
#include "data/trajectory/frame_stream.h"

typedef struct {
  DebyeTrajectory *trajectory;
  DebyeFrameRange range;
  guint depth;                 /* frames in memory at once, those that `work` keeps among them; 0: a few */
  const volatile bool *cancel; /* or NULL */
  DebyeStages *stages;         /* the clock on which waiting for a frame is told; or NULL */
  gpointer data;
  /* What is done with a frame on the thread that read it, several at once (frame_stream.h). NULL: nothing. */
  DebyeFrameFunc prepare;
  gboolean may_be_packed; /* frames, each for itself: prepare, usable and work look at is_packed */
  /* TRUE where a frame's coordinates can be used. NULL: all frames with finite coordinates. */
  gboolean (*usable)(const DebyeFrame *frame, gpointer data);
  /* FALSE ends the loop, with an error or (cancelled) without one. */
  gboolean (*work)(const DebyeFrame *frame, gpointer data, GError **error);
  DebyeFrameStream
      *stream; /* by debye_frame_loop_open(), which stays the caller's; NULL: begun with the loop */
} DebyeFrameLoop;

typedef struct {
  gsize n_done, n_left_out;
  gboolean cancelled;
  GString *left_out; /* "3, 17, 18 …" */
} DebyeFrameLoopReport;

void debye_frame_loop_report_clear(DebyeFrameLoopReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeFrameLoopReport, debye_frame_loop_report_clear)

/* Begins to read the frames of the loop, which runs later. */
DebyeFrameStream *debye_frame_loop_open(const DebyeFrameLoop *loop);

/* FALSE with an error. A cancelled loop is no error: the report says so. */
gboolean debye_frame_loop_run(const DebyeFrameLoop *loop, DebyeFrameLoopReport *report, GError **error);
