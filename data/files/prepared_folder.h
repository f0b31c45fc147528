/* SPDX-License-Identifier: MIT */
/* Folders of prepared structures in the user's cache: one for each, of which the latest are kept. Used by preparation.c and
 * frame_cache_folder.c. */
#pragma once

#include <glib.h>

/* The path of the folder of that name. Free with g_free. */
char *debye_prepared_folder_get_path(const char *name);
/* Makes it, removes the oldest of the others where there are many, and holds it: it stays until
 * debye_prepared_folder_release(), also for other processes. -1 with an error that names it. */
int debye_prepared_folder_hold(const char *path, GError **error);
void debye_prepared_folder_release(int held);

guint64 debye_prepared_folder_get_size(void); /* of all, bytes */
/* Those that nobody holds. */
void debye_prepared_folder_clear(void);
