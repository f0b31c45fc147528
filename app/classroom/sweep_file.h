/* SPDX-License-Identifier: MIT */
/* The finished points of a sweep in a file, so that one that was killed goes on where it was; for debye-cli bench. */
#pragma once

#include "app/bench/bench_ladder.h"
#include "data/settings/request.h"

typedef struct _DebyeSweepFile DebyeSweepFile;

/* What has to be the same, or times would be joined that nobody can compare. All of it is borrowed. */
typedef struct {
  DebyeRequest *request;     /* all settings but those that say how the file is kept */
  const char *const *inputs; /* files by their content */
  const DebyeDeviceEntry *const *devices;
  gsize n_devices;
  guint n_processes, n_threads; /* of mpirun; of one of them, where the sweep doesn't say how many */
  double save_every;            /* s, about; 0: at each point */
} DebyeSweepFileJob;

/* Reads the file, if there is one; ends `limits` (DebyeBenchLimits) with what it has of devices that aren't in it. NULL with
 * an error, also for a file of another job. */
DebyeSweepFile *debye_sweep_file_open(const char *path, const DebyeSweepFileJob *job, GArray *limits,
                                      GError **error);
guint debye_sweep_file_get_n_points(const DebyeSweepFile *self);
/* A copy of one of the points, in the order in which they were measured. */
void debye_sweep_file_get_point(const DebyeSweepFile *self, guint index, DebyeBenchResult *result);
/* A further point, and the limits as they are now; the file is written unless that was done a short time ago. */
gboolean debye_sweep_file_add(DebyeSweepFile *self, const DebyeBenchResult *result, const GArray *limits,
                              GError **error);
/* What isn't written yet. */
gboolean debye_sweep_file_finish(DebyeSweepFile *self, const GArray *limits, GError **error);
void debye_sweep_file_free(DebyeSweepFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeSweepFile, debye_sweep_file_free)
