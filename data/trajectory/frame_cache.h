/* SPDX-License-Identifier: MIT */
/* Frame indexes kept from one session to the next, so that a trajectory of many gigabytes opens at once: in a
 * hidden file beside the trajectory ("run.xtc" has ".run.xtc.debye-index"), or in the user's cache folder if
 * that folder can't be written. Called by trajectory.c. A damaged cache is ignored and written again, and it is
 * no error if none can be written. */
#pragma once

#include "data/formats/format.h"

/* Files smaller than this are indexed faster than a cache is worth. */
#define DEBYE_FRAME_CACHE_MINIMUM (2u << 20)

/* The index that was stored for this file as it is now (size, time of change) and this format; NULL: none. */
DebyeFrameIndex *debye_frame_cache_load(DebyeInput *input, const DebyeFormat *format);
void debye_frame_cache_store(DebyeInput *input, const DebyeFormat *format, const DebyeFrameIndex *index);

/* Where they are. */
char *debye_frame_cache_get_path_beside(const char *path);
char *debye_frame_cache_get_path_of_user(const char *path);
