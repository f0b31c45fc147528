/* SPDX-License-Identifier: MIT */
/* The user's folder of frame indexes (see frame_cache.h): how much it holds, and emptying it. Indexes beside
 * their trajectories are not looked for: they go with those. */
#pragma once

#include <glib.h>

guint64 debye_frame_cache_folder_get_size(void); /* bytes */
/* What can't be removed stays. */
void debye_frame_cache_folder_clear(void);
