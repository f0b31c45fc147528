/* SPDX-License-Identifier: MIT */
/* What the class room measured and what the class guessed, as a session keeps it, so that nothing is measured when it is
 * opened; called by lesson_kept.c. Rates are in 1/s, limits as in DebyeLadderLimits, times in s, volumes in Å³. */
#pragma once

#include "classroom_steps.h"

/* A ladder's steps and counts, or the times on growing volumes, with their devices. (transfer floating) */
GVariant *debye_kept_ladder_save(DebyeClassroomRecord *record);
/* The same. NULL: something is missing, isn't possible, or is of a variant that this version doesn't have. */
DebyeClassroomRecord *debye_kept_ladder_load(GVariant *saved);

/* A ladder that is climbed step by step, with its guesses; `self` has a record. (transfer floating) */
GVariant *debye_kept_steps_save(const DebyeClassroomSteps *self);
/* FALSE, and nothing is changed: as above, or its steps are of another kind. */
gboolean debye_kept_steps_load(DebyeClassroomSteps *self, GVariant *saved, DebyeLadderKind kind);
