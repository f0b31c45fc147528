/* SPDX-License-Identifier: MIT */
/* One job in the jobs popover: title, what it does now, progress, time left, Stop. The job is any object with
 * the properties "title", "message", "fraction", "remaining", "state", "active" and "details"; they are bound
 * by name. */
#pragma once

#include <gtk/gtk.h>

#define DEBYE_TYPE_JOB_ROW (debye_job_row_get_type())
G_DECLARE_FINAL_TYPE(DebyeJobRow, debye_job_row, DEBYE, JOB_ROW, GtkListBoxRow)

/* Emits "stop" (GObject job). */
GtkWidget *debye_job_row_new(GObject *job);
