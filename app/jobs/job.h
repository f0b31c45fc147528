/* SPDX-License-Identifier: MIT */
/* Work on a thread of its own. Properties change on the main thread only, coalesced, 25 times a second at
 * most, so rows can bind to them: "title" string, "message" string, "fraction" double 0…1 (never backwards;
 * −1: unknown), "remaining" double seconds (NAN: unknown), "state" (DebyeJobState), "active" boolean (it
 * waits or runs), "details" string (the error). Signals, on the main thread: "partial" (GObject result),
 * "finished". */
#pragma once

#include <stdbool.h>

#include <gio/gio.h>

#define DEBYE_TYPE_JOB (debye_job_get_type())
G_DECLARE_FINAL_TYPE(DebyeJob, debye_job, DEBYE, JOB, GObject)

typedef enum {
  DEBYE_JOB_WAITING,
  DEBYE_JOB_RUNNING,
  DEBYE_JOB_DONE,
  DEBYE_JOB_STOPPED, /* by the user; what was finished is kept */
  DEBYE_JOB_FAILED,
} DebyeJobState;

/* The work: returns its result (a new reference) or NULL with an error. On the job's thread. */
typedef gpointer (*DebyeJobFunc)(DebyeJob *job, gpointer data, GError **error);

DebyeJob *debye_job_new(const char *title, DebyeJobFunc work, gpointer data, GDestroyNotify free_data);
/* Starts the thread. The job keeps itself alive while it runs. */
void debye_job_start(DebyeJob *self);
void debye_job_stop(DebyeJob *self);
/* What it is for has been done: what is left (the small picture of a session that was saved) is no reason to
 * ask whether it may be stopped, nor to stop it when its window closes. */
void debye_job_set_incidental(DebyeJob *self);
gboolean debye_job_is_incidental(DebyeJob *self);
/* Blocks until the thread has ended and what it said last was delivered. */
void debye_job_join(DebyeJob *self);

DebyeJobState debye_job_get_state(DebyeJob *self);
/* The result (GObject, transfer none) once finished; a stopped job's is its partial one. */
gpointer debye_job_get_result(DebyeJob *self);
const GError *debye_job_get_error(DebyeJob *self);

/* For the work, on its thread. */
GCancellable *debye_job_get_cancellable(DebyeJob *self);
const volatile bool *debye_job_get_cancel_flag(DebyeJob *self);
void debye_job_set_progress(DebyeJob *self, double fraction);
/* The same as a DebyeProgressFunc, whose data is the job: FALSE once it is to stop. */
gboolean debye_job_go_on(double fraction, gpointer job);
void debye_job_set_message(DebyeJob *self, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The newest partial result replaces one not yet shown. Takes a reference. */
void debye_job_publish(DebyeJob *self, gpointer result);
