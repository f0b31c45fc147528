/* SPDX-License-Identifier: MIT */
/* Rows of the lessons whose rows are figures, revealed one at a time beside what was guessed; declared in lessons.h, called by
 * the files of these lessons. */
#include "lessons.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ui/widgets/number_text.h"

/* --- Guesses --- */

void
debye_lesson_guesses_init(DebyeLessonGuesses *self)
{
  *self = (DebyeLessonGuesses){.guesses = g_array_new(FALSE, FALSE, sizeof(double))};
}

void
debye_lesson_guesses_clear(DebyeLessonGuesses *self)
{
  g_clear_pointer(&self->guesses, g_array_unref);
}

void
debye_lesson_guesses_restart(DebyeLessonGuesses *self, gboolean is_stepping)
{
  self->is_stepping = is_stepping;
  g_array_set_size(self->guesses, 0);
}

void
debye_lesson_guesses_reveal(DebyeLessonGuesses *self, DebyeClassroomLesson *lesson)
{
  if (!self->is_stepping)
    debye_lesson_guesses_restart(self, TRUE);
  else if (debye_classroom_lesson_get_n_rows(lesson) > self->guesses->len) {
    const double guess = debye_classroom_lesson_take_guess(lesson);
    g_array_append_val(self->guesses, guess);
  }
}

/* --- Rows --- */

DebyeLessonRows
debye_lesson_rows_begin(DebyeClassroomLesson *lesson, const DebyeLessonGuesses *guesses)
{
  const DebyeLessonRows rows = {
      .lesson = lesson, .guesses = guesses, .shown = debye_classroom_lesson_get_wanted_row(lesson)};
  debye_classroom_lesson_clear_rows(lesson);
  return rows;
}

static char *
tell_guess(const DebyeLessonRows *rows, const char *unit, const char *numbers)
{
  const GArray *guesses = rows->guesses->guesses;
  const double guess = rows->n < guesses->len ? g_array_index(guesses, double, rows->n) : 0.0;
  if (guess == 0.0)
    return g_strdup(numbers);
  g_autofree char *plain = debye_number_sentence(guess, 7), *number = debye_group_digits(plain);
  g_autofree char *told = g_strdup_printf(_("guessed: %s"), number);
  return g_strconcat(numbers, " · ", told, unit != NULL ? " " : "", unit, NULL);
}

static char *
ask(const char *question)
{
  return question != NULL ? g_strdup_printf(_("%s Page Down reveals it"), question)
                          : g_strdup(_("Page Down reveals it"));
}

void
debye_lesson_add_figure(DebyeLessonRows *rows, const char *title, const char *text, const char *question,
                        const char *unit, const char *numbers, DebyePlot *plot)
{
  const gboolean waits = rows->guesses->is_stepping && rows->n == rows->guesses->guesses->len,
                 is_hidden = rows->guesses->is_stepping && rows->n > rows->guesses->guesses->len;
  if (!is_hidden) {
    g_autofree char *told = waits ? ask(question) : tell_guess(rows, unit, numbers);
    debye_classroom_lesson_add_row(rows->lesson, title, text, told, NAN, NULL);
    if (!waits)
      debye_classroom_lesson_set_row_plot(rows->lesson, rows->n, plot);
    else if (question != NULL)
      debye_classroom_lesson_ask_guess(rows->lesson, title, unit);
    rows->is_asked |= waits && question != NULL;
  }
  rows->n++;
  g_object_unref(plot);
}

void
debye_lesson_rows_end(DebyeLessonRows *rows)
{
  const guint n_revealed = rows->guesses->guesses->len;
  const gboolean waits = rows->guesses->is_stepping && n_revealed < rows->n;
  debye_classroom_lesson_set_pending(rows->lesson, waits);
  if (!rows->is_asked)
    debye_classroom_lesson_ask_guess(rows->lesson, NULL, NULL);
  if (!rows->guesses->is_stepping || n_revealed == 0)
    debye_classroom_lesson_show_row(rows->lesson, rows->shown);
  else
    debye_classroom_lesson_show_row(rows->lesson, MIN(n_revealed, rows->n) - 1);
  if (rows->guesses->is_stepping && n_revealed == 0)
    debye_classroom_lesson_set_plot(rows->lesson, NULL);
  if (rows->guesses->is_stepping)
    debye_classroom_lesson_scroll_down(rows->lesson);
}

DebyePlot *
debye_lesson_caption_plot(DebyePlot *plot, const DebyeClassroomRecord *record)
{
  g_autofree char *grouped = debye_group_digits(record->subject);
  debye_plot_set_caption(plot, grouped);
  return plot;
}
