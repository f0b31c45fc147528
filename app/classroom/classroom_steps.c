/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_steps.h; used by measured_ladder.c and lesson_ladder.c. */
#include "classroom_steps.h"

#include <math.h>

#include "classroom_record.h"

void
debye_classroom_steps_init(DebyeClassroomSteps *self)
{
  *self = (DebyeClassroomSteps){.guesses = g_array_new(FALSE, FALSE, sizeof(double))};
}

void
debye_classroom_steps_clear(DebyeClassroomSteps *self)
{
  g_clear_object(&self->record);
  g_clear_pointer(&self->guesses, g_array_unref);
}

void
debye_classroom_steps_restart(DebyeClassroomSteps *self)
{
  g_clear_object(&self->record);
  g_array_set_size(self->guesses, 0);
  self->n_revealed = 0;
}

void
debye_classroom_steps_take(DebyeClassroomSteps *self, DebyeClassroomRecord *record)
{
  g_set_object(&self->record, record);
}

const DebyeClassroomStep *
debye_classroom_steps_get_pending(const DebyeClassroomSteps *self)
{
  return self->record != NULL && self->record->steps->len > self->n_revealed
             ? &g_array_index(self->record->steps, DebyeClassroomStep, self->n_revealed)
             : NULL;
}

void
debye_classroom_steps_reveal(DebyeClassroomSteps *self, double guess)
{
  g_return_if_fail(debye_classroom_steps_get_pending(self) != NULL);
  g_array_append_val(self->guesses, guess);
  self->n_revealed++;
}

DebyeClassroomRecord *
debye_classroom_steps_get_shown(const DebyeClassroomSteps *self)
{
  DebyeClassroomRecord *shown = debye_classroom_record_copy(self->record);
  g_array_set_size(shown->steps, self->n_revealed);
  g_array_set_size(shown->counts, MIN(shown->counts->len, self->n_revealed));
  return shown;
}

double
debye_classroom_steps_find_gain(const DebyeClassroomSteps *self, guint index)
{
  const GArray *steps = self->record->steps;
  return index > 0 && index < steps->len ? g_array_index(steps, DebyeClassroomStep, index).rate /
                                               g_array_index(steps, DebyeClassroomStep, index - 1).rate
                                         : NAN;
}
