/* SPDX-License-Identifier: MIT */
/* What a trajectory knows of its files; shared by trajectory.c, which opens them, and trajectory_reader.c. */
#pragma once

#include "cell_choice.h"
#include "data/files/input_packed.h"
#include "frame_cache.h"
#include "trajectory.h"

typedef struct {
  char *path;
  DebyeUnpacked *unpacked;    /* NULL: it isn't packed, or one of many */
  gboolean has_one_reader;    /* several would each unpack it, or wait for each other */
  DebyeFileIdentity identity; /* of what was indexed, and how long it was */
  guint64 disk_size;
  const DebyeFormat *format;
  DebyeFrameIndex *index;
  gsize first_frame;   /* of this file in the trajectory */
  gboolean is_growing; /* has been seen to become longer */
} DebyeTrajectoryFile;

struct _DebyeTrajectory {
  GObject parent_instance;
  GPtrArray *files; /* DebyeTrajectoryFile */
  gsize n_frames, n_atoms;
  GPtrArray *warnings; /* ends with NULL once opened */
  DebyeCellChoice cell;
  double length_unit; /* Å, of files that leave it open */
};

/* The index is of the file that was opened: it may grow, as a running simulation's does, or be cut,
 * which shows where frames are missing, but not become another one. */
gboolean debye_trajectory_file_check_same(const DebyeInput *input, const DebyeTrajectoryFile *file,
                                          GError **error);
