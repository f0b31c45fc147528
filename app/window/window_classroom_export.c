/* SPDX-License-Identifier: MIT */
/* Saving a figure or the code of the class room; declared in window_classroom.h, used by window_classroom.c. */
#include <glib/gi18n.h>

#include "app/classroom/classroom_exercise.h"
#include "window_classroom.h"
#include "window_exports.h"
#include "window_plots.h"

/* --- A figure --- */

typedef struct {
  DebyeWindowDocument *document;
  DebyeClassroomLesson *lesson;
} Export;

static void
on_path(const char *path, gpointer data)
{
  const Export *export = data;
  debye_window_plots_save(export->document, debye_classroom_lesson_get_view(export->lesson), path);
}

void
debye_window_classroom_export(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  const char *const suffixes[] = {"svg", N_("SVG, as shown"), "pdf", N_("PDF, as shown"),
                                  "png", N_("PNG, as shown"), "csv", N_("CSV, numbers"),
                                  NULL};
  Export *export = g_new(Export, 1);
  *export = (Export){self, lesson};
  debye_window_exports_choose_path(debye_window_document_get_window(self), _("Export plot"),
                                   "class-room-plot.svg", suffixes, on_path, export, g_free);
}

/* --- An exercise --- */

typedef struct {
  DebyeLadderKind kind;
  char *folder;
} Exercise;

static void
exercise_free(gpointer data)
{
  Exercise *exercise = data;
  g_free(exercise->folder);
  g_free(exercise);
}

static gpointer
write_exercise(DebyeJob *job, gpointer data, GError **error)
{
  const Exercise *exercise = data;
  debye_job_set_message(job, _("Writing"));
  debye_classroom_save_exercise(exercise->kind, exercise->folder, error);
  return NULL;
}

typedef struct {
  DebyeWindowDocument *document;
  DebyeLadderKind kind;
} ExerciseChoice;

static void
on_exercise_folder(const char *folder, gpointer data)
{
  const ExerciseChoice *choice = data;
  Exercise *exercise = g_new0(Exercise, 1);
  *exercise = (Exercise){choice->kind, g_strdup(folder)};
  g_autoptr(DebyeJob) job = debye_window_exports_job_new(folder, write_exercise, exercise, exercise_free);
  debye_window_exports_add(choice->document, job);
}

void
debye_window_classroom_save_exercise(DebyeWindowDocument *self, DebyeLadderKind kind)
{
  const char *const no_suffix[] = {NULL};
  ExerciseChoice *choice = g_new(ExerciseChoice, 1);
  *choice = (ExerciseChoice){self, kind};
  debye_window_exports_choose_path(debye_window_document_get_window(self), _("Save exercise"), "exercise",
                                   no_suffix, on_exercise_folder, choice, g_free);
}
