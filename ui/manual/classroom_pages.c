/* SPDX-License-Identifier: MIT */
/* The pages of a lesson beside its rows: figure, code and sweep; declared in classroom_lesson.h. */
#include "classroom_lesson_private.h"

DebyeClassroomCode *
debye_classroom_lesson_get_code(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), NULL);
  return self->code;
}

DebyeClassroomSweep *
debye_classroom_lesson_get_sweep(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), NULL);
  return self->sweep;
}

DebyePlotView *
debye_classroom_lesson_get_view(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), NULL);
  return debye_classroom_lesson_is_sweeping(self) ? debye_classroom_sweep_get_view(self->sweep) : self->view;
}

gboolean
debye_classroom_lesson_is_sweeping(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), FALSE);
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "sweep") == 0;
}

gboolean
debye_classroom_lesson_shows_code(DebyeClassroomLesson *self)
{
  g_return_val_if_fail(DEBYE_IS_CLASSROOM_LESSON(self), FALSE);
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "code") == 0;
}

void
debye_classroom_lesson_show_sweep(DebyeClassroomLesson *self, DebyePlot *plot, const char *text,
                                  gboolean is_right)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  debye_classroom_sweep_show(self->sweep, plot, text, is_right);
  debye_classroom_lesson_show_panel(self);
}

void
debye_classroom_lesson_choose_sweep(DebyeClassroomLesson *self, const char *listing,
                                    const char *const *macros, const char *const *axes)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  if (listing != NULL)
    debye_classroom_code_show(self->code, listing);
  if (macros != NULL)
    debye_classroom_code_choose_macros(self->code, macros);
  debye_classroom_sweep_choose(self->sweep, axes);
  if (debye_classroom_lesson_is_sweeping(self))
    g_signal_emit_by_name(self, "offer-sweep");
}

void
debye_classroom_lesson_set_has_command(DebyeClassroomLesson *self, gboolean has_command)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  self->has_command = has_command;
  debye_classroom_lesson_show_panel(self);
}

void
debye_classroom_lesson_set_projected(DebyeClassroomLesson *self, gboolean is_projected)
{
  g_return_if_fail(DEBYE_IS_CLASSROOM_LESSON(self));
  self->is_projected = is_projected;
  debye_classroom_lesson_show_panel(self);
}
