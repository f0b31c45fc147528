/* SPDX-License-Identifier: MIT */
/* The map of the frame that a window shows, computed on a thread of its own, which stays. Only the newest
 * frame counts: one that was shown while a map was being computed and is out of date by then never gets one,
 * and a map that is done is handed over in place of one not yet taken.
 *
 * Signals, on the main thread: "computed" (DebyeField), its statistics ready; "failed" (string), after which
 * it is off. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/results/field.h"
#include "data/settings/request.h"
#include "app/installation/devices.h"

#define DEBYE_TYPE_WINDOW_LIVE (debye_window_live_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowLive, debye_window_live, DEBYE, WINDOW_LIVE, GObject)

DebyeWindowLive *debye_window_live_new(DebyeDevices *devices);
/* On: maps as `request` says, of the frames that come. The devices are started by the first. */
void debye_window_live_start(DebyeWindowLive *self, DebyeDataset *dataset, DebyeRequest *request);
void debye_window_live_show(DebyeWindowLive *self, DebyeFrame *frame);
/* Off: what is being computed is given up, the plan freed, both without waiting for it here. */
void debye_window_live_end(DebyeWindowLive *self);
gboolean debye_window_live_is_on(DebyeWindowLive *self);
/* Maps a second that the newest took, from the frame's atoms to values that can be shown: what is possible,
 * also where fewer frames come. 0: none yet. */
double debye_window_live_get_rate(DebyeWindowLive *self);
/* Nothing is emitted any more. The thread ends on its own, at the latest with the map that it is in; it must
 * be stopped before the last reference is given up here. */
void debye_window_live_stop(DebyeWindowLive *self);
