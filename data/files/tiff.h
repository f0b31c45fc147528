/* SPDX-License-Identifier: MIT */
/* Pixels as TIFF, which journals take: not packed, with the density. */
#pragma once

#include <gio/gio.h>

/* Rows from the top, 3 or 4 bytes a pixel: red, green, blue, opacity (straight); `dpi`: pixels an inch;
 * `description`: kept with it, or NULL. Errors of the
 * stream come as they are; a picture beyond the 4 GB that a TIFF can hold is one, too. */
gboolean debye_tiff_save(const guint8 *pixels, int width, int height, int n_channels, double dpi,
                         const char *description, GOutputStream *stream, GError **error);
