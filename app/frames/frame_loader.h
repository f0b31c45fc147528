/* SPDX-License-Identifier: MIT */
/* Reads frames for the screen on a thread of its own, and places their molecules there. Only the newest
 * request counts: what was asked for while a frame was being read and is out of date by then is never read.
 *
 * Signals, on the main thread: "loaded" (DebyeFrame as the file has it, DebyeFrame placed), "failed" (char
 * *sentence). */
#pragma once

#include "app/analysis/driver/alignment.h"
#include "data/trajectory/placing.h"
#include "data/trajectory/trajectory.h"

#define DEBYE_TYPE_FRAME_LOADER (debye_frame_loader_get_type())
G_DECLARE_FINAL_TYPE(DebyeFrameLoader, debye_frame_loader, DEBYE, FRAME_LOADER, GObject)

DebyeFrameLoader *debye_frame_loader_new(DebyeTrajectory *trajectory);
/* The same trajectory with frames that have come. */
void debye_frame_loader_set_trajectory(DebyeFrameLoader *self, DebyeTrajectory *trajectory);
void debye_frame_loader_request(DebyeFrameLoader *self, gsize frame);
/* From now on; what was requested last, or else `frame`, comes again. */
void debye_frame_loader_set_placing(DebyeFrameLoader *self, DebyeTopology *topology, DebyePlacing placing,
                                    gsize frame);
/* Superposed from now on, after they are placed; nothing: no more. What was requested last, or else `frame`,
 * comes again. */
void debye_frame_loader_set_alignment(DebyeFrameLoader *self, DebyeDataset *dataset,
                                      const DebyeAlignment *alignment, gsize frame);
/* Nothing is emitted afterwards, and nothing read but the frame that is being read, for which nobody waits
 * (see threads.h). */
void debye_frame_loader_stop(DebyeFrameLoader *self);
