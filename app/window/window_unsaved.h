/* SPDX-License-Identifier: MIT */
/* What closing a window would lose: results that were computed in it and lie in no file, changes of its
 * session, a kernel that was edited, lessons that were measured. Questions
 * before a window closes or the program quits say it. */
#pragma once

#include "window_document.h"

typedef struct {
  guint n_results;      /* computed, and in no file */
  double seconds;       /* that computing them took */
  char *list;           /* of them, a line each, the newest first; "": none */
  gboolean is_modified; /* its session has changed since it was saved */
  gboolean has_code;    /* a kernel of the class room was edited, and there is no session that has it */
  gboolean has_lessons; /* the same of what was measured and guessed there */
} DebyeUnsaved;

/* `session`: where the window's session is saved; NULL: nowhere. */
void debye_unsaved_find(DebyeUnsaved *unsaved, DebyeWindowDocument *document, const char *session,
                        gboolean is_modified);
void debye_unsaved_clear(DebyeUnsaved *unsaved);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeUnsaved, debye_unsaved_clear)
gboolean debye_unsaved_is_nothing(const DebyeUnsaved *unsaved);
/* In the window's language, a sentence and the list. */
char *debye_unsaved_describe(const DebyeUnsaved *unsaved);
