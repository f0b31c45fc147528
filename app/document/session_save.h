/* SPDX-License-Identifier: MIT */
/* Saving a session together with the results that have no file yet: those go beside it, into the folder
 * NAME.debye-results. Collected on the main thread, written on another, and what was written is remembered on
 * the main thread again: the two share nothing that changes. One window saves one session at a time. */
#pragma once

#include "data/results/result.h"
#include "session.h"

/* The files of a session, in order. */
typedef struct _DebyeSessionResults DebyeSessionResults;
/* `path`: of the session. */
DebyeSessionResults *debye_session_results_new(const char *path);
void debye_session_results_add_path(DebyeSessionResults *self, const char *path);
/* A result, by the file it was exported to or saved in before, where that is still what was written; else by
 * one that will be written. */
void debye_session_results_add(DebyeSessionResults *self, DebyeResult *result);
/* The same of what is only shown, such as an orbital that a person browses: once the session is saved, files of what was shown
 * before are removed from its folder. */
void debye_session_results_add_shown(DebyeSessionResults *self, DebyeResult *result);
/* Whether it is in the folder of the session that these are of. */
gboolean debye_session_results_is_own(const DebyeSessionResults *self, const char *path);
/* Whether it is such a file, of any session, by its name alone. */
gboolean debye_session_results_is_shown(const char *path);
/* Tells that a result was exported to `path`, which stands. Sessions refer to it where it is HDF5. */
void debye_session_results_remember_export(DebyeResult *result, const char *path);
/* Whether a file that stands holds the result: exported by hand, in whatever format, or saved with the session
 * `path` (NULL: none). */
gboolean debye_session_results_has_file(DebyeResult *result, const char *path);

typedef struct _DebyeSessionSave DebyeSessionSave;
/* Takes `results`. `previous`: see debye_session_save(). */
DebyeSessionSave *debye_session_save_new(const char *path, GVariant *values, DebyeSessionResults *results,
                                         DebyeSession *previous);
void debye_session_save_set_text(DebyeSessionSave *self, const char *key, const char *text);
/* On any thread, which touches no result but to write it: results first, so that the session never names what
 * isn't there. What fails leaves no results behind. */
DebyeSession *debye_session_save_run(DebyeSessionSave *self, GCancellable *cancellable, GError **error);
/* On the main thread after that, however it ended: the results that were written need no other file in this
 * folder. */
void debye_session_save_remember(DebyeSessionSave *self);
void debye_session_save_free(gpointer self);

/* A picture of a session in the cache folder, for the start page. */
#define DEBYE_SESSION_THUMBNAIL_WIDTH 320
#define DEBYE_SESSION_THUMBNAIL_HEIGHT 200
char *debye_session_thumbnail_path(const char *path);
/* RGBA of that size. What can't be written is left out: it is only a picture. */
void debye_session_save_thumbnail(GBytes *pixels, const char *path);
