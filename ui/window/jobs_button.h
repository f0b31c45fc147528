/* SPDX-License-Identifier: MIT */
/* The header's jobs button: a ring of overall progress while something runs, and a popover with a row a job.
 * Hidden until there was a job. */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_JOBS_BUTTON (debye_jobs_button_get_type())
G_DECLARE_FINAL_TYPE(DebyeJobsButton, debye_jobs_button, DEBYE, JOBS_BUTTON, AdwBin)

/* `jobs`: a list of what debye_job_row_new() takes. Emits "stop" (GObject job). */
void debye_jobs_button_set_jobs(DebyeJobsButton *self, GListModel *jobs);
