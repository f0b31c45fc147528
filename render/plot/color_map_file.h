/* SPDX-License-Identifier: MIT */
/* Colour maps that people bring along, as files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rows of red, green and blue from low to high, from 0 to 1 or, where one is above 1, to 255; or four numbers, the first of
 * which ascends and says where the row's colour stands; or a colour in hexadecimal (#053061). Blanks, tabs, commas or
 * semicolons part them; what else begins with # is a comment. The same as a text of evenly spaced colours, see
 * debye_color_map_from_text(). NULL with an error that names the file and the line. */
char *debye_color_map_read(const char *path, GError **error);

G_END_DECLS
