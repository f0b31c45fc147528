/* SPDX-License-Identifier: MIT */
/* Which frames an analysis takes, and the first of them: what every plan begins with. */
#pragma once

#include "data/results/result.h"
#include "data/trajectory/dataset.h"
#include "data/trajectory/frame_stream.h"

typedef struct {
  DebyeTrajectory *trajectory; /* borrowed from the dataset */
  DebyeFrameRange range;
  gsize n_frames;
  DebyeFrame *first; /* of the range; shared, not to be changed */
} DebyeFrameChoice;

/* The place of one of the frames among them, from 0. */
static inline gsize
debye_frame_choice_get_place(const DebyeFrameChoice *choice, const DebyeFrame *frame)
{
  return (frame->index - choice->range.first) / choice->range.step;
}

/* ps from one of the frames to the next: in the mean, or, where that is another step than the first one,
 * because the clock begins anew with another file, from the first to the second. 0 where there is one, or the
 * files don't say. Reads the second and the last one. */
double debye_frame_choice_get_time_step(const DebyeFrameChoice *choice);

/* Which frames were used: `n_used` of them; and, for captions, how many and the times from the first to the last. */
void debye_frame_choice_add_notes(const DebyeFrameChoice *choice, gsize n_used, DebyeResult *result);

void debye_frame_choice_clear(DebyeFrameChoice *choice);

/* By the setting “frames”. FALSE, with *key the setting that is the cause or NULL: no coordinates,
 * frames that are not there, a first frame that can't be read. */
gboolean debye_frame_choice_init(DebyeFrameChoice *choice, DebyeDataset *dataset, const char *frames,
                                 const char **key, GError **error);
