/* SPDX-License-Identifier: MIT */
/* The run of an analysis over its frames: reading ahead, batches, blocks for errors, progress, partial results, Stop, what is
 * said of frames that can't be used, the file of a job that can be continued, and processes that share the frames. An
 * analysis says what to do with some frames, what it has summed, and what comes of it. */
#pragma once

#include "analysis.h"
#include "frame_blocks.h"
#include "frame_choice.h"
#include "frame_state.h"
#include "device_choice.h"
#include "job_blocks.h"
#include "job_file.h"

typedef struct _DebyeFrameRun DebyeFrameRun;

typedef struct {
  /* What can be done with a frame by itself, on the thread that read it and several at once: the frame as the functions below
   * get it. NULL: as it was read. */
  void (*prepare)(DebyeFrame *frame, gconstpointer own);
  /* Whether a frame with coordinates that are no numbers can be used; NULL: it can't. */
  gboolean (*usable)(const DebyeFrame *frame, gpointer own);
  /* The next frame as it joins the batch: itself (a reference) or one made of it. NULL without an error: nothing is to be
   * computed of it. Without the function all are taken as they are. */
  DebyeFrame *(*take)(DebyeFrameRun *run, const DebyeFrame *frame, gpointer own, GError **error);
  /* Computes the batch: run->batch, in order, at most run->max_batch, of one block. FALSE with an error, or without one
   * where it was stopped; run->n_done tells how many frames are behind. */
  gboolean (*compute)(DebyeFrameRun *run, gpointer own, GError **error);
  /* All frames before that place are behind, used or not: a block may end. NULL: nobody counts blocks. */
  void (*reach)(gpointer own, gsize place);
  /* Everything that was computed is in what list_state() lists, which is to be shared or written; NULL: it always is. */
  void (*settle)(gpointer own);
  /* Lists what has been summed so far. Without the function a run is of one process, from its first frame on. */
  void (*list_state)(gpointer own, DebyeFrameState *state);
  /* Before the frames of a range: makes it begin with one that they depend on, or takes what they depend on from the
   * trajectory; `n_seen` frames of all have been taken before. FALSE with an error. NULL: they don't depend on others. */
  gboolean (*extend)(gpointer own, DebyeFrameRange *range, gsize n_seen, GError **error);
  /* When all frames are behind: whether a result can be made of them; NULL: it can. */
  gboolean (*check)(gpointer own, GError **error);
  /* What there is so far, partial or not; NULL: nothing yet. */
  DebyeResult *(*make_result)(DebyeFrameRun *run, gpointer own);
} DebyeFrameRunClass;

struct _DebyeFrameRun {
  /* Set before the run. */
  const DebyeFrameRunClass *class;
  gpointer own;
  const DebyeRunInput *input;
  const DebyeFrameChoice *frames;
  DebyeFrameBlocks blocks; /* that a batch must not reach across; none where sums don't need it */
  gboolean may_be_packed;  /* frames, each for itself (data/molecule/frame.h): the class looks at is_packed */
  gsize max_batch;         /* frames together; take() may change it between batches */
  gsize first_batch;       /* fewer at first, each batch as many as all before it: something is soon seen */
  const char *activity;    /* of a run of one frame, where nothing is counted: "summing charges" */
  const DebyeLaneTotals *lanes; /* what this process used; NULL: its processor */
  const DebyeJobSettings *job;  /* how it is kept while it runs; NULL: not at all */
  gboolean job_is_open;         /* by the caller, who also closes its file, and has … */
  DebyeResult *begun,
      *done; /* … what was in it, and what shall stand in it; NULL: none, and what there is so far */
  /* The run's. */
  DebyeFrameState state;
  DebyeJobBlocks parts;
  DebyeRankShare share; /* of the part under way, this process' */
  double *speeds;       /* of the processes, frames a second; NULL: not known yet */
  double seconds;       /* that this process took … */
  gsize n_own;          /* … for its frames */
  gsize n_earlier;      /* frames that an earlier run was through */
  gsize n_seen;         /* frames of all that take() has had */
  gsize n_before;       /* n_done when the part began */
  GPtrArray *batch;     /* DebyeFrame */
  gsize n_done, n_left_out;
  gboolean is_stopped;
  gboolean is_over;  /* the next result is the last one: all that is said of the run is wanted */
  GString *left_out; /* "3, 17, 18 …" */
  gsize block_end;   /* the first frame behind the block under way */
  gint64 start, last_partial;
  DebyeFrameStream *ahead; /* of the frames that debye_frame_run_read_ahead() found to be the first … */
  DebyeFrameRange ahead_range;
  guint ahead_depth; /* … how many of them there may be at once … */
  gboolean ahead_may_be_packed;
};

void debye_frame_run_clear(DebyeFrameRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeFrameRun, debye_frame_run_clear)

/* Begins to read the frames while the caller still opens devices and plans; for a run whose class, own and max_batch are set.
 * prepare() may be called at once. Nothing happens where it isn't clear yet which frames are the first: of several processes,
 * and of a run that is continued. */
void debye_frame_run_read_ahead(DebyeFrameRun *run);

/* The whole: the result, marked partial where it was stopped after something was finished; NULL with an error. */
DebyeResult *debye_frame_run_execute(DebyeFrameRun *run, GError **error);

/* --- For frame_run_parts.c --- */

/* Reads the frames of a range and computes its batches to the end. FALSE with an error; where it was stopped,
 * run->is_stopped says so. */
gboolean debye_frame_run_read(DebyeFrameRun *run, const DebyeFrameRange *range, GError **error);
/* All before that frame is behind. */
void debye_frame_run_reach(DebyeFrameRun *run, gsize place);

/* --- For compute() and take() --- */

/* The flag of Stop; NULL: nobody can stop it. */
const volatile bool *debye_frame_run_get_cancel(const DebyeFrameRun *run);
/* So many frames are behind, and a part of one. */
void debye_frame_run_report(const DebyeFrameRun *run, double n_done);
/* Of the batch, `done` of `total` pieces: the progress of lanes, whose data the run is. */
void debye_frame_run_report_batch(void *run, size_t done, size_t total);
/* For results that grow while a frame is computed: whether somebody wants one now, and handing on what there is. */
gboolean debye_frame_run_wants_partial(const DebyeFrameRun *run);
gboolean debye_frame_run_partial_is_due(const DebyeFrameRun *run);
void debye_frame_run_publish(DebyeFrameRun *run);

/* Inputs and time so far, for results that a run hands on by itself. */
void debye_frame_run_stamp(const DebyeFrameRun *run, DebyeResult *result);

/* --- For make_result() --- */

/* The warning about frames that were left out. */
void debye_frame_run_add_left_out_note(const DebyeFrameRun *run, DebyeResult *result);
