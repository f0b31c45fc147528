/* SPDX-License-Identifier: MIT */
/* Counted pairs in sessions, which are checked as they are read; called by kept_ladder.c. */
#pragma once

#include "classroom.h"

/* Adds the members to those of its step. */
void debye_kept_count_save(const DebyeClassroomCount *count, GVariantDict *dict);
/* All but title and device. FALSE: damaged. */
gboolean debye_kept_count_load(DebyeClassroomCount *count, GVariant *saved);
/* Of DebyeClassroomCount: what older sessions have once, in the ladder, for all steps. FALSE: some can't be divided by those
 * of a gas of the same density. */
gboolean debye_kept_counts_complete(GArray *counts, GVariant *ladder);
