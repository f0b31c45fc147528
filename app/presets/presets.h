/* SPDX-License-Identifier: MIT */
/* Presets of pictures and plots: files of settings under short names, those that come with the program and those that a person
 * put into the folder debye/presets of the data of the desktop (~/.local/share). One's own goes before one of the same name. */
#pragma once

#include <glib.h>

/* All names, in their order. Free with g_strfreev. */
char **debye_presets_list(void);
/* The text of a preset by its name, or of a file by its path, lines "key = value" of debye-cli. An error names those that there
 * are. Free with g_free. */
char *debye_presets_read(const char *name, GError **error);
