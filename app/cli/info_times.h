/* SPDX-License-Identifier: MIT */
/* Whether the frames of a trajectory stand at even times. */
#pragma once

#include "data/trajectory/trajectory.h"

G_BEGIN_DECLS

/* Looked at in a few frames, the first ones and some spread over all: not every one is read for it. Where one
 * can't be read TRUE: others tell that. `first` and `step` as debye_trajectory_get_times gives them. */
gboolean debye_info_times_are_even(DebyeTrajectory *trajectory, double first, double step);

G_END_DECLS
