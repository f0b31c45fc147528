/* SPDX-License-Identifier: MIT */
/* Looks every other second whether the files of a dataset grow, as those of a running simulation do, on a
 * thread of its own. The sizes are asked for and no monitor is relied on, for file systems shared over a
 * network don't tell of what other machines write.
 *
 * Signals: "grown" (DebyeDataset: the same with the frames that have come), "failed" (string: why it looks no
 * further, since a file was cut or is another one). */
#pragma once

#include "data/trajectory/dataset.h"

#define DEBYE_TYPE_TRAJECTORY_WATCHER (debye_trajectory_watcher_get_type())
G_DECLARE_FINAL_TYPE(DebyeTrajectoryWatcher, debye_trajectory_watcher, DEBYE, TRAJECTORY_WATCHER, GObject)

DebyeTrajectoryWatcher *debye_trajectory_watcher_new(DebyeDataset *dataset);
/* No signal comes any more. The thread ends on its own, at the latest with the read that it is in; it must be
 * stopped before the last reference is given up here. */
void debye_trajectory_watcher_stop(DebyeTrajectoryWatcher *self);
