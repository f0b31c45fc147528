/* SPDX-License-Identifier: MIT */
/* The normal mode that a session's window plays, as a value of the session and back; called by window_state.c and, for
 * `debye-cli render`, by render_series.c. */
#pragma once

#include "data/formats/quantum/vibrations.h"
#include "document.h"

/* `number`: of the mode in its file, from 1; 0: none. `amplitude`: how far the atom goes that moves farthest, in Å. */
void debye_session_vibration_save(GVariantDict *values, guint number, double amplitude);
/* The number; *amplitude stays as it is where the session has none. */
guint debye_session_vibration_load(GVariant *values, double *amplitude);
/* That of the document's session, read anew of its files. FALSE without an error: no mode is played. */
gboolean debye_session_vibration_find(DebyeDocument *document, DebyeVibrationMotion *motion, GError **error);
