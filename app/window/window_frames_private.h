/* SPDX-License-Identifier: MIT */
/* What the sources of window_frames.h share. */
#pragma once

#include "app/frames/frame_loader.h"
#include "app/frames/trajectory_watcher.h"
#include "window_frames.h"

struct _DebyeWindowFrames {
  GObject parent_instance;
  DebyeWindowDocument *document;
  DebyeWindowComputing *computing;
  DebyeFrameLoader *loader;
  DebyeVibrationPage *vibration;   /* whose mode is on the playback bar; NULL: the trajectory is */
  guint vibration_frame;           /* the page's that is shown */
  DebyePlacing placing;            /* how it places molecules */
  DebyeAlignment alignment;        /* and superposes frames */
  DebyeTrajectoryWatcher *watcher; /* NULL: there are no frames */
  DebyeWindowLive *live;
  guint n_live_maps;      /* shown since it was turned on */
  gint64 live_state_time; /* when its state was last told */
};

/* The frame shown and those to come with their molecules as the scene's box says, where they are placed in
 * another way. */
void debye_window_frames_place_molecules(DebyeWindowFrames *self);
/* Once. */
void debye_window_frames_add_live(DebyeWindowFrames *self, DebyeDevices *devices);
