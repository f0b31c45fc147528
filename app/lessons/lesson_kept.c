/* SPDX-License-Identifier: MIT */
/* What sessions keep of a lesson: the class's own code, its guesses, and what was measured; declared in lessons.h, used by
 * measured_ladder.c and window_classroom.c. */
#include "lessons.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/classroom/kept_ladder.h"
#include "app/classroom/kept_sweep.h"
#include "app/document/json_reader.h"

#define ROOFLINE "roofline" /* as --plot calls it */
#define MAX_GUESSES 64
#define MAX_GUESS 1e9 /* as classroom_numbers.c, numbers of a lesson too */

/* --- Saving --- */

static void
insert_code(DebyeClassroomLesson *lesson, GVariantDict *dict)
{
  const char *base = NULL;
  g_autofree char *text = debye_classroom_code_get_draft(debye_classroom_lesson_get_code(lesson), &base);
  if (text == NULL)
    return;
  g_variant_dict_insert(dict, "base", "s", base);
  g_variant_dict_insert(dict, "code", "s", text);
}

void
debye_lesson_save(DebyeClassroomLesson *lesson, const DebyeLessonText *about,
                  const DebyeClassroomSteps *steps, DebyeClassroomRecord *shown, DebyeClassroomRecord *ours,
                  DebyeClassroomRecord *swept, GVariantDict *dict)
{
  DebyeClassroomCode *code = debye_classroom_lesson_get_code(lesson);
  const gboolean has_ours = ours != NULL && ours->steps->len > 0 && debye_classroom_code_is_current(code);
  const char *ran = has_ours ? debye_classroom_code_get_ran(code) : NULL;
  GVariantDict one;
  g_variant_dict_init(&one, NULL);
  insert_code(lesson, &one);
  if (steps->record != NULL)
    g_variant_dict_insert_value(&one, "steps", debye_kept_steps_save(steps));
  else if (shown != NULL)
    g_variant_dict_insert_value(&one, "measured", debye_kept_ladder_save(shown));
  if (shown != NULL && debye_classroom_lesson_get_figure(lesson) == DEBYE_LESSON_ROOFLINE)
    g_variant_dict_insert(&one, "figure", "s", ROOFLINE);
  if (has_ours)
    g_variant_dict_insert_value(&one, "ours", debye_kept_ladder_save(ours));
  if (ran != NULL) /* a listing with other values of its macros; else it was the code */
    g_variant_dict_insert(&one, "ran", "s", ran);
  if (swept != NULL && swept->design_kept != NULL)
    g_variant_dict_insert_value(&one, "sweep", swept->design_kept);
  g_autoptr(GVariant) kept = g_variant_ref_sink(g_variant_dict_end(&one));
  if (g_variant_n_children(kept) > 0)
    g_variant_dict_insert_value(dict, about->id, kept);
}

static GVariant *
save_numbers(const double *values, gsize n)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (gsize i = 0; i < n; i++)
    g_variant_builder_add(&builder, "v", g_variant_new_double(values[i]));
  return g_variant_builder_end(&builder);
}

static GVariant *
save_choice(DebyeClassroomLesson *lesson)
{
  const guint n = debye_classroom_lesson_get_n_numbers(lesson);
  g_autofree double *values = g_new(double, n + 1);
  for (guint i = 0; i < n; i++)
    values[i] = debye_classroom_lesson_get_number(lesson, i);
  return save_numbers(values, n);
}

/* What can't be had again from the molecule and the numbers alone. */
static gboolean
has_measured(DebyeLessonFigure kind, const DebyeClassroomRecord *record)
{
  return (kind == DEBYE_LESSON_GROWTH && record->times->len > 0) ||
         (kind == DEBYE_LESSON_SLICES && record->dealings->len > 0);
}

void
debye_lesson_save_figure(DebyeClassroomLesson *lesson, DebyeLessonFigure kind,
                         const DebyeLessonGuesses *guesses, DebyeClassroomRecord *record, GVariantDict *dict)
{
  GVariantDict one;
  const gboolean has_times = record != NULL && has_measured(kind, record);
  if (!guesses->is_stepping && !has_times)
    return;
  g_variant_dict_init(&one, NULL);
  if (has_times)
    g_variant_dict_insert_value(&one, "measured", debye_kept_ladder_save(record));
  if (guesses->is_stepping) {
    const double *values = (const double *)(const void *)guesses->guesses->data;
    g_variant_dict_insert_value(&one, "guesses", save_numbers(values, guesses->guesses->len));
    g_variant_dict_insert_value(&one, "numbers", save_choice(lesson));
  }
  g_variant_dict_insert_value(dict, debye_lesson_figures[kind].id, g_variant_dict_end(&one));
}

/* --- Restoring --- */

gboolean
debye_lesson_restore_code(DebyeClassroomLesson *lesson, const DebyeLessonText *about, GVariant *saved)
{
  g_autoptr(GVariant) one = debye_json_get(saved, about->id, G_VARIANT_TYPE_VARDICT);
  g_autofree char *base = one != NULL ? debye_json_get_text(one, "base") : NULL,
                  *text = one != NULL ? debye_json_get_text(one, "code") : NULL;
  return base != NULL && text != NULL &&
         debye_classroom_code_set_draft(debye_classroom_lesson_get_code(lesson), base, text);
}

void
debye_lesson_restore_choice(DebyeClassroomLesson *lesson, const DebyeLessonText *about, GVariant *saved)
{
  g_autoptr(GVariant) one = debye_json_get(saved, about->id, G_VARIANT_TYPE_VARDICT);
  g_autofree char *figure = one != NULL ? debye_json_get_text(one, "figure") : NULL;
  debye_classroom_lesson_choose_figure(lesson, g_strcmp0(figure, ROOFLINE) == 0 ? DEBYE_LESSON_ROOFLINE
                                                                                : DEBYE_LESSON_COUNTS);
}

DebyeClassroomRecord *
debye_lesson_restore_sweep(const DebyeLessonText *about, GVariant *saved)
{
  g_autoptr(GVariant) one = debye_json_get(saved, about->id, G_VARIANT_TYPE_VARDICT),
                      sweep = one != NULL ? debye_json_get(one, "sweep", G_VARIANT_TYPE_VARDICT) : NULL;
  return sweep != NULL ? debye_kept_sweep_load(sweep) : NULL;
}

static DebyeClassroomRecord *
load_record(GVariant *one, const char *key)
{
  g_autoptr(GVariant) kept = debye_json_get(one, key, G_VARIANT_TYPE_VARDICT);
  return kept != NULL ? debye_kept_ladder_load(kept) : NULL;
}

/* Of variants of this kind, or `is_ours`, of the class's own kernel. */
static gboolean
is_of_kind(const DebyeClassroomRecord *record, DebyeLadderKind kind, gboolean is_ours)
{
  const DebyeClassroomStep *first = (const DebyeClassroomStep *)record->steps->data;
  return record->steps->len > 0 && first->kind == kind && (first->id == NULL) == is_ours;
}

DebyeClassroomRecord *
debye_lesson_restore_ours(DebyeClassroomLesson *lesson, const DebyeLessonText *about, DebyeLadderKind kind,
                          GVariant *saved)
{
  DebyeClassroomCode *code = debye_classroom_lesson_get_code(lesson);
  g_autoptr(GVariant) one = debye_json_get(saved, about->id, G_VARIANT_TYPE_VARDICT);
  g_autoptr(DebyeClassroomRecord) ours = one != NULL ? load_record(one, "ours") : NULL;
  g_autofree char *ran = one != NULL ? debye_json_get_text(one, "ran") : NULL;
  if (ours == NULL || !is_of_kind(ours, kind, TRUE) || !debye_classroom_code_set_ran(code, ran))
    return NULL;
  return g_steal_pointer(&ours);
}

gboolean
debye_lesson_restore_run(const DebyeLessonText *about, DebyeLadderKind kind, DebyeClassroomSteps *steps,
                         DebyeClassroomRecord **shown, GVariant *saved)
{
  g_autoptr(GVariant) one = debye_json_get(saved, about->id, G_VARIANT_TYPE_VARDICT),
                      kept = one != NULL ? debye_json_get(one, "steps", G_VARIANT_TYPE_VARDICT) : NULL;
  if (kept != NULL) {
    if (!debye_kept_steps_load(steps, kept, kind))
      return FALSE;
    g_clear_object(shown);
    *shown = debye_classroom_steps_get_shown(steps);
    return TRUE;
  }
  g_autoptr(DebyeClassroomRecord) record = one != NULL ? load_record(one, "measured") : NULL;
  if (record == NULL || !is_of_kind(record, kind, FALSE))
    return FALSE;
  debye_classroom_steps_restart(steps);
  g_set_object(shown, record);
  return TRUE;
}

/* Numbers from -`most` to `most`, or NULL. (transfer full) */
static GArray *
load_numbers(GVariant *one, const char *key, double most)
{
  g_autoptr(GVariant) list = debye_json_get(one, key, G_VARIANT_TYPE("av"));
  const gsize n = list != NULL ? g_variant_n_children(list) : 0;
  if (list == NULL || n > MAX_GUESSES)
    return NULL;
  g_autoptr(GArray) values = g_array_new(FALSE, TRUE, sizeof(double));
  g_array_set_size(values, (guint)n);
  if (!debye_json_get_numbers(one, key, (double *)(void *)values->data, n))
    return NULL;
  for (guint i = 0; i < values->len; i++)
    if (!(fabs(g_array_index(values, double, i)) <= most))
      return NULL;
  return g_steal_pointer(&values);
}

/* Buttons keep them within their bounds. */
static void
load_choice(DebyeClassroomLesson *lesson, const GArray *numbers)
{
  for (guint i = 0; i < MIN(numbers->len, debye_classroom_lesson_get_n_numbers(lesson)); i++)
    debye_classroom_lesson_set_number(lesson, i, g_array_index(numbers, double, i));
}

/* Before it is measured nothing else is shown. */
static void
tell_guesses(DebyeClassroomLesson *lesson)
{
  debye_classroom_lesson_clear_rows(lesson);
  debye_classroom_lesson_set_plot(lesson, NULL);
  debye_classroom_lesson_set_has_command(lesson, FALSE);
  debye_classroom_lesson_set_subject(
      lesson, _("The session contains guesses for this page. Page Down measures and shows them"));
}

gboolean
debye_lesson_restore_figure(DebyeClassroomLesson *lesson, DebyeLessonFigure kind, DebyeLessonGuesses *guesses,
                            DebyeClassroomRecord **record, GVariant *saved)
{
  g_autoptr(GVariant) one = debye_json_get(saved, debye_lesson_figures[kind].id, G_VARIANT_TYPE_VARDICT);
  g_autoptr(DebyeClassroomRecord) measured = one != NULL ? load_record(one, "measured") : NULL;
  g_autoptr(GArray) guessed = one != NULL ? load_numbers(one, "guesses", MAX_GUESS) : NULL,
                    numbers = one != NULL ? load_numbers(one, "numbers", MAX_GUESS) : NULL;
  if (measured != NULL && has_measured(kind, measured))
    *record = g_steal_pointer(&measured);
  if (guessed == NULL && *record == NULL)
    return FALSE;
  debye_lesson_guesses_restart(guesses, guessed != NULL);
  if (guessed != NULL)
    g_array_append_vals(guesses->guesses, guessed->data, guessed->len);
  if (numbers != NULL)
    load_choice(lesson, numbers);
  if (*record == NULL)
    tell_guesses(lesson);
  return TRUE;
}
