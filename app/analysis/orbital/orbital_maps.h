/* SPDX-License-Identifier: MIT */
/* The maps of orbitals as a job: map by map, and the potential, which takes longest, plane by plane. Each part is shared by the
 * processes and then kept in a file. For orbital_run.c. */
#pragma once

#include "app/analysis/driver/frame_state.h"
#include "app/analysis/driver/job_blocks.h"
#include "orbital_plan.h"

typedef struct {
  /* Set before. */
  const DebyeOrbitalPlan *plan;
  const DebyeRunInput *input; /* whose processes share the maps */
  /* Fills planes [first, first + n) of the values of a map; of all but the potential these are all. FALSE with an error, of
   * kind DEBYE_ERROR_STOPPED where it was stopped. */
  gboolean (*compute)(gpointer data, guint map, gsize first, gsize n, float *values, GError **error);
  gpointer data;
  const DebyeDeviceEntry *used; /* set by compute(): what whole maps were computed on; NULL: none yet */
  /* The values of each map. */
  GPtrArray *values;
  guint64 n_done; /* planes of all maps */
  /* The rest is for orbital_maps.c only. */
  DebyeJobBlocks parts;
  gboolean has_planes; /* of the potential, computed in this run */
  DebyeFrameState state;
  double *speeds, seconds;
  gsize n_own; /* planes of this process */
  guint64 n_earlier;
  GPtrArray
      *earlier_devices; /* (element-type DebyeNote): what maps of the file were computed on; NULL: no file */
} DebyeOrbitalMaps;

void debye_orbital_maps_clear(DebyeOrbitalMaps *maps);
/* With room for all values, and with what the job's file has; *finished: the whole result. Of a plan for points there is nothing
 * but the whole. */
gboolean debye_orbital_maps_open(DebyeOrbitalMaps *maps, DebyeResult **finished, GError **error);
/* All that is left, whole in every process. */
gboolean debye_orbital_maps_compute(DebyeOrbitalMaps *maps, GError **error);
/* What maps were computed on, in earlier runs, too. */
void debye_orbital_maps_add_devices(const DebyeOrbitalMaps *maps, DebyeResult *result);
/* That it was continued, and which process did what. */
void debye_orbital_maps_add_notes(const DebyeOrbitalMaps *maps, DebyeResult *result);
/* The result into the job's file. */
gboolean debye_orbital_maps_close(DebyeOrbitalMaps *maps, DebyeResult *result, GError **error);
