/* SPDX-License-Identifier: MIT */
/* Prepares each frame before it scatters: unwraps, centres, superposes as asked for or needed, and applies
 * artificial motions. intensity/scattering_run.c and time/intermediate_scattering.c call it. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "data/trajectory/frame_edit.h"
#include "kernels/scattering/scattering_groups.h"
#include "scattering_plan.h"

typedef struct _DebyeScatteringFrames DebyeScatteringFrames;

/* By the plan's settings “unwrap”, “superpose”, “reference”, “center” and “motion”. */
DebyeScatteringFrames *debye_scattering_frames_new(const DebyeScatteringPlan *plan, DebyeDataset *dataset,
                                                   GError **error);
void debye_scattering_frames_free(DebyeScatteringFrames *frames);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeScatteringFrames, debye_scattering_frames_free)

/* The frame to scatter with, a reference: the frame itself where nothing is done to it. Frames come in order
 * of time, each once. NULL with an error. */
DebyeFrame *debye_scattering_frames_prepare(DebyeScatteringFrames *frames, const DebyeFrame *frame,
                                            GError **error);
/* Before a further pass over the same frames. `follows_atoms`: one that is after single atoms in time, for
 * which unwrapping is what is meant where nothing is said. */
gboolean debye_scattering_frames_begin(DebyeScatteringFrames *frames, gboolean follows_atoms, GError **error);
/* A range of the plan's frames as it is to be read where the first n_seen of all went through: where frames
 * are changed, in ways that need those before, from the next one on; where molecules are followed, with those
 * that the step leaves out, which may hold a jump. */
void debye_scattering_frames_extend(const DebyeScatteringFrames *frames, DebyeFrameRange *range,
                                    gsize n_seen);
/* Whether the step leaves out a frame that was read: then molecules are only followed through it, in its
 * turn. FALSE with an error. */
gboolean debye_scattering_frames_leave_out(const DebyeScatteringFrames *frames, const DebyeFrame *frame);
gboolean debye_scattering_frames_follow(DebyeScatteringFrames *frames, const DebyeFrame *frame,
                                        GError **error);
/* Whether the atoms that scatter have finite places in a frame; where they don't, its molecules can't be
 * followed there, which the note tells if the last pass unwraps. */
gboolean debye_scattering_frames_has_positions(DebyeScatteringFrames *frames, const DebyeFrame *frame);
/* The clock begins anew with this frame, which is taken as `step` ps behind the one before; the note tells it
 * of the last pass. */
void debye_scattering_frames_begin_anew(DebyeScatteringFrames *frames, const DebyeFrame *frame, double step);
void debye_scattering_frames_add_notes(const DebyeScatteringFrames *frames, DebyeResult *result);
/* Whether such a pass unwraps. */
gboolean debye_scattering_frames_unwraps(const DebyeScatteringFrames *frames, gboolean follows_atoms);

/* Whether frames of a pass that isn't after single atoms may stay packed on their way to these devices: nothing is done to them, the
 * cell's shape isn't taken off, and it pays. With a limit on memory nothing is taken that only saves time. */
gboolean debye_scattering_frames_may_be_packed(const DebyeScatteringFrames *frames,
                                               const DebyeScatteringPlan *plan,
                                               const DebyeDeviceEntry *const *devices, gsize n_devices);

/* A frame as kernels take it, packed or not. */
static inline DebyeScatteringFrame
debye_scattering_view_frame(const DebyeFrame *frame)
{
  if (frame->is_packed)
    return (DebyeScatteringFrame){.packed = frame->packed, .cell = &frame->cell};
  return (DebyeScatteringFrame){.x = frame->x, .y = frame->y, .z = frame->z, .cell = &frame->cell};
}

/* FALSE with an error for a frame without a cell where the plan's first one has one. */
gboolean debye_scattering_check_cell(const DebyeScatteringPlan *plan, const DebyeFrame *frame,
                                     GError **error);
/* The mean volume of the cells of all frames of a periodic plan, Å³, by a pass over them, which is that
 * share of the run: 1 where nothing else is read, 0 where the work itself is yet to come. FALSE with an
 * error, G_IO_ERROR_CANCELLED where it was stopped. `callbacks` may be NULL. */
gboolean debye_scattering_mean_volume(const DebyeScatteringPlan *plan, const DebyeRunCallbacks *callbacks,
                                      double share, double *volume, GError **error);
