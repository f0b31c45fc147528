/* SPDX-License-Identifier: MIT */
/* Limits of colours as people write them. Used by the layers that show a map by colours, and by the window. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Moves both limits outwards to round numbers: ±4 for ±3.82; 0.2 to 1.6 for 0.21 to 1.57. Symmetric ones about 0 stay
 * so. Limits that are equal, reversed or not finite are left. */
void debye_color_limits_round(double *minimum, double *maximum);

G_END_DECLS
