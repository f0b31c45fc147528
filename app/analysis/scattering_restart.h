/* SPDX-License-Identifier: MIT */
/* Continuing: rows of q that an earlier result of the same job holds are not computed again. The same job has
 * the same settings but for q and for what only the speed depends on, and the same input files by their
 * content. */
#pragma once

#include "analysis.h"
#include "scattering_plan.h"

G_BEGIN_DECLS

/* The result that the setting “continue” names. *earlier is NULL where none is asked for, or the file isn't
 * there yet. FALSE where it is another job's, with an error that says in what. */
gboolean debye_scattering_restart_open(const DebyeRunInput *input, DebyeResult **earlier, GError **error);

/* The numbers of the plan's rows that the earlier result (NULL: none) has not. NULL with an error where that
 * has a row that this job has not: it would be lost. (element-type guint) */
GArray *debye_scattering_restart_find_left(DebyeResult *earlier, const DebyeScatteringPlan *plan,
                                           GError **error);

/* Both results' rows in order of q, with the settings and notes of the fresh one, of the same inputs. */
DebyeResult *debye_scattering_restart_join(DebyeResult *earlier, DebyeResult *fresh, GError **error);

G_END_DECLS
