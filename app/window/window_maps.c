/* SPDX-License-Identifier: MIT */
/* Profiles, lines and differences that a window makes of its maps; added by window_controller.c. */
#include "window_maps.h"

#include <glib/gi18n.h>

#include "app/analysis/map/field_run.h"
#include "app/analysis/map/field_settings.h"
#include "data/messages/message.h"
#include "data/molecule/measure.h"
#include "app/document/map_file.h"
#include "ui/dialogs/map_line_dialog.h"
#include "ui/dialogs/map_subtract_dialog.h"
#include "window_maps_origin.h"
#include "window_measure.h"

/* What maps from here are called beside those from files. */
#define COMPUTED _("computed here")

gboolean
debye_window_maps_made(DebyeResult *result)
{
  return debye_request_get_table(debye_result_get_request(result)) == &debye_field_table;
}

/* A map and what it is called. */
typedef struct {
  DebyeField *field; /* NULL: there is none */
  char *name;
} NamedMap;

static void
named_map_clear(NamedMap *map)
{
  g_clear_object(&map->field);
  g_clear_pointer(&map->name, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NamedMap, named_map_clear)

/* The scene's map of that number. */
static NamedMap
find_map(DebyeWindowDocument *self, guint number)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self);
  if (scene == NULL)
    return (NamedMap){NULL, NULL};
  GListModel *maps = G_LIST_MODEL(debye_scene_get_maps(debye_window_scene_get_scene(scene)));
  g_autoptr(DebyeSceneMap) map = g_list_model_get_item(maps, number);
  if (map == NULL || debye_scene_map_get_field(map) == NULL)
    return (NamedMap){NULL, NULL};
  return (NamedMap){g_object_ref(debye_scene_map_get_field(map)), g_strdup(debye_scene_map_get_name(map))};
}

/* That of the result at that place of the list, which the scene may show no more. */
static NamedMap
find_map_of_result(DebyeWindowDocument *self, guint position)
{
  g_autoptr(DebyeResult) result = debye_window_document_get_result(self, position);
  if (debye_window_document_get_scene(self) == NULL || result == NULL)
    return (NamedMap){NULL, NULL};
  return (NamedMap){g_list_model_get_item(debye_result_get_fields(result), 0),
                    debye_message_translate(debye_result_get_title_message(result))};
}

/* --- Making it, on a thread: a map can have a hundred million points --- */

typedef struct {
  DebyeRequest *request;
  DebyeField *map, *subtracted; /* subtracted: NULL: nothing */
  DebyeMapOrigin origin;
} Work;

static void
work_free(gpointer data)
{
  Work *work = data;
  g_object_unref(work->request);
  g_object_unref(work->map);
  g_clear_object(&work->subtracted);
  debye_map_origin_clear(&work->origin);
  g_free(work);
}

static gpointer
make(DebyeJob *job, gpointer data, GError **error)
{
  Work *work = data;
  gint64 begin = g_get_monotonic_time();
  debye_job_set_message(job, _("Computing"));
  DebyeResult *result = debye_field_run(work->request, work->map, work->subtracted, error);
  if (result == NULL)
    return NULL;
  debye_map_origin_tell(&work->origin, result);
  debye_map_file_prepare_result(result);
  debye_result_set_wall_time(result, (double)(g_get_monotonic_time() - begin) / G_USEC_PER_SEC);
  return result;
}

/* The difference is what is wanted now: the two maps would hide it. */
static void
show_difference(DebyeWindowScene *scene, DebyeField *difference, DebyeJob *job)
{
  debye_window_scene_hide_map(scene, g_object_get_data(G_OBJECT(job), "debye-map"));
  debye_window_scene_hide_map(scene, g_object_get_data(G_OBJECT(job), "debye-subtracted"));
  debye_window_scene_add_map(scene, difference, COMPUTED);
}

static void
on_made(DebyeJob *job, DebyeWindowDocument *self)
{
  DebyeResult *result = debye_job_get_result(job);
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(debye_window_document_get_window(self), debye_job_get_error(job)->message);
  if (result != NULL && debye_window_document_get_scene(self) != NULL) {
    g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
    debye_window_document_add_result(self, result);
    if (field != NULL)
      show_difference(debye_window_document_get_scene(self), field, job);
  }
}

static void
start(DebyeWindowDocument *self, const char *title, DebyeRequest *request, DebyeField *map,
      DebyeField *subtracted)
{
  Work *work = g_new0(Work, 1);
  work->request = g_object_ref(request);
  work->map = g_object_ref(map);
  work->subtracted = subtracted != NULL ? g_object_ref(subtracted) : NULL;
  debye_window_maps_find_origin(self, request, map, subtracted, &work->origin);
  g_autoptr(DebyeJob) job = debye_job_new(title, make, work, work_free);
  g_object_set_data_full(G_OBJECT(job), "debye-map", g_object_ref(map), g_object_unref);
  if (subtracted != NULL)
    g_object_set_data_full(G_OBJECT(job), "debye-subtracted", g_object_ref(subtracted), g_object_unref);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_made), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self, job, FALSE);
}

/* --- Profiles --- */

static void
make_profile(DebyeWindowDocument *self, DebyeField *map, int axis)
{
  static const char *const axes[] = {"x", "y", "z"};
  if (map == NULL || axis < 0 || axis > 2)
    return;
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_field_table);
  debye_request_set(request, "profile", axes[axis], NULL);
  start(self, _("Profile of a map"), request, map, NULL);
}

/* --- What a dialog asks of a map --- */

typedef struct {
  DebyeWindowDocument *document; /* outlives the dialog, which goes with the window */
  DebyeField *map;
  DebyeRequest *request; /* of a line */
  GListModel *others;    /* of a difference: maps to subtract */
} Question;

static Question *
question_new(DebyeWindowDocument *document, DebyeField *map)
{
  Question *question = g_new0(Question, 1);
  question->document = document;
  question->map = g_object_ref(map);
  return question;
}

static void
question_free(gpointer data, GClosure *closure G_GNUC_UNUSED)
{
  Question *question = data;
  g_object_unref(question->map);
  g_clear_object(&question->request);
  g_clear_object(&question->others);
  g_free(question);
}

/* Takes the question, which goes with the dialog. */
static void
ask(GtkWidget *dialog, const char *answered, GCallback callback, Question *question)
{
  g_signal_connect_data(dialog, answered, callback, question, question_free, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}

/* --- Lines --- */

static void
set_point(DebyeRequest *request, const char *key, DebyeVec3 point)
{
  char numbers[3][G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = g_strjoin(", ", g_ascii_formatd(numbers[0], sizeof numbers[0], "%.2f", point.x),
                                    g_ascii_formatd(numbers[1], sizeof numbers[1], "%.2f", point.y),
                                    g_ascii_formatd(numbers[2], sizeof numbers[2], "%.2f", point.z), NULL);
  debye_request_set(request, key, text, NULL);
}

/* Through the two atoms that were picked last, where the file has them, of which the map is, or where frames
 * are superposed as the map's were; FALSE where there are none. */
static gboolean
set_line_of_atoms(DebyeWindowFrames *frames, DebyeRequest *request)
{
  DebyeWindowDocument *document = debye_window_frames_get_document(frames);
  const gboolean is_superposed = debye_window_frames_get_alignment(frames)->atoms != NULL;
  DebyeFrame *frame = is_superposed ? debye_window_document_get_frame(document)
                                    : debye_window_document_get_file_frame(document);
  guint32 atoms[2];
  DebyeVec3 places[2];
  DebyePeriodic periodic;
  if (!debye_window_measure_get_pair(document, atoms) || frame == NULL)
    return FALSE;
  debye_periodic_init(&periodic, &frame->cell);
  debye_measure_places(&periodic, frame, atoms, 2, places);
  set_point(request, "line-from", places[0]);
  set_point(request, "line-to", places[1]);
  return TRUE;
}

/* Through the map's middle, along its third step. */
static void
set_line_of_map(DebyeRequest *request, DebyeField *map)
{
  const DebyeGrid *grid = debye_field_get_grid(map);
  double x = 0.5 * (double)(grid->shape[0] - 1), y = 0.5 * (double)(grid->shape[1] - 1);
  set_point(request, "line-from", debye_grid_point(grid, x, y, 0.0));
  set_point(request, "line-to", debye_grid_point(grid, x, y, (double)(grid->shape[2] - 1)));
}

static void
on_line_chosen(GtkWidget *dialog G_GNUC_UNUSED, Question *question)
{
  start(question->document, _("Values along a line"), question->request, question->map, NULL);
}

static void
ask_for_line(DebyeWindowFrames *frames, DebyeField *map)
{
  if (map == NULL)
    return;
  DebyeWindowDocument *document = debye_window_frames_get_document(frames);
  Question *question = question_new(document, map);
  question->request = debye_request_new(&debye_field_table);
  gboolean of_atoms = set_line_of_atoms(frames, question->request);
  if (!of_atoms)
    set_line_of_map(question->request, question->map);
  GtkWidget *dialog = debye_map_line_dialog_new(
      GTK_WINDOW(debye_window_document_get_window(document)), question->request,
      of_atoms ? _("Between the last two picked atoms.")
               : _("Through the middle of the map. For a line between two atoms, pick them first: press M "
                   "and click them."));
  ask(dialog, "plot", G_CALLBACK(on_line_chosen), question);
}

/* --- Differences --- */

static void
on_subtracted_chosen(GtkWidget *dialog G_GNUC_UNUSED, guint number, Question *question)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_field_table);
  g_autoptr(DebyeSceneMap) other = g_list_model_get_item(question->others, number);
  if (other != NULL)
    start(question->document, _("Difference of two maps"), request, question->map,
          debye_scene_map_get_field(other));
}

static void
ask_what_to_subtract(DebyeWindowDocument *self, const NamedMap *map)
{
  DebyeWindow *window = debye_window_document_get_window(self);
  if (map->field == NULL)
    return;
  g_autoptr(GListStore) others = debye_window_maps_list_others(self, map->field);
  if (g_list_model_get_n_items(G_LIST_MODEL(others)) == 0) {
    debye_window_toast(window, _("There is no other map: compute or open one first"));
    return;
  }
  Question *question = question_new(self, map->field);
  question->others = G_LIST_MODEL(g_object_ref(others));
  GtkWidget *dialog =
      debye_map_subtract_dialog_new(GTK_WINDOW(window), question->map, map->name, question->others);
  ask(dialog, "subtract", G_CALLBACK(on_subtracted_chosen), question);
}

/* --- Actions on a map and their twins on that of a result --- */

void
debye_window_maps_profile(DebyeWindowDocument *self, GVariant *number_and_axis)
{
  guint number;
  int axis;
  g_variant_get(number_and_axis, "(ui)", &number, &axis);
  g_auto(NamedMap) map = find_map(self, number);
  make_profile(self, map.field, axis);
}

void
debye_window_maps_profile_of_result(DebyeWindowDocument *self, GVariant *position_and_axis)
{
  guint position;
  int axis;
  g_variant_get(position_and_axis, "(ui)", &position, &axis);
  g_auto(NamedMap) map = find_map_of_result(self, position);
  make_profile(self, map.field, axis);
}

void
debye_window_maps_line(DebyeWindowFrames *frames, guint number)
{
  g_auto(NamedMap) map = find_map(debye_window_frames_get_document(frames), number);
  ask_for_line(frames, map.field);
}

void
debye_window_maps_line_of_result(DebyeWindowFrames *frames, guint position)
{
  g_auto(NamedMap) map = find_map_of_result(debye_window_frames_get_document(frames), position);
  ask_for_line(frames, map.field);
}

void
debye_window_maps_subtract(DebyeWindowDocument *self, guint number)
{
  g_auto(NamedMap) map = find_map(self, number);
  ask_what_to_subtract(self, &map);
}

void
debye_window_maps_subtract_of_result(DebyeWindowDocument *self, guint position)
{
  g_auto(NamedMap) map = find_map_of_result(self, position);
  ask_what_to_subtract(self, &map);
}
