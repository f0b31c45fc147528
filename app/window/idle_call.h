/* SPDX-License-Identifier: MIT */
/* News of a thread on their way to the main thread: one call of the main loop for all that came until then.
 * The caller's lock guards the source. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Has the main loop call `callback`, unless that is under way. The callback clears the source, under the
 * lock, when it takes what there is. */
void debye_idle_call_ensure(GSource **source, GSourceFunc callback, gpointer data);
/* Takes the call back. On the main thread. */
void debye_idle_call_clear(GSource **source);

G_END_DECLS
