/* SPDX-License-Identifier: MIT */
/* What one window shows, collected for a session and set as one says: scene, forms, elements, frame, results.
 */
#pragma once

#include "app/document/session_save.h"
#include "window_frames.h"

/* The value of a recovered session that says where it was saved by hand. */
#define DEBYE_WINDOW_STATE_ORIGIN "recovered-from"

/* What counts as a change, as text: the frame that is shown doesn't. `session`: as it was opened or saved
 * last, whose values that this version doesn't know stay; or NULL. */
char *debye_window_state_describe(DebyeWindowComputing *computing, DebyeSession *session);
/* All of it on its way into the file `path`. `previous`: see debye_session_save(). */
DebyeSessionSave *debye_window_state_save(DebyeWindowComputing *computing, DebyeSession *session,
                                          const char *path, DebyeSession *previous);
/* Forms and frame, for a window that shows the session's files. */
void debye_window_state_restore(DebyeWindowComputing *computing, DebyeWindowFrames *frames,
                                DebyeSession *session);
/* The orbital that the session of the document shows: its surfaces become those of the page of orbitals. NULL: it shows
 * none, or they are already. (transfer none) */
DebyeResult *debye_window_state_adopt_orbital(DebyeWindowDocument *document, guint *number, guint *share);
