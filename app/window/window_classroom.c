/* SPDX-License-Identifier: MIT */
/* The classroom of one window: texts, jobs and figures of its lessons; added by window_controller.c. */
#include "window_classroom.h"

#include <glib/gi18n.h>

#include "app/classroom/classroom_command.h"
#include "app/lessons/measured_ladder.h"

#define KEY "debye-window-classroom"

/* A lesson whose rows are figures. NULL: not measured yet. */
typedef struct {
  DebyeClassroomLesson *lesson; /* the window's */
  DebyeJob *job;                /* the newest */
  DebyeClassroomRecord *record;
  DebyeLessonGuesses guesses;
} Figure;

typedef struct {
  DebyeDevices *devices;
  DebyePreferences *preferences;
  DebyeMeasuredLadder ladders[DEBYE_LADDER_N_KINDS];
  Figure figures[DEBYE_LESSON_N_FIGURES];
  /* Variants up to one of which the steps of a ladder are measured, one after the other; NULL: only the one that is asked for. */
  char **goal;
  DebyeLadderKind goal_kind;
} Classroom;

static void
classroom_free(gpointer data)
{
  Classroom *room = data;
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++)
    debye_measured_ladder_clear(&room->ladders[kind]);
  for (int i = 0; i < DEBYE_LESSON_N_FIGURES; i++) {
    g_clear_object(&room->figures[i].job);
    g_clear_object(&room->figures[i].record);
    debye_lesson_guesses_clear(&room->figures[i].guesses);
  }
  g_strfreev(room->goal);
  debye_devices_unref(room->devices);
  g_object_unref(room->preferences);
  g_free(room);
}

static Classroom *
get_room(DebyeWindowDocument *self)
{
  return g_object_get_data(G_OBJECT(self), KEY);
}

/* --- Jobs --- */

static void
show_figure(Classroom *room, DebyeLessonFigure kind)
{
  const Figure *figure = &room->figures[kind];
  debye_lesson_show_figure(figure->lesson, kind, figure->record, &figure->guesses);
}

static void
show_record(Classroom *room, DebyeJob *job, DebyeClassroomRecord *record)
{
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++)
    debye_measured_ladder_take(&room->ladders[kind], job, record);
  for (int i = 0; i < DEBYE_LESSON_N_FIGURES; i++)
    if (job == room->figures[i].job) {
      g_set_object(&room->figures[i].record, record);
      show_figure(room, (DebyeLessonFigure)i);
    }
}

static void
on_partial(DebyeJob *job, GObject *record, DebyeWindowDocument *self)
{
  show_record(get_room(self), job, DEBYE_CLASSROOM_RECORD(record));
}

static void go_on_climbing(DebyeWindowDocument *self, DebyeMeasuredLadder *ladder);

static void
on_finished(DebyeJob *job, DebyeWindowDocument *self)
{
  gpointer record = debye_job_get_result(job);
  if (record != NULL)
    show_record(get_room(self), job, record);
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++) {
    DebyeMeasuredLadder *ladder = &get_room(self)->ladders[kind];
    if (job == ladder->trying)
      debye_lesson_end_run(ladder->lesson, job);
    else if (job == ladder->sweeping)
      debye_lesson_end_sweep(ladder->lesson, job);
    else if (job == ladder->stepping)
      go_on_climbing(self, ladder);
  }
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(debye_window_document_get_window(self), debye_job_get_error(job)->message);
}

/* The newest of its kind is the one that is shown. */
static void
add_job(DebyeWindowDocument *self, DebyeJob *job, DebyeJob **newest, DebyeClassroomLesson *lesson)
{
  g_set_object(newest, job);
  debye_classroom_lesson_set_job(lesson, G_OBJECT(job));
  g_signal_connect_object(job, "partial", G_CALLBACK(on_partial), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_finished), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self, job, TRUE);
}

static DebyeMeasuredLadder *
find_ladder(Classroom *room, const DebyeClassroomLesson *lesson)
{
  int kind = 0;
  while (room->ladders[kind].lesson != lesson)
    kind++;
  return &room->ladders[kind];
}

static void
on_measure_ladder(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  Classroom *room = get_room(self);
  DebyeMeasuredLadder *ladder = find_ladder(room, lesson);
  g_autoptr(DebyeJob) job =
      debye_classroom_ladder_job_new(room->devices, debye_window_document_get_dataset(self),
                                     debye_window_document_get_file_frame(self), ladder->kind);
  debye_measured_ladder_restart(ladder);
  g_clear_pointer(&room->goal, g_strfreev);
  add_job(self, job, &ladder->climbing, lesson);
}

/* Reveals the step that waits, or measures the next. */
static void
on_next(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  Classroom *room = get_room(self);
  DebyeMeasuredLadder *ladder = find_ladder(room, lesson);
  if (debye_measured_ladder_reveal(ladder) || !debye_measured_ladder_begin_step(ladder))
    return;
  g_autoptr(DebyeJob) job = debye_classroom_step_job_new(
      room->devices, debye_window_document_get_dataset(self), debye_window_document_get_file_frame(self),
      ladder->kind, ladder->steps.record);
  add_job(self, job, &ladder->stepping, lesson);
}

static gboolean
has_reached(const DebyeMeasuredLadder *ladder, char **goal)
{
  for (guint i = 0; i < ladder->steps.n_revealed; i++) {
    const DebyeClassroomStep *step = &g_array_index(ladder->steps.record->steps, DebyeClassroomStep, i);
    if (step->id != NULL && g_strv_contains((const char *const *)goal, step->id))
      return TRUE;
  }
  return FALSE;
}

/* Ends where a step was stopped, failed, or was the last one. */
static void
go_on_climbing(DebyeWindowDocument *self, DebyeMeasuredLadder *ladder)
{
  Classroom *room = get_room(self);
  if (room->goal_kind != ladder->kind)
    return;
  if (room->goal != NULL && debye_measured_ladder_reveal(ladder) && !has_reached(ladder, room->goal)) {
    on_next(self, ladder->lesson);
    return;
  }
  g_clear_pointer(&room->goal, g_strfreev);
}

/* The class's own kernel, or a listing with other macros, alone or for each point of a sweep: here alone it is compiled. */
static void
compile(DebyeWindowDocument *self, DebyeMeasuredLadder *ladder, const char *const *axes)
{
  Classroom *room = get_room(self);
  DebyeClassroomCode *code = debye_classroom_lesson_get_code(ladder->lesson);
  const char *base = NULL;
  g_auto(GStrv) macros = NULL;
  g_autofree char *text = debye_classroom_code_get_shown(code, &base, &macros);
  g_autoptr(DebyeJob) job = debye_classroom_source_job_new(
      room->devices, debye_window_document_get_dataset(self), debye_window_document_get_file_frame(self),
      ladder->kind, base, text, (const char *const *)macros, axes);
  if (axes != NULL)
    debye_classroom_sweep_set_running(debye_classroom_lesson_get_sweep(ladder->lesson), TRUE);
  else
    debye_classroom_code_set_running(code, TRUE);
  add_job(self, job, axes != NULL ? &ladder->sweeping : &ladder->trying, ladder->lesson);
}

static void
on_run(DebyeWindowDocument *self, GtkWidget *page)
{
  GtkWidget *lesson = gtk_widget_get_ancestor(page, DEBYE_TYPE_CLASSROOM_LESSON);
  compile(self, find_ladder(get_room(self), DEBYE_CLASSROOM_LESSON(lesson)), NULL);
}

static void
on_sweep(DebyeWindowDocument *self, DebyeClassroomSweep *sweep)
{
  GtkWidget *lesson = gtk_widget_get_ancestor(GTK_WIDGET(sweep), DEBYE_TYPE_CLASSROOM_LESSON);
  g_auto(GStrv) axes = debye_classroom_sweep_list(sweep);
  compile(self, find_ladder(get_room(self), DEBYE_CLASSROOM_LESSON(lesson)), (const char *const *)axes);
}

static void
on_offer_sweep(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  DebyeDataset *dataset = debye_window_document_get_dataset(self);
  const gsize n_atoms =
      dataset != NULL ? debye_topology_get_n_counted(debye_dataset_get_topology(dataset)) : 0;
  debye_lesson_offer_sweep(lesson, find_ladder(get_room(self), lesson)->kind, n_atoms);
}

/* --- Figures --- */

static DebyeLessonFigure
find_figure(const Classroom *room, const DebyeClassroomLesson *lesson)
{
  int i = 0;
  while (room->figures[i].lesson != lesson)
    i++;
  return (DebyeLessonFigure)i;
}

static void
measure_figure(DebyeWindowDocument *self, DebyeLessonFigure kind)
{
  Classroom *room = get_room(self);
  g_autoptr(DebyeJob) job = debye_lesson_create_job(room->figures[kind].lesson, kind, room->devices,
                                                    debye_window_document_get_dataset(self),
                                                    debye_window_document_get_file_frame(self));
  if (job != NULL)
    add_job(self, job, &room->figures[kind].job, room->figures[kind].lesson);
}

static void
on_measure_figure(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  Classroom *room = get_room(self);
  const DebyeLessonFigure kind = find_figure(room, lesson);
  debye_lesson_guesses_restart(&room->figures[kind].guesses, FALSE);
  measure_figure(self, kind);
}

/* Of what is counted or solved for numbers that have changed nothing is shown. */
static void
on_number(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  Classroom *room = get_room(self);
  const DebyeLessonFigure kind = find_figure(room, lesson);
  if (kind == DEBYE_LESSON_SLICES) { /* these estimate from what was measured */
    if (room->figures[kind].record != NULL)
      show_figure(room, kind);
    return;
  }
  if (room->figures[kind].job == NULL)
    return;
  debye_job_stop(room->figures[kind].job);
  measure_figure(self, kind);
}

/* Measures once; then each time reveals the row that waits. */
static void
on_next_figure(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  Classroom *room = get_room(self);
  const DebyeLessonFigure kind = find_figure(room, lesson);
  Figure *figure = &room->figures[kind];
  if (figure->record == NULL) {
    figure->guesses.is_stepping = TRUE; /* those of a session stay */
    measure_figure(self, kind);
  } else {
    debye_lesson_guesses_reveal(&figure->guesses, lesson);
    show_figure(room, kind);
  }
}

static void
on_stop(DebyeWindowDocument *self G_GNUC_UNUSED, GObject *job)
{
  debye_job_stop(DEBYE_JOB(job));
}

/* --- Export and command --- */

static void
on_exercise(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  debye_window_classroom_save_exercise(self, find_ladder(get_room(self), lesson)->kind);
}

static char *
write_command(DebyeDataset *dataset, const Classroom *room, DebyeClassroomLesson *lesson)
{
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++)
    if (lesson == room->ladders[kind].lesson)
      return debye_measured_ladder_write_command(&room->ladders[kind], dataset);
  const DebyeLessonFigure kind = find_figure(room, lesson);
  return debye_lesson_write_command(lesson, kind, room->figures[kind].record, dataset);
}

static void
on_copy(DebyeWindowDocument *self, DebyeClassroomLesson *lesson)
{
  DebyeWindow *window = debye_window_document_get_window(self);
  g_autofree char *command = write_command(debye_window_document_get_dataset(self), get_room(self), lesson);
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(window)), command);
  debye_window_toast(window, _("Command copied"));
}

/* --- Lessons --- */

static DebyeClassroomLesson *
add_lesson(DebyeWindowDocument *self, const DebyeLessonText *text, GCallback measure)
{
  DebyeClassroomPage *page = debye_window_get_classroom_page(debye_window_document_get_window(self));
  DebyeClassroomLesson *lesson =
      debye_classroom_page_add_lesson(page, text->id, _(text->title), _(text->text));
  g_signal_connect_object(lesson, "measure", measure, self, G_CONNECT_SWAPPED);
  g_signal_connect_object(lesson, "stop", G_CALLBACK(on_stop), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(lesson, "export", G_CALLBACK(debye_window_classroom_export), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(lesson, "copy", G_CALLBACK(on_copy), self, G_CONNECT_SWAPPED);
  return lesson;
}

/* One for each family of teaching variants. */
static void
add_ladders(DebyeWindowDocument *self, Classroom *room)
{
  static const DebyeLadderKind order[] = {DEBYE_LADDER_MAP,        DEBYE_LADDER_CUTOFF,  DEBYE_LADDER_COUNT,
                                          DEBYE_LADDER_SCATTERING, DEBYE_LADDER_ORBITAL, DEBYE_LADDER_LIGAND,
                                          DEBYE_LADDER_DENSITY};
  for (gsize i = 0; i < G_N_ELEMENTS(order); i++) {
    const DebyeLadderKind kind = order[i];
    DebyeClassroomLesson *lesson =
        add_lesson(self, &debye_lesson_ladders[kind], G_CALLBACK(on_measure_ladder));
    debye_measured_ladder_init(&room->ladders[kind], kind, lesson);
    debye_lesson_add_codes(lesson, kind);
    debye_classroom_lesson_add_guess(lesson, _("Guess: times as fast"), 0.0);
    g_signal_connect_object(lesson, "exercise", G_CALLBACK(on_exercise), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(debye_classroom_lesson_get_code(lesson), "run", G_CALLBACK(on_run), self,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(debye_classroom_lesson_get_sweep(lesson), "run", G_CALLBACK(on_sweep), self,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(lesson, "offer-sweep", G_CALLBACK(on_offer_sweep), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(lesson, "next", G_CALLBACK(on_next), self, G_CONNECT_SWAPPED);
  }
}

static void
add_figures(DebyeWindowDocument *self, Classroom *room)
{
  for (int i = 0; i < DEBYE_LESSON_N_FIGURES; i++) {
    Figure *figure = &room->figures[i];
    figure->lesson = add_lesson(self, &debye_lesson_figures[i], G_CALLBACK(on_measure_figure));
    debye_lesson_guesses_init(&figure->guesses);
    debye_lesson_add_numbers(figure->lesson, (DebyeLessonFigure)i);
    g_signal_connect_object(figure->lesson, "number", G_CALLBACK(on_number), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(figure->lesson, "next", G_CALLBACK(on_next_figure), self, G_CONNECT_SWAPPED);
  }
}

static gboolean
is_furnished(const Classroom *room)
{
  return room->figures[0].lesson != NULL;
}

/* The lessons are most of a window's widgets and a third of its start, so they are made for who turns to them. */
static Classroom *
furnish(DebyeWindowDocument *self)
{
  Classroom *room = get_room(self);
  if (!is_furnished(room)) {
    add_ladders(self, room);
    add_figures(self, room);
  }
  return room;
}

static DebyeClassroomPage *
furnish_page(DebyeWindowDocument *self)
{
  furnish(self);
  return debye_window_get_classroom_page(debye_window_document_get_window(self));
}

/* --- Sessions --- */

GVariant *
debye_window_classroom_save(DebyeWindowDocument *self)
{
  Classroom *room = get_room(self);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  if (!is_furnished(room))
    return g_variant_dict_end(&dict);
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++)
    debye_measured_ladder_save(&room->ladders[kind], &dict);
  for (int i = 0; i < DEBYE_LESSON_N_FIGURES; i++)
    debye_lesson_save_figure(room->figures[i].lesson, (DebyeLessonFigure)i, &room->figures[i].guesses,
                             room->figures[i].record, &dict);
  return g_variant_dict_end(&dict);
}

/* What follows from the molecule is measured by the next step. */
static void
restore_figure(Classroom *room, DebyeLessonFigure kind, GVariant *saved)
{
  Figure *figure = &room->figures[kind];
  g_autoptr(DebyeClassroomRecord) record = NULL;
  g_autoptr(DebyeJob) job = g_steal_pointer(&figure->job); /* its numbers change without a new one */
  if (!debye_lesson_restore_figure(figure->lesson, kind, &figure->guesses, &record, saved)) {
    figure->job = g_steal_pointer(&job);
    return;
  }
  g_set_object(&figure->record, record);
  if (record != NULL)
    show_figure(room, kind);
}

void
debye_window_classroom_restore(DebyeWindowDocument *self, GVariant *saved)
{
  if (!is_furnished(get_room(self)) && g_variant_n_children(saved) == 0)
    return;
  Classroom *room = furnish(self);
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++)
    debye_measured_ladder_restore(&room->ladders[kind], saved);
  for (int i = 0; i < DEBYE_LESSON_N_FIGURES; i++)
    restore_figure(room, (DebyeLessonFigure)i, saved);
}

/* --- Actions --- */

/* What a guide speaks of is seen whatever step was reached before. */
void
debye_window_classroom_climb_to(DebyeWindowDocument *self, const char *ids)
{
  Classroom *room = furnish(self);
  g_auto(GStrv) goal = g_strsplit(ids, ",", -1);
  g_clear_pointer(&room->goal, g_strfreev);
  for (gsize i = 0; i < DEBYE_LADDER_N_CPU; i++) {
    const DebyeLadderVariant *variant = &debye_ladder_cpu_variants[i];
    DebyeMeasuredLadder *ladder = &room->ladders[variant->kind];
    if (!g_strv_contains((const char *const *)goal, variant->id))
      continue;
    debye_measured_ladder_reveal(ladder);
    if (has_reached(ladder, goal))
      return;
    room->goal = g_steal_pointer(&goal);
    room->goal_kind = ladder->kind;
    on_next(self, ladder->lesson);
    return;
  }
}

void
debye_window_classroom_take_step(DebyeWindowDocument *self)
{
  debye_classroom_page_take_step(furnish_page(self));
}

void
debye_window_classroom_measure(DebyeWindowDocument *self)
{
  debye_classroom_page_measure(furnish_page(self));
}

void
debye_window_classroom_show_row(DebyeWindowDocument *self, int row)
{
  debye_classroom_page_show_row(furnish_page(self), (guint)MAX(row, 0));
}

void
debye_window_classroom_show(DebyeWindowDocument *self, gboolean shown)
{
  DebyeWindow *window = debye_window_document_get_window(self);
  const gboolean has_atoms = debye_window_document_get_dataset(self) != NULL;
  if (shown)
    debye_classroom_lesson_set_hindrance(furnish(self)->figures[DEBYE_LESSON_ORIENTATIONS].lesson,
                                         has_atoms ? NULL : _("Open a molecule first"));
  debye_window_set_classroom(window, shown);
  debye_window_turn_action(window, "classroom", shown);
}

void
debye_window_classroom_show_lesson(DebyeWindowDocument *self, const char *id)
{
  debye_classroom_page_show_lesson(furnish_page(self), id);
  debye_window_classroom_show(self, TRUE);
}

void
debye_window_classroom_show_code(DebyeWindowDocument *self, const char *id)
{
  Classroom *room = furnish(self);
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++)
    debye_classroom_lesson_show_code(room->ladders[kind].lesson, id);
}

void
debye_window_classroom_set_projector(DebyeWindowDocument *self, gboolean projector)
{
  g_object_set(get_room(self)->preferences, "appearance", projector ? "projector" : "screen", NULL);
}

static void
on_appearance_changed(DebyeWindowDocument *self)
{
  g_autofree char *appearance = NULL;
  DebyeWindow *window = debye_window_document_get_window(self);
  g_object_get(get_room(self)->preferences, "appearance", &appearance, NULL);
  const gboolean projector = g_strcmp0(appearance, "projector") == 0;
  if (debye_classroom_page_set_projected(debye_window_get_classroom_page(window), projector))
    debye_window_turn_action(window, "projector", projector);
}

void
debye_window_classroom_add(DebyeWindowDocument *self, DebyePreferences *preferences, DebyeDevices *devices)
{
  Classroom *room = g_new0(Classroom, 1);
  room->devices = debye_devices_ref(devices);
  room->preferences = g_object_ref(preferences);
  g_object_set_data_full(G_OBJECT(self), KEY, room, classroom_free);
  g_signal_connect_object(preferences, "notify::appearance", G_CALLBACK(on_appearance_changed), self,
                          G_CONNECT_SWAPPED);
  on_appearance_changed(self);
}
