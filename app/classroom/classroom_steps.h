/* SPDX-License-Identifier: MIT */
/* A ladder climbed one step at a time: each step is measured, guessed and then revealed. On the main thread. */
#pragma once

#include "classroom.h"

typedef struct {
  DebyeClassroomRecord *record; /* all that was measured; NULL: nothing yet */
  guint n_revealed;             /* of its steps */
  GArray *guesses;              /* double, one a revealed step: times as fast as the one before; 0: none */
} DebyeClassroomSteps;

void debye_classroom_steps_init(DebyeClassroomSteps *self);
void debye_classroom_steps_clear(DebyeClassroomSteps *self);
/* From the first step again. */
void debye_classroom_steps_restart(DebyeClassroomSteps *self);
/* What has been measured so far: a record with at most one step more than were revealed. */
void debye_classroom_steps_take(DebyeClassroomSteps *self, DebyeClassroomRecord *record);
/* The step that waits to be revealed; NULL: none. */
const DebyeClassroomStep *debye_classroom_steps_get_pending(const DebyeClassroomSteps *self);
/* Reveals it. `guess` times as fast as the step before; 0: nobody guessed. */
void debye_classroom_steps_reveal(DebyeClassroomSteps *self, double guess);
/* What may be seen: the record without the step that waits. A new reference. */
DebyeClassroomRecord *debye_classroom_steps_get_shown(const DebyeClassroomSteps *self);
/* How many times as fast as the step before it step `index` is; NAN: it is the first. */
double debye_classroom_steps_find_gain(const DebyeClassroomSteps *self, guint index);
