/* SPDX-License-Identifier: MIT */
/* Runs independent parts of some work on all CPU threads; called in data, render and app. */
#pragma once

#include <glib.h>

typedef void (*DebyePartWork)(gsize part, gpointer data);

/* `work` for 0 … n − 1, each once, on any thread; returns when all is done. One part needs no thread. */
void debye_parts_run(gsize n, DebyePartWork work, gpointer data);
/* Threads that a loop has at most, its caller's with them, as debye-cli is told by --threads; 0: one per processor. Holds for
 * loops that begin later, on any thread. */
void debye_parts_limit_threads(guint threads);
/* How many are done at a time. */
guint debye_parts_count_threads(void);
