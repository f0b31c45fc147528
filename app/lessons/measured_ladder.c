/* SPDX-License-Identifier: MIT */
/* Implementation of measured_ladder.h; used by window_classroom.c. */
#include "measured_ladder.h"

#include "app/classroom/classroom_command.h"

void
debye_measured_ladder_init(DebyeMeasuredLadder *self, DebyeLadderKind kind, DebyeClassroomLesson *lesson)
{
  *self = (DebyeMeasuredLadder){.lesson = lesson, .kind = kind};
  debye_classroom_steps_init(&self->steps);
  debye_lesson_add_choices(lesson, kind);
}

void
debye_measured_ladder_clear(DebyeMeasuredLadder *self)
{
  g_clear_object(&self->climbing);
  g_clear_object(&self->stepping);
  g_clear_object(&self->trying);
  g_clear_object(&self->sweeping);
  g_clear_object(&self->shown);
  g_clear_object(&self->ours);
  g_clear_object(&self->swept);
  debye_classroom_steps_clear(&self->steps);
}

/* --- Steps --- */

void
debye_measured_ladder_restart(DebyeMeasuredLadder *self)
{
  debye_classroom_steps_restart(&self->steps);
  g_clear_object(&self->stepping);
  debye_classroom_lesson_set_pending(self->lesson, FALSE);
  debye_classroom_lesson_clear_rows(self->lesson);
}

gboolean
debye_measured_ladder_begin_step(DebyeMeasuredLadder *self)
{
  if (self->stepping != NULL && debye_job_get_state(self->stepping) <= DEBYE_JOB_RUNNING)
    return FALSE;
  if (self->steps.record == NULL)
    debye_classroom_lesson_clear_rows(self->lesson);
  g_clear_object(&self->climbing);
  return TRUE;
}

/* --- What is shown --- */

static void
show_step(DebyeMeasuredLadder *self, DebyeClassroomRecord *record)
{
  debye_classroom_steps_take(&self->steps, record);
  debye_classroom_lesson_set_pending(self->lesson, debye_classroom_steps_get_pending(&self->steps) != NULL);
  debye_lesson_show_steps(self->lesson, &self->steps);
}

static void
keep_shown_steps(DebyeMeasuredLadder *self)
{
  g_clear_object(&self->shown);
  self->shown = debye_classroom_steps_get_shown(&self->steps);
}

/* Below the ladder's rows. */
static void
show_ours(DebyeMeasuredLadder *self)
{
  if (self->ours != NULL)
    debye_lesson_show_ours(self->lesson, self->shown, self->ours);
}

gboolean
debye_measured_ladder_reveal(DebyeMeasuredLadder *self)
{
  if (debye_classroom_steps_get_pending(&self->steps) == NULL)
    return FALSE;
  debye_classroom_steps_reveal(&self->steps, debye_classroom_lesson_take_guess(self->lesson));
  debye_classroom_lesson_set_pending(self->lesson, FALSE);
  debye_classroom_lesson_remove_own_row(self->lesson);
  debye_lesson_show_steps(self->lesson, &self->steps);
  keep_shown_steps(self);
  show_ours(self);
  return TRUE;
}

void
debye_measured_ladder_take(DebyeMeasuredLadder *self, DebyeJob *job, DebyeClassroomRecord *record)
{
  if (job == self->sweeping) {
    g_set_object(&self->swept, record);
    debye_lesson_show_sweep(self->lesson, record);
  }
  if (job != self->climbing && job != self->stepping && job != self->trying)
    return;
  debye_classroom_lesson_remove_own_row(self->lesson);
  if (job == self->climbing) {
    g_set_object(&self->shown, record);
    debye_lesson_show_ladder(self->lesson, record);
  } else if (job == self->stepping) {
    show_step(self, record);
    keep_shown_steps(self);
  } else {
    g_set_object(&self->ours, record);
  }
  show_ours(self);
}

char *
debye_measured_ladder_write_command(const DebyeMeasuredLadder *self, DebyeDataset *dataset)
{
  if (debye_classroom_lesson_is_sweeping(self->lesson))
    return debye_lesson_write_sweep(self->lesson, self->kind, dataset);
  /* Of the class's own kernel alone the figure is that of its code. */
  if (debye_classroom_lesson_shows_code(self->lesson) || self->shown == NULL)
    return debye_lesson_write_code(self->lesson, self->kind, dataset);
  const gboolean has_counts =
      self->shown->counts->len > 0 && debye_classroom_lesson_get_figure(self->lesson) == DEBYE_LESSON_COUNTS;
  return debye_classroom_write_ladder(dataset, self->kind, has_counts);
}

/* --- Sessions --- */

void
debye_measured_ladder_save(DebyeMeasuredLadder *self, GVariantDict *dict)
{
  debye_lesson_save(self->lesson, &debye_lesson_ladders[self->kind], &self->steps, self->shown, self->ours,
                    self->swept, dict);
}

static void
restore_sweep(DebyeMeasuredLadder *self, GVariant *saved, gboolean has_draft)
{
  g_autoptr(DebyeClassroomRecord) record =
      debye_lesson_restore_sweep(&debye_lesson_ladders[self->kind], saved);
  if (record == NULL)
    return;
  g_clear_object(&self->sweeping);
  g_set_object(&self->swept, record);
  debye_lesson_reopen_sweep(self->lesson, record, has_draft);
}

static void
restore_rows(DebyeMeasuredLadder *self)
{
  g_clear_object(&self->climbing);
  g_clear_object(&self->stepping);
  debye_classroom_lesson_clear_rows(self->lesson);
  if (self->steps.record == NULL)
    debye_lesson_show_ladder(self->lesson, self->shown);
  else
    show_step(self, self->steps.record);
}

void
debye_measured_ladder_restore(DebyeMeasuredLadder *self, GVariant *saved)
{
  const DebyeLessonText *about = &debye_lesson_ladders[self->kind];
  restore_sweep(self, saved, debye_lesson_restore_code(self->lesson, about, saved));
  g_autoptr(DebyeClassroomRecord) ours = debye_lesson_restore_ours(self->lesson, about, self->kind, saved);
  if (ours != NULL)
    g_set_object(&self->ours, ours);
  if (debye_lesson_restore_run(about, self->kind, &self->steps, &self->shown, saved)) {
    restore_rows(self);
    debye_lesson_restore_choice(self->lesson, about, saved);
  }
  if (ours != NULL)
    show_ours(self);
}
