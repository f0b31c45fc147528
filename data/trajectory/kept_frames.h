/* SPDX-License-Identifier: MIT */
/* Single frames for those who look at the same few again and again: a form plans its analysis anew with each change of a
 * setting, from the same first frame. */
#pragma once

#include "trajectory.h"

/* A frame as the file has it, to be looked at and not to be changed; the last few (64 MB
 * of them, or one) are kept with the trajectory. On any thread. NULL with an error. */
DebyeFrame *debye_trajectory_get_frame(DebyeTrajectory *trajectory, gsize index, GError **error);
/* One that was read already, and that nobody will change. */
void debye_trajectory_keep_frame(DebyeTrajectory *trajectory, DebyeFrame *frame);
