/* SPDX-License-Identifier: MIT */
/* The map of one frame as a job: its planes part by part, each part shared by the processes and then kept in a file. For
 * map_run_slabs.c and ions_run.c. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/frame_state.h"
#include "app/analysis/driver/job_blocks.h"
#include "app/analysis/driver/job_file.h"
#include "kernels/potential/potential_map_lanes.h"

typedef struct {
  /* Set before. */
  const DebyeRunInput *input; /* whose processes share the planes */
  DebyeSharing *map;
  const DebyeGrid *grid;
  const volatile bool *cancel; /* or NULL */
  DebyeLaneTotals *lanes;      /* get what the lanes do */
  /* Planes that are finished here, and of all points how many are: DebyePotentialProgress. */
  DebyePotentialProgress finished;
  gpointer data;
  const DebyeJobSettings *job;  /* NULL: no file */
  const DebyeFrameState *state; /* what goes into it, this map's values and n_done among it */
  DebyeResult *(*make_kept)(gpointer data);
  /* Of the map; more than 0 where a file had some. */
  guint64 n_done;
  /* Its own. */
  DebyeJobBlocks parts;
  DebyeRankShare share;
  double *speeds, seconds;
  gsize n_own;       /* planes of this process */
  guint64 n_earlier; /* that a file had */
} DebyeMapPlanes;

void debye_map_planes_clear(DebyeMapPlanes *planes);

/* What the job's file has; nothing without a job. *finished: the whole result. */
gboolean debye_map_planes_open_file(DebyeMapPlanes *planes, DebyeResult **finished, GError **error);
/* The result into it. */
gboolean debye_map_planes_close_file(DebyeMapPlanes *planes, DebyeResult *result, GError **error);

/* The map in e/Å into one of `single` and `twice`, whole in every process; planes that are done already are not touched.
 * FALSE with an error, or without one where it was stopped and no file has anything of it. */
gboolean debye_map_planes_sum(DebyeMapPlanes *planes, const DebyePotentialFrame *frame, float *single,
                              double *twice, GError **error);
/* That it was continued, and which process did what. */
void debye_map_planes_add_notes(const DebyeMapPlanes *planes, DebyeResult *result);
