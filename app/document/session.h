/* SPDX-License-Identifier: MIT */
/* What a window shows, as one small file: its files, and values for all the rest (the scene, the forms, the
 * frame), which are as JSON has them, so that what a newer version wrote is kept when this one saves again.
 * A session is used by one thread at a time. */
#pragma once

#include "session_file.h"

#define DEBYE_TYPE_SESSION (debye_session_get_type())
G_DECLARE_FINAL_TYPE(DebyeSession, debye_session, DEBYE, SESSION, GObject)

#define DEBYE_SESSION_ENDING ".debye"

gboolean debye_session_is_one(const char *path); /* by its ending */

/* `values`: an a{sv} of what json_reader.h lists. */
DebyeSession *debye_session_new(GVariant *values, const char *const *paths);
/* Reads the session, but none of its files. */
DebyeSession *debye_session_load(const char *path, GError **error);
DebyeSession *debye_session_parse(const char *text, gsize length, const char *name, const char *folder,
                                  GError **error);
/* Written beside and renamed: whatever happens, the old file or the new one stands. Reads the session's files
 * for their hashes; `previous` (or NULL) knows those of files that haven't changed. Files that are gone are
 * noted as missing (their state says so afterwards), and opening the session asks for them. */
gboolean debye_session_save(DebyeSession *self, const char *path, DebyeSession *previous,
                            GCancellable *cancellable, GError **error);
/* The session's text, without looking at its files. */
char *debye_session_to_text(DebyeSession *self, const char *folder);

/* Where it was read or written last; NULL: nowhere. */
const char *debye_session_get_path(DebyeSession *self);
/* The version of the program that saved it; NULL: it doesn't say, or wasn't read. */
const char *debye_session_get_program(DebyeSession *self);
GVariant *debye_session_get_values(DebyeSession *self);
guint debye_session_get_n_files(DebyeSession *self);
const DebyeSessionFile *debye_session_get_file(DebyeSession *self, guint index);
void debye_session_set_file_path(DebyeSession *self, guint index, const char *path);
/* Looks at one file. TRUE where it is what it was. */
gboolean debye_session_check_file(DebyeSession *self, guint index, GCancellable *cancellable);
/* The same of all. */
gboolean debye_session_check(DebyeSession *self, GCancellable *cancellable);
