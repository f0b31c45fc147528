/* SPDX-License-Identifier: MIT */
/* The frames of a window's trajectory: which one is shown, how its molecules are placed and superposed, the
 * frames that come while the window is open, and the map that follows them in live mode.
 *
 * Signal: "shown": another frame is in the scene. */
#pragma once

#include "app/analysis/driver/alignment.h"
#include "app/orbitals/vibration_page.h"
#include "data/trajectory/placing.h"
#include "window_computing.h"
#include "window_live.h"

#define DEBYE_TYPE_WINDOW_FRAMES (debye_window_frames_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowFrames, debye_window_frames, DEBYE, WINDOW_FRAMES, GObject)

DebyeWindowFrames *debye_window_frames_new(DebyeWindowComputing *computing, DebyeDevices *devices);
DebyeWindowDocument *debye_window_frames_get_document(DebyeWindowFrames *self);
/* The document's trajectory on the playback bar, its frames on demand. */
void debye_window_frames_show_trajectory(DebyeWindowFrames *self);
void debye_window_frames_seek(DebyeWindowFrames *self, guint frame);
/* A mode on the playback bar in place of the trajectory, played: the page makes the
 * frames. NULL: the trajectory again, from its first frame on. */
void debye_window_frames_vibrate(DebyeWindowFrames *self, DebyeVibrationPage *page);
/* The mode that is played, to be cleared; nothing where none is. */
DebyeVibrationMotion debye_window_frames_get_motion(DebyeWindowFrames *self);
/* The page makes frames otherwise than before: the one that is shown is made again. */
void debye_window_frames_update_vibration(DebyeWindowFrames *self);
/* Where the trajectory has frames to be read: the playback bar, too. */
void debye_window_frames_go_to(DebyeWindowFrames *self, guint frame);
/* A map of superposed frames shows the picture's frames superposed alike, on the same reference; any other map
 * of atoms shows them as they are. */
void debye_window_frames_align_with(DebyeWindowFrames *self, DebyeResult *result);
/* How the frame shown has its molecules placed, and how it is superposed. */
DebyePlacing debye_window_frames_get_placing(DebyeWindowFrames *self);
const DebyeAlignment *debye_window_frames_get_alignment(DebyeWindowFrames *self);

/* Live mode: the map follows the frame shown, as the newest map computed was asked for, or as the form says
 * where there is none. */
void debye_window_frames_set_live(DebyeWindowFrames *self, gboolean live);
gboolean debye_window_frames_can_be_live(DebyeWindowFrames *self);
DebyeWindowLive *debye_window_frames_get_live(DebyeWindowFrames *self);
/* Maps shown since it was turned on. */
guint debye_window_frames_get_n_live_maps(DebyeWindowFrames *self);

/* The window goes: workers are told to end. */
void debye_window_frames_stop(DebyeWindowFrames *self);
