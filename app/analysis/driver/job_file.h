/* SPDX-License-Identifier: MIT */
/* The file of a job, which the setting “continue” names: a result that is finished, or what a running job has so far, with
 * tables that only such a job has. It is continued where it is of the same analysis, of the same settings but for those that
 * affect only speed, and of input files of the same content. */
#pragma once

#include "analysis.h"
#include "common_settings.h"

/* How the names of tables begin that only a job that runs has in its file. */
#define DEBYE_JOB_RESTART "restart_"

/* Whether a job may be continued though it was begun with another value of a setting. */
typedef struct {
  gboolean (*is_free)(const char *key, gconstpointer data);
  gconstpointer data;
} DebyeJobFreedom;

/* *found is the result in the job's file; NULL where no file is asked for or it isn't there yet. FALSE where it is another
 * job's, with an error that says in what. `freedom` NULL: only what affects speed may differ. */
gboolean debye_job_file_open(const DebyeJobSettings *job, const DebyeJobFreedom *freedom,
                             const DebyeRunInput *input, DebyeResult **found, GError **error);
/* Whether it has tables of a running job. */
gboolean debye_job_file_is_begun(DebyeResult *result);
/* What a result holds, without such tables and without notes of what is left to be done. */
DebyeResult *debye_job_file_copy(DebyeResult *result);

/* The numbers of a column of a result's table, and how many; NULL: none. */
const double *debye_job_file_find_column(DebyeResult *result, const char *table, const char *column,
                                         gsize *n);
