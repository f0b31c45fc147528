/* SPDX-License-Identifier: MIT */
/* What sessions keep of a lesson: the class's own code, its guesses, and what was measured; declared in lessons.h, used by
 * window_classroom.c. */
#include "lessons.h"

#include "app/classroom/kept_ladder.h"
#include "app/document/json_reader.h"

#define GROWTH "growth"

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
                  const DebyeClassroomSteps *steps, DebyeClassroomRecord *shown, GVariantDict *dict)
{
  GVariantDict one;
  g_variant_dict_init(&one, NULL);
  insert_code(lesson, &one);
  if (steps->record != NULL)
    g_variant_dict_insert_value(&one, "steps", debye_kept_steps_save(steps));
  else if (shown != NULL)
    g_variant_dict_insert_value(&one, "measured", debye_kept_ladder_save(shown));
  g_autoptr(GVariant) kept = g_variant_ref_sink(g_variant_dict_end(&one));
  if (g_variant_n_children(kept) > 0)
    g_variant_dict_insert_value(dict, about->id, kept);
}

void
debye_lesson_save_growth(DebyeClassroomRecord *record, GVariantDict *dict)
{
  GVariantDict one;
  if (record == NULL)
    return;
  g_variant_dict_init(&one, NULL);
  g_variant_dict_insert_value(&one, "measured", debye_kept_ladder_save(record));
  g_variant_dict_insert_value(dict, GROWTH, g_variant_dict_end(&one));
}

/* --- Restoring --- */

void
debye_lesson_restore_code(DebyeClassroomLesson *lesson, const DebyeLessonText *about, GVariant *saved)
{
  g_autoptr(GVariant) one = debye_json_get(saved, about->id, G_VARIANT_TYPE_VARDICT);
  g_autofree char *base = one != NULL ? debye_json_get_text(one, "base") : NULL,
                  *text = one != NULL ? debye_json_get_text(one, "code") : NULL;
  if (base != NULL && text != NULL)
    debye_classroom_code_set_draft(debye_classroom_lesson_get_code(lesson), base, text);
}

/* Of a ladder of this kind with steps, or of growth. */
static DebyeClassroomRecord *
load_measured(GVariant *one)
{
  g_autoptr(GVariant) measured = debye_json_get(one, "measured", G_VARIANT_TYPE_VARDICT);
  return measured != NULL ? debye_kept_ladder_load(measured) : NULL;
}

static gboolean
is_of_kind(const DebyeClassroomRecord *record, DebyeLadderKind kind)
{
  return record->steps->len > 0 && g_array_index(record->steps, DebyeClassroomStep, 0).kind == kind;
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
  g_autoptr(DebyeClassroomRecord) record = one != NULL ? load_measured(one) : NULL;
  if (record == NULL || !is_of_kind(record, kind))
    return FALSE;
  debye_classroom_steps_restart(steps);
  g_set_object(shown, record);
  return TRUE;
}

DebyeClassroomRecord *
debye_lesson_restore_growth(GVariant *saved)
{
  g_autoptr(GVariant) one = debye_json_get(saved, GROWTH, G_VARIANT_TYPE_VARDICT);
  g_autoptr(DebyeClassroomRecord) record = one != NULL ? load_measured(one) : NULL;
  return record != NULL && record->times->len > 0 ? g_steal_pointer(&record) : NULL;
}
