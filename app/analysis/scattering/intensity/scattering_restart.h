/* SPDX-License-Identifier: MIT */
/* Continues an earlier result: its rows of q are not computed again. The earlier job must have the same
 * settings except for q and those that affect only speed, and input files of the same content.
 * scattering_job.c and, in time, scattering_dynamic.c call it. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "app/analysis/scattering/system/scattering_plan.h"

/* The result that the setting “continue” names: *earlier has its rows, *begun (with the sums of frames or
 * atoms so far) is the file of a job that was not finished. They are NULL where there is none of it, where no
 * file is asked for or it isn't there yet. FALSE where it is another job's, with an error that says in what. */
gboolean debye_scattering_restart_open(const DebyeScatteringPlan *plan, const DebyeRunInput *input,
                                       DebyeResult **earlier, DebyeResult **begun, GError **error);

/* The numbers of the plan's rows that the earlier result (NULL: none) has not. NULL with an error where that
 * has a row that this job has not: it would be lost. (element-type guint) */
GArray *debye_scattering_restart_find_left(DebyeResult *earlier, const DebyeScatteringPlan *plan,
                                           GError **error);

/* Both results' rows in order of q, with the settings and notes of the fresh one, of the same inputs. */
DebyeResult *debye_scattering_restart_join(DebyeResult *earlier, DebyeResult *fresh, GError **error);
