/* SPDX-License-Identifier: MIT */
/* Frames in one or several files as one sequence. The trajectory is immutable and shared; each thread reads
 * through a reader of its own. Nothing is kept in memory but the frame offsets. */
#pragma once

#include "cell_choice.h"
#include "data/formats/format.h"

#define DEBYE_TYPE_TRAJECTORY (debye_trajectory_get_type())
G_DECLARE_FINAL_TYPE(DebyeTrajectory, debye_trajectory, DEBYE, TRAJECTORY, GObject)

/* Opens and indexes (or takes the cached index of) the files, in that order. Files whose numbers of atoms
 * differ are DEBYE_ERROR_MISMATCH. `topology` (or NULL) knows what some files don't say: the number of atoms of
 * AMBER's mdcrd, the angles of cells of which only the lengths are kept. */
DebyeTrajectory *debye_trajectory_open(const char *const *paths, DebyeTopology *topology,
                                       DebyeProgressFunc progress, gpointer data, GError **error);
/* For files that a running simulation is still writing. Looks whether they have grown: `self` again (with a
 * reference) when they haven't, else a trajectory with the frames that have come, `self` staying as it is. A
 * frame that is only half there is none yet, and not a fault. The files before the last are looked at too. A
 * file that has become shorter, or another one, is DEBYE_ERROR_MISMATCH. Only what is new is read where the
 * format allows it (XTC, TRR). A window calls it from a worker when a GFileMonitor tells of a change, at most
 * once a second or so, and goes on with what comes back. */
DebyeTrajectory *debye_trajectory_refresh(DebyeTrajectory *self, DebyeProgressFunc progress, gpointer data,
                                          GError **error);
/* The same frames with the chosen cell, or that of `self` (NULL), and lengths in units of so many Å, or as in `self`
 * (NAN), where files leave that open (length_unit.h). debye_trajectory_refresh() keeps both. */
DebyeTrajectory *debye_trajectory_with_choices(DebyeTrajectory *self, const DebyeCellChoice *cell,
                                               double length_unit);
/* Whether a file has another size than when it was opened or refreshed: a look that costs nothing, before
 * debye_trajectory_refresh(). */
gboolean debye_trajectory_has_changed(DebyeTrajectory *self);
gsize debye_trajectory_get_n_frames(DebyeTrajectory *self);
gsize debye_trajectory_get_n_atoms(DebyeTrajectory *self);
/* ps; FALSE where the files don't say. Between files that don't go on in time (the warnings say so) the step
 * is the mean. */
gboolean debye_trajectory_get_times(DebyeTrajectory *self, double *first, double *last, double *step);
const char *const *debye_trajectory_get_warnings(DebyeTrajectory *self);
/* Whether several readers, each on a thread of its own, are faster than one. */
gboolean debye_trajectory_has_many_readers(DebyeTrajectory *self);
/* Whether frames may stay as the files pack them, where the consumer takes such (frame_stream.h); each frame says so itself. */
gboolean debye_trajectory_may_be_packed(DebyeTrajectory *self);

typedef struct _DebyeTrajectoryReader DebyeTrajectoryReader;

/* Each reader opens the files for itself; use it from one thread at a time. */
DebyeTrajectoryReader *debye_trajectory_reader_new(DebyeTrajectory *trajectory, GError **error);
/* Of files that are opened from now on: see debye_input_open_watched. */
void debye_trajectory_reader_watch(DebyeTrajectoryReader *reader, DebyeProgressFunc progress, gpointer data);
void debye_trajectory_reader_free(DebyeTrajectoryReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTrajectoryReader, debye_trajectory_reader_free)
/* Fills `frame` (of n_atoms atoms), its index, time and cell included. A cell that is no cell (zero,
 * singular) becomes none. */
gboolean debye_trajectory_reader_read(DebyeTrajectoryReader *reader, gsize frame_number, DebyeFrame *frame,
                                      GError **error);
