/* SPDX-License-Identifier: MIT */
/* Saving a session together with the results that have no file yet: those go beside it, into the folder
 * NAME.debye-results. Collected on the main thread, written on another. */
#pragma once

#include "data/result.h"
#include "session.h"

G_BEGIN_DECLS

/* The files of a session, in order. */
typedef struct _DebyeSessionResults DebyeSessionResults;
/* `path`: of the session. */
DebyeSessionResults *debye_session_results_new(const char *path);
void debye_session_results_add_path(DebyeSessionResults *self, const char *path);
/* A result, by the file it was exported to or saved in before, else by one that will be written. */
void debye_session_results_add(DebyeSessionResults *self, DebyeResult *result);

typedef struct _DebyeSessionSave DebyeSessionSave;
/* Takes `results`. `previous`: see debye_session_save(). */
DebyeSessionSave *debye_session_save_new(const char *path, GVariant *values, DebyeSessionResults *results,
                                         DebyeSession *previous);
void debye_session_save_set_text(DebyeSessionSave *self, const char *key, const char *text);
/* On any thread: results first, so that the session never names what isn't there. */
DebyeSession *debye_session_save_run(DebyeSessionSave *self, GCancellable *cancellable, GError **error);
void debye_session_save_free(gpointer self);

/* A picture of a session in the cache folder, for the start page. */
#define DEBYE_SESSION_THUMBNAIL_WIDTH 320
#define DEBYE_SESSION_THUMBNAIL_HEIGHT 200
char *debye_session_thumbnail_path(const char *path);
/* RGBA of that size. What can't be written is left out: it is only a picture. */
void debye_session_save_thumbnail(GBytes *pixels, const char *path);

G_END_DECLS
