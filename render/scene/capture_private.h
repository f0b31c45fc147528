/* SPDX-License-Identifier: MIT */
/* Parts of capturing that tests choose for themselves: the kind of GL, and the size of a tile. */
#pragma once

#include "capture.h"

/* `embedded`: OpenGL ES 3.0 even where there is desktop GL. */
DebyeOffscreen *debye_offscreen_new_for_api(gboolean embedded, GError **error);

/* As debye_capture, in tiles of at most `side` pixels with their rims; 0: as large as is good for this GL. */
GBytes *debye_capture_tiled(DebyeScene *scene, int width, int height, double scale, gboolean transparent,
                            int samples, int side, GError **error);
