/* SPDX-License-Identifier: MIT */
/* What map_run.c shares with the two ways to compute over frames: one at a time, its planes shared by the
 * devices (map_run_slabs.c), or several, each on one lane (map_run_series.c). */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/frame_loop.h"
#include "map_frame.h"
#include "map_run.h"
#include "map_variant.h"

G_BEGIN_DECLS

typedef struct {
  const DebyeRunInput *input;
  const DebyeMapPlan *plan;
  DebyeMapFrames frames;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices, n_points;
  DebyeMapVariant variant;
  DebyeMapAccumulator *accumulator; /* NULL: one frame, which is the result */
  gsize n_frames_done;
  DebyeLaneTotals lanes;
  gint64 start, last_partial;
} DebyeMapRun;

/* The whole loop over the frames. *values: what stands at its end, in the request's unit, whether it was
 * cancelled or not; NULL where nothing was finished. FALSE with an error. */
gboolean debye_map_run_by_slabs(DebyeMapRun *run, DebyeFrameLoopReport *report, float **values,
                                GError **error);
gboolean debye_map_run_by_frames(DebyeMapRun *run, DebyeFrameLoopReport *report, float **values,
                                 GError **error);
/* Host memory that going by frames takes beyond what the plan has counted. */
double debye_map_run_by_frames_bytes(const DebyeMapRun *run);

gboolean debye_map_run_set_memory_error(GError **error);
/* The charges of the frames, as a plan for a kernel. */
DebyePotentialSettings debye_map_run_get_potential(const DebyeMapRun *run);
const volatile bool *debye_map_run_get_cancel(const DebyeMapRun *run);
gboolean debye_map_run_wants_partial(const DebyeMapRun *run);
gboolean debye_map_run_partial_is_due(const DebyeMapRun *run);
/* Takes `values`; NULL is nothing. */
void debye_map_run_publish(DebyeMapRun *run, float *values);
/* `done` frames, and a part of one. */
void debye_map_run_report(const DebyeMapRun *run, double done);
/* Of a loop over frames: for DebyeFrameLoop.usable; `data` is a DebyeMapRun. */
gboolean debye_map_run_can_use(const DebyeFrame *frame, gpointer data);

G_END_DECLS
