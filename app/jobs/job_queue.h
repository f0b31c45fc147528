/* SPDX-License-Identifier: MIT */
/* The jobs of one window, a GListModel of DebyeJob for its rows. Jobs marked as computing run one after the
 * other, so that two maps don't fight for the same devices; the others start at once. Finished jobs stay in
 * the list, to be read, until the next one is added. Signal: "changed" when a job came, ended or became
 * incidental. */
#pragma once

#include "job.h"

#define DEBYE_TYPE_JOB_QUEUE (debye_job_queue_get_type())
G_DECLARE_FINAL_TYPE(DebyeJobQueue, debye_job_queue, DEBYE, JOB_QUEUE, GObject)

DebyeJobQueue *debye_job_queue_new(void);
void debye_job_queue_add(DebyeJobQueue *self, DebyeJob *job, gboolean computing);
/* Jobs that wait or run and are not incidental. */
guint debye_job_queue_count_active(DebyeJobQueue *self);
/* Whether a worker has not ended, of whatever job. */
gboolean debye_job_queue_is_busy(DebyeJobQueue *self);
void debye_job_queue_stop_all(DebyeJobQueue *self);
/* Stops all that are not incidental, and from now on what is added before it starts. Workers end in their own
 * time, as "finished" of each job tells. */
void debye_job_queue_end(DebyeJobQueue *self);
/* Ends it and blocks until every worker has ended. */
void debye_job_queue_join(DebyeJobQueue *self);
