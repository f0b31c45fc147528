/* SPDX-License-Identifier: MIT */
/* Write beside, then rename: the old file or the whole new one stands, never a half. */
#pragma once

#include <gio/gio.h>

typedef struct _DebyeReplaceFile DebyeReplaceFile;

/* A temporary file in the folder of `path`. */
DebyeReplaceFile *debye_replace_file_new(const char *path, GError **error);
GOutputStream *debye_replace_file_get_stream(DebyeReplaceFile *file); /* seekable, buffered */
/* Flushes, syncs and renames. Frees in any case; on an error the temporary file is gone and the old one
 * stands. */
gboolean debye_replace_file_commit(DebyeReplaceFile *file, GError **error);
void debye_replace_file_abandon(DebyeReplaceFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeReplaceFile, debye_replace_file_abandon)
