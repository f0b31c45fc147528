/* SPDX-License-Identifier: MIT */
/* Threads that are asked to end and not waited for, since what they are in the middle of (a read from a slow
 * drive, a slab of a map) can't be cut short and the main thread has better to do. Only the end of the
 * program waits: the libraries that they compute and read with go with it.
 *
 * Threads don't come from one pool: one that computes steps behind the main thread for good, its helpers
 * inherit that from it, and none can come forward again. So jobs, frames read ahead, workers (worker.h) and parts
 * of meshes start threads of their own. Short tasks without that go to GLib's pool (g_task_run_in_thread());
 * kernels, which know no GLib, keep theirs. */
#pragma once

#include <glib.h>

/* Starts a thread; `work` owns what `data` points to, and frees it last. */
void debye_threads_start(const char *name, void (*work)(gpointer data), gpointer data);
/* Until all have ended. */
void debye_threads_wait_for_all(void);
