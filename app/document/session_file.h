/* SPDX-License-Identifier: MIT */
/* A file that a session refers to: where it lies, seen from the session and on the machine that saved it, and
 * what it was then. */
#pragma once

#include <gio/gio.h>

typedef enum {
  DEBYE_SESSION_FILE_THERE,
  DEBYE_SESSION_FILE_MISSING,
  DEBYE_SESSION_FILE_OTHER_SIZE,
  DEBYE_SESSION_FILE_OTHER_CONTENT,
} DebyeSessionFileState;

typedef struct {
  char *path;       /* absolute */
  char *saved_path; /* where it was on the machine that saved the session, absolute; NULL: not said */
  guint64 size;
  char *sha256;       /* "": not known */
  gboolean of_ends;   /* of the first and last MiB alone */
  gint64 modified;    /* µs since 1970, when hashed; 0: not hashed by this program */
  gboolean is_unseen; /* it wasn't there when the session was saved: what it was is not known */
  DebyeSessionFileState state;
} DebyeSessionFile;

DebyeSessionFile *debye_session_file_new(const char *path);
void debye_session_file_free(DebyeSessionFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeSessionFile, debye_session_file_free)

/* Fills size and hash from the file as it is; `known`, of the same path, saves reading where size and time
 * are its. A file that can't be read any more is noted as missing, with what is known of it. FALSE only when
 * it was cancelled. */
gboolean debye_session_file_record(DebyeSessionFile *file, const DebyeSessionFile *known,
                                   GCancellable *cancellable, GError **error);
/* Compares the file as it is with what is recorded, and sets the state. */
void debye_session_file_check(DebyeSessionFile *file, GCancellable *cancellable);
/* "is missing", "has 12 bytes, had 34": what differs; NULL: nothing. */
char *debye_session_file_describe(const DebyeSessionFile *file);

/* As the session file has it; `folder`: the session's, absolute. */
GVariant *debye_session_file_to_variant(const DebyeSessionFile *file, const char *folder);
/* The path beside the session goes before the absolute one where there is such a file. NULL where neither is
 * given. */
DebyeSessionFile *debye_session_file_from_variant(GVariant *variant, const char *folder);

/* How to come from a folder to a path, both absolute. */
char *debye_session_file_relate(const char *folder, const char *path);
