/* SPDX-License-Identifier: MIT */
/* What map_analysis.c shares with the two ways to compute over frames: one at a time, its planes shared by the
 * devices (map_run_slabs.c), or several, each on one lane (map_run_series.c). */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/frame_run.h"
#include "map_frame.h"
#include "map_planes.h"
#include "map_poisson.h"
#include "app/analysis/driver/analysis.h"
#include "map_variant.h"

typedef struct {
  const DebyeRunInput *input;
  const DebyeMapPlan *plan;
  DebyeMapFrames frames;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices, n_points;
  DebyeMapVariant variant;
  DebyeMapPoisson *poisson;         /* NULL: a sum over the charges */
  gboolean shares_planes;           /* of one frame, among processes and with the file of a job */
  DebyeMapAccumulator *accumulator; /* NULL: one frame, which is the result */
  DebyeLaneTotals lanes;
} DebyeMapRun;

/* The whole run over the frames, which `frames` is prepared for but for its class. */
DebyeResult *debye_map_run_by_slabs(DebyeMapRun *run, DebyeFrameRun *frames, GError **error);
DebyeResult *debye_map_run_by_frames(DebyeMapRun *run, DebyeFrameRun *frames, GError **error);
/* Host memory that going by frames takes beyond what the plan has counted. */
double debye_map_run_by_frames_bytes(const DebyeMapRun *run);

/* map_run_result.c */

gboolean debye_map_run_set_memory_error(GError **error);
/* The charges of the frames, as a plan for a kernel. */
DebyePotentialSettings debye_map_run_get_potential(const DebyeMapRun *run);
/* Takes `values`, in the plan's unit; NULL, nothing, gives NULL. `items`: what lanes share, "slabs". */
DebyeResult *debye_map_run_make_result(const DebyeMapRun *run, const DebyeFrameRun *frames, float *values,
                                       const char *items);
