/* SPDX-License-Identifier: MIT */
/* The page Sweep of a ladder's lesson: what it offers for the listing that is shown, what came of it, and its command; declared in
 * lessons.h, used by measured_ladder.c and window_classroom.c. */
#include "lessons.h"

#include "app/classroom/classroom_command.h"
#include "app/classroom/classroom_design.h"
#include "app/classroom/kept_sweep.h"
#include "app/document/json_reader.h"
#include "data/messages/message.h"

void
debye_lesson_offer_sweep(DebyeClassroomLesson *lesson, DebyeLadderKind kind, gsize n_atoms)
{
  DebyeClassroomCode *code = debye_classroom_lesson_get_code(lesson);
  DebyeClassroomSweep *sweep = debye_classroom_lesson_get_sweep(lesson);
  g_autofree char *title = debye_classroom_code_get_title(code);
  g_auto(GStrv) macros = debye_classroom_code_list_macros(code);
  g_autoptr(GPtrArray) axes = debye_classroom_list_axes(kind, (const char *const *)macros, n_atoms);
  debye_classroom_sweep_begin(sweep, title);
  for (guint i = 0; i < axes->len; i++) {
    const DebyeClassroomAxis *axis = g_ptr_array_index(axes, i);
    debye_classroom_sweep_add(sweep, axis->name, axis->label, axis->values);
  }
  debye_classroom_sweep_end(sweep);
}

void
debye_lesson_show_sweep(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record)
{
  debye_classroom_lesson_show_sweep(lesson, record->design, record->verdict, record->is_found);
}

void
debye_lesson_reopen_sweep(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record, gboolean has_draft)
{
  g_autofree char *listing = debye_json_get_text(record->design_kept, "listing");
  g_auto(GStrv) axes = debye_kept_sweep_list(record->design_kept, "axes"),
                macros = debye_kept_sweep_list(record->design_kept, "macros");
  /* Macros are of what was swept: a listing, or the class's own code. */
  const gboolean is_of_draft = listing == NULL, shows_swept = is_of_draft == has_draft;
  debye_classroom_lesson_choose_sweep(lesson, has_draft ? NULL : listing,
                                      shows_swept ? (const char *const *)macros : NULL,
                                      (const char *const *)axes);
  debye_lesson_show_sweep(lesson, record);
}

void
debye_lesson_end_sweep(DebyeClassroomLesson *lesson, DebyeJob *job)
{
  const GError *error = debye_job_get_error(job);
  debye_classroom_sweep_set_running(debye_classroom_lesson_get_sweep(lesson), FALSE);
  if (debye_job_get_state(job) != DEBYE_JOB_FAILED || error == NULL)
    return;
  DebyeClassroomSweep *sweep = debye_classroom_lesson_get_sweep(lesson);
  g_autofree char *text = debye_message_translate(error->message);
  DebyePlot *kept = debye_plot_view_get_plot(debye_classroom_sweep_get_view(sweep));
  debye_classroom_lesson_show_sweep(lesson, kept, text, FALSE);
}

/* `axes`: to be freed with g_strfreev(); empty: the code is run as it is. */
static char *
write_source(DebyeClassroomLesson *lesson, DebyeLadderKind kind, DebyeDataset *dataset, char **axes)
{
  DebyeClassroomCode *code = debye_classroom_lesson_get_code(lesson);
  const char *base = NULL;
  g_auto(GStrv) macros = NULL, owned = axes;
  g_autofree char *text = debye_classroom_code_get_shown(code, &base, &macros);
  return debye_classroom_write_sweep(dataset, kind, base, debye_classroom_code_is_draft(code),
                                     (const char *const *)owned, (const char *const *)macros);
}

char *
debye_lesson_write_sweep(DebyeClassroomLesson *lesson, DebyeLadderKind kind, DebyeDataset *dataset)
{
  char **axes = debye_classroom_sweep_list(debye_classroom_lesson_get_sweep(lesson));
  return write_source(lesson, kind, dataset, axes);
}

char *
debye_lesson_write_code(DebyeClassroomLesson *lesson, DebyeLadderKind kind, DebyeDataset *dataset)
{
  return write_source(lesson, kind, dataset, g_new0(char *, 1));
}
