/* SPDX-License-Identifier: MIT */
/* The lesson on the memory of batched transforms, which numbers choose; declared in lessons.h, used by lesson_figures.c and
 * window_classroom.c. */
#include "lessons.h"

#include <glib/gi18n.h>

#include "app/classroom/classroom_command.h"
#include "data/messages/count_text.h"

#define MOST_OF_ANY 1e6

enum { FRAMES, VECTORS, ATOMS, BLOCK, MEMORY }; /* the lesson's numbers */

void
debye_lesson_add_batch_numbers(DebyeClassroomLesson *lesson)
{
  const DebyeClassroomBatchChoice *usual = &debye_classroom_usual_batch;
  debye_classroom_lesson_add_number(lesson, _("Frames NF"), "", 2.0, MOST_OF_ANY, 1.0,
                                    (double)usual->n_frames);
  debye_classroom_lesson_add_number(lesson, _("Vectors V"), "", 1.0, MOST_OF_ANY, 1.0,
                                    (double)usual->n_vectors);
  debye_classroom_lesson_add_number(lesson, _("Atoms"), "", 1.0, 1e8, 1.0, (double)usual->n_atoms);
  debye_classroom_lesson_add_number(lesson, _("Atoms per batch N"), "", 1.0, MOST_OF_ANY, 1.0,
                                    (double)usual->block);
  debye_classroom_lesson_add_number(lesson, _("Memory of a GPU"), "GiB", 1.0, 1024.0, 1.0,
                                    usual->memory / DEBYE_CLASSROOM_GIB);
}

DebyeClassroomBatchChoice
debye_lesson_choose_batch(DebyeClassroomLesson *lesson)
{
  return (DebyeClassroomBatchChoice){
      .n_frames = (gsize)debye_classroom_lesson_get_number(lesson, FRAMES),
      .n_vectors = (gsize)debye_classroom_lesson_get_number(lesson, VECTORS),
      .n_atoms = (gsize)debye_classroom_lesson_get_number(lesson, ATOMS),
      .block = (gsize)debye_classroom_lesson_get_number(lesson, BLOCK),
      .memory = debye_classroom_lesson_get_number(lesson, MEMORY) * DEBYE_CLASSROOM_GIB,
  };
}

char *
debye_lesson_write_batches(DebyeClassroomLesson *lesson)
{
  const DebyeClassroomBatchChoice choice = debye_lesson_choose_batch(lesson);
  return debye_classroom_write_batches(debye_classroom_lesson_get_shown_row(lesson) == 0 ? "atoms" : "frames",
                                       &choice);
}

static void
add_by_atoms(DebyeLessonRows *rows, DebyeClassroomRecord *record)
{
  const DebyeClassroomBatchChoice *choice = &record->batch;
  g_autofree char *block = debye_classroom_batch_write_bytes(choice, choice->block),
                  *all = debye_classroom_batch_write_bytes(choice, choice->n_atoms),
                  *fit = debye_count_text((guint64)debye_classroom_batch_find_atoms(choice)),
                  *atoms = debye_count_text(choice->n_atoms);
  g_autofree char *numbers =
      g_strdup_printf(_("8 · L · V · N = 8 · %zu · %zu · %zu bytes = %s · all %s atoms %s · %g GiB hold %s "
                        "atoms"),
                      debye_ladder_series_length(choice->n_frames), choice->n_vectors, choice->block, block,
                      atoms, all, choice->memory / DEBYE_CLASSROOM_GIB, fit);
  debye_lesson_add_figure(
      rows, _("Atoms in a batch"),
      _("One call transforms all series of a batch, so that they must be in memory at the same time, each "
        "padded to twice its length. Larger batches start less often, until they no longer fit."),
      _("How many atoms can one batch have?"), NULL, numbers, debye_classroom_plot_batches_by_atoms(record));
}

static void
add_by_frames(DebyeLessonRows *rows, DebyeClassroomRecord *record)
{
  const DebyeClassroomBatchChoice *choice = &record->batch;
  g_autofree char *frames = debye_count_text(debye_classroom_batch_find_frames(choice)),
                  *block = debye_count_text(choice->block);
  g_autofree char *numbers = g_strdup_printf(_("%g GiB hold a batch of %s atoms up to %s frames"),
                                             choice->memory / DEBYE_CLASSROOM_GIB, block, frames);
  debye_lesson_add_figure(
      rows, _("Frames of a trajectory"),
      _("Padded series are twice as long as the trajectory: frames and atoms share the memory."),
      _("How many frames can the trajectory have?"), NULL, numbers,
      debye_classroom_plot_batches_by_frames(record));
}

void
debye_lesson_show_batches(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record,
                          const DebyeLessonGuesses *guesses)
{
  DebyeLessonRows rows = debye_lesson_rows_begin(lesson, guesses);
  debye_classroom_lesson_set_subject(lesson, record->subject);
  add_by_atoms(&rows, record);
  add_by_frames(&rows, record);
  debye_lesson_rows_end(&rows);
  debye_classroom_lesson_set_has_command(lesson, TRUE);
}
