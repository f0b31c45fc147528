/* SPDX-License-Identifier: MIT */
/* Colours as people type them; called by layer_text_apply.c and look_settings.c. */
#pragma once

#include <glib.h>

/* “#3366cc”, “#36c”, or one of CSS's sixteen basic names, “orange” or “grey”. FALSE: it is none; *color is 0xrrggbb. */
gboolean debye_color_parse(const char *text, guint32 *color);
