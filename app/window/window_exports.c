/* SPDX-License-Identifier: MIT */
/* Asks for a path and makes the jobs that write pictures and maps; called by the window's export actions. */
#include "window_exports.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/document/result_command.h"
#include "app/document/session_save.h"
#include "app/presets/picture_preset.h"
#include "data/files/error.h"
#include "render/scene/capture.h"
#include "ui/widgets/dragged_file.h"
#include "ui/widgets/file_question.h"

/* --- Asking for a path --- */

#define SUFFIX_KEY "debye-suffix"

/* The written file's name, of a job. */
#define NAME_KEY "debye-written-name"
#define KEPT_KEY "debye-export-kept"

/* Kept with the dialog. */
typedef struct {
  DebyePathChosen chosen;
  gpointer data;
  GDestroyNotify free_data;
  char *name; /* as it was proposed */
} Question;

static void
question_free(gpointer data)
{
  Question *question = data;
  if (question->free_data != NULL)
    question->free_data(question->data);
  g_free(question->name);
  g_free(question);
}

static gboolean
has_ending(const char *path, GtkFileChooser *chooser)
{
  g_autoptr(GListModel) filters = gtk_file_chooser_get_filters(chooser);
  for (guint i = 0; i < g_list_model_get_n_items(filters); i++) {
    g_autoptr(GtkFileFilter) filter = g_list_model_get_item(filters, i);
    g_autofree char *ending = g_strconcat(".", g_object_get_data(G_OBJECT(filter), SUFFIX_KEY), NULL);
    g_autofree char *lower = g_ascii_strdown(path, -1);
    if (g_str_has_suffix(lower, ending))
      return TRUE;
  }
  return FALSE;
}

/* The chooser selects the name up to its ending, so that “x.png” is typed before “.svg”. */
static char *
without_proposed(const char *path, const char *proposed, GtkFileChooser *chooser)
{
  const char *dot = strrchr(proposed, '.');
  g_autofree char *typed =
      dot != NULL && g_str_has_suffix(path, dot) ? g_strndup(path, strlen(path) - strlen(dot)) : NULL;
  return typed != NULL && has_ending(typed, chooser) ? g_steal_pointer(&typed) : g_strdup(path);
}

/* A name without one of the endings gets that of the kind that was chosen. */
static char *
with_ending(const char *path, GtkFileChooser *chooser)
{
  if (has_ending(path, chooser))
    return g_strdup(path);
  GtkFileFilter *chosen = gtk_file_chooser_get_filter(chooser);
  const char *suffix = chosen != NULL ? g_object_get_data(G_OBJECT(chosen), SUFFIX_KEY) : NULL;
  return suffix != NULL ? g_strconcat(path, ".", suffix, NULL) : g_strdup(path);
}

static void on_chosen(GtkFileChooser *chooser, gpointer data);

static GtkFileChooserNative *
make_chooser(GtkWindow *window, const char *title, const char *name)
{
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new(title, window, GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
  return dialog;
}

/* Asks for another name than the chooser has seen, so that it asks before it replaces a file. */
static void
ask_again(GtkFileChooser *earlier, Question *question, const char *path)
{
  GtkNativeDialog *native = GTK_NATIVE_DIALOG(earlier);
  g_autofree char *name = g_path_get_basename(path), *lower = g_ascii_strdown(path, -1);
  g_autoptr(GFile) folder = gtk_file_chooser_get_current_folder(earlier);
  g_autoptr(GListModel) filters = gtk_file_chooser_get_filters(earlier);
  GtkFileChooserNative *dialog =
      make_chooser(gtk_native_dialog_get_transient_for(native), gtk_native_dialog_get_title(native), name);
  Question *next = g_new(Question, 1);
  *next = (Question){question->chosen, question->data, question->free_data, g_strdup(name)};
  question->free_data = NULL;
  if (folder != NULL)
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(dialog), folder, NULL);
  for (guint i = 0; i < g_list_model_get_n_items(filters); i++) {
    g_autoptr(GtkFileFilter) filter = g_list_model_get_item(filters, i);
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), filter);
    if (g_str_has_suffix(lower, g_object_get_data(G_OBJECT(filter), SUFFIX_KEY)))
      gtk_file_chooser_set_filter(GTK_FILE_CHOOSER(dialog), filter);
  }
  debye_file_question_ask(dialog, on_chosen, next, question_free);
}

static void
on_chosen(GtkFileChooser *chooser, gpointer data)
{
  Question *question = data;
  g_autofree char *path = debye_file_question_get_path(chooser);
  if (path == NULL)
    return;
  g_autofree char *typed = without_proposed(path, question->name, chooser);
  g_autofree char *whole = with_ending(typed, chooser);
  if (strcmp(typed, path) != 0 && g_file_test(typed, G_FILE_TEST_EXISTS))
    ask_again(chooser, question, typed);
  else
    question->chosen(whole, question->data);
}

static void
add_filter(GtkFileChooser *chooser, const char *suffix, const char *description)
{
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
  gtk_file_filter_set_name(filter, description);
  gtk_file_filter_add_suffix(filter, suffix);
  g_object_set_data_full(G_OBJECT(filter), SUFFIX_KEY, g_strdup(suffix), g_free);
  gtk_file_chooser_add_filter(chooser, filter);
}

void
debye_window_exports_choose_path(DebyeWindow *window, const char *title, const char *name,
                                 const char *const *suffixes, DebyePathChosen chosen, gpointer data,
                                 GDestroyNotify free_data)
{
  GtkFileChooserNative *dialog = make_chooser(GTK_WINDOW(window), title, name);
  Question *question = g_new(Question, 1);
  *question = (Question){chosen, data, free_data, g_strdup(name)};
  for (gsize i = 0; suffixes[i] != NULL; i += 2)
    add_filter(GTK_FILE_CHOOSER(dialog), suffixes[i], _(suffixes[i + 1]));
  debye_file_question_ask(dialog, on_chosen, question, question_free);
}

DebyeJob *
debye_window_exports_job_new(const char *path, DebyeJobFunc work, gpointer data, GDestroyNotify free_data)
{
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *title = g_strdup_printf(_("Writing %s"), name);
  DebyeJob *job = debye_job_new(title, work, data, free_data);
  g_object_set_data_full(G_OBJECT(job), NAME_KEY, g_steal_pointer(&name), g_free);
  return job;
}

void
debye_window_exports_keep_stopped(DebyeJob *job)
{
  g_object_set_data(G_OBJECT(job), KEPT_KEY, job);
}

/* Says that this job's file is written, or why it is not. */
static void
on_exported(DebyeJob *job, DebyeWindowDocument *document)
{
  DebyeWindow *window = debye_window_document_get_window(document);
  gboolean nothing =
      debye_job_get_state(job) == DEBYE_JOB_STOPPED && g_object_get_data(G_OBJECT(job), KEPT_KEY) == NULL;
  g_autofree char *done =
      g_strdup_printf(nothing ? _("%s was stopped; no file was written") : _("%s is written"),
                      (const char *)g_object_get_data(G_OBJECT(job), NAME_KEY));
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(window, debye_job_get_error(job)->message);
  else
    debye_window_toast(window, done);
}

void
debye_window_exports_add(DebyeWindowDocument *document, DebyeJob *job)
{
  g_signal_connect_object(job, "finished", G_CALLBACK(on_exported), document, G_CONNECT_DEFAULT);
  debye_window_document_add_job(document, job, FALSE);
}

/* A file that has gone is no reason not to write the picture. The window's paths are whole, with the name of the user. */
void
debye_window_exports_find_inputs(DebyePictureOrigin *origin, const char *const *paths)
{
  for (; paths != NULL && *paths != NULL; paths++)
    debye_picture_origin_add_input(origin, *paths, NULL);
  debye_picture_origin_drop_folders(origin);
}

/* --- Pictures --- */

#define DRAWING 0.6 /* of the job; the rest is packing */

typedef struct {
  DebyeSceneCopy *copy;
  DebyeView3d *view;
  DebyePictureSize wished;
  DebyeCaptureSize size;
  char *path, *preset;        /* preset: NULL: the window's look */
  DebyePictureOrigin *origin; /* whose inputs are found when it is written */
  char **inputs;
  DebyeJob *job; /* that works on it: borrowed; NULL: none does */
} Picture;

static void
picture_free(gpointer data)
{
  Picture *picture = data;
  debye_scene_copy_free(picture->copy);
  debye_window_exports_let_go(picture->view);
  g_free(picture->path);
  g_free(picture->preset);
  debye_picture_origin_free(picture->origin);
  g_strfreev(picture->inputs);
  g_free(picture);
}

static gboolean
go_on(const Picture *picture, double fraction)
{
  return picture->job == NULL || debye_job_go_on(fraction, picture->job);
}

static gboolean
on_drawn(double fraction, gpointer data)
{
  return go_on(data, DRAWING * fraction);
}

static gboolean
on_packed(double fraction, gpointer data)
{
  return go_on(data, DRAWING + (1.0 - DRAWING) * fraction);
}

static GBytes *
draw_picture(Picture *picture, GError **error)
{
  DebyeFallbackRenderer fallback;
  debye_window_exports_init_fallback(&fallback, picture->view);
  g_autoptr(DebyeOffscreenRenderer) renderer = debye_offscreen_renderer_new(picture->copy, &fallback, error);
  if (renderer == NULL)
    return NULL;
  DebyeScene *scene = debye_offscreen_renderer_get_scene(renderer);
  if (!debye_presets_apply_to_scene(picture->preset, &picture->wished, scene, error))
    return NULL;
  debye_scene_changed(scene);
  return debye_offscreen_renderer_draw(renderer, &picture->size, on_drawn, picture, error);
}

static gboolean
draw_and_save(gpointer data, const char *path, GError **error)
{
  Picture *picture = data;
  g_autoptr(GBytes) pixels = draw_picture(picture, error);
  if (pixels == NULL)
    return FALSE;
  if (picture->job != NULL)
    debye_job_set_message(picture->job, _("Packing the pixels"));
  debye_window_exports_find_inputs(picture->origin, (const char *const *)picture->inputs);
  return debye_capture_save_large_png(pixels, picture->size.width, picture->size.height,
                                      debye_picture_size_get_dpi(&picture->wished), picture->origin, path,
                                      on_packed, picture, error);
}

static gpointer
write_picture(DebyeJob *job, gpointer data, GError **error)
{
  Picture *picture = data;
  picture->job = job;
  debye_job_set_message(job, _("Drawing %d × %d pixels"), picture->size.width, picture->size.height);
  draw_and_save(picture, picture->path, error);
  return NULL;
}

static GBytes *
draw_in_view(DebyeScene *scene, const DebyeCaptureSize *size, gpointer data, GError **error)
{
  return debye_view_3d_capture_scene(DEBYE_VIEW_3D(data), scene, size, error);
}

void
debye_window_exports_init_fallback(DebyeFallbackRenderer *fallback, DebyeView3d *view)
{
  *fallback = (DebyeFallbackRenderer){.draw = draw_in_view, .data = view};
}

static gboolean
on_let_go(gpointer view)
{
  g_object_unref(view);
  return G_SOURCE_REMOVE;
}

void
debye_window_exports_let_go(DebyeView3d *view)
{
  g_main_context_invoke_full(NULL, G_PRIORITY_DEFAULT, on_let_go, view, NULL);
}

double
debye_window_exports_get_scale(DebyeView3d *view, int width)
{
  return (double)width / MAX(1, gtk_widget_get_width(GTK_WIDGET(view)));
}

char **
debye_window_exports_list_inputs(DebyeDocument *document)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (const char *const *path = debye_document_get_paths(document); *path != NULL; path++)
    if (!debye_session_results_is_shown(*path))
      g_strv_builder_add(builder, *path);
  return g_strv_builder_end(builder);
}

static Picture *
picture_new(DebyeWindow *window, DebyeDocument *document, DebyeWindowScene *scene, const char *path,
            const DebyePictureWish *wish, GError **error)
{
  int width, height;
  DebyePictureSize size = wish->size;
  DebyeView3d *view = debye_window_get_view(window);
  if (!debye_picture_size_get_pixels(&size, &width, &height)) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "expected a picture of at most %d pixels per side, found more",
                    DEBYE_PICTURE_MAX_PIXELS);
    return NULL;
  }
  if (!size.is_in_mm && !(size.scale > 0.0))
    size.scale = debye_window_exports_get_scale(view, width);
  g_autofree char *title = debye_document_get_title(document);
  Picture *picture = g_new(Picture, 1);
  *picture = (Picture){.copy = debye_window_scene_copy(scene),
                       .view = g_object_ref(view),
                       .wished = size,
                       .size = {.width = width,
                                .height = height,
                                .scale = debye_picture_size_get_scale(&size),
                                .transparent = wish->transparent},
                       .path = g_strdup(path),
                       .preset = g_strdup(wish->preset),
                       .origin = debye_picture_origin_new(title, NULL),
                       .inputs = debye_window_exports_list_inputs(document)};
  return picture;
}

DebyeJob *
debye_window_exports_create_picture_job(DebyeWindow *window, DebyeDocument *document, DebyeWindowScene *scene,
                                        const char *path, const DebyePictureWish *wish, GError **error)
{
  Picture *picture = picture_new(window, document, scene, path, wish, error);
  return picture != NULL ? debye_window_exports_job_new(path, write_picture, picture, picture_free) : NULL;
}

/* --- The view, dragged out --- */

static GdkContentProvider *
on_view_dragged(gpointer data)
{
  DebyeWindowDocument *self = data;
  DebyeWindow *window = debye_window_document_get_window(self);
  GtkWidget *view = GTK_WIDGET(debye_window_get_view(window));
  const int scale = gtk_widget_get_scale_factor(view);
  g_autofree char *name = debye_window_document_suggest_name(self, ".png");
  const DebyePictureWish wish = {
      .size = {.width = scale * gtk_widget_get_width(view), .height = scale * gtk_widget_get_height(view)}};
  g_autoptr(GError) problem = NULL;
  Picture *picture = picture_new(window, debye_window_document_get_document(self),
                                 debye_window_document_get_scene(self), name, &wish, &problem);
  if (picture == NULL) {
    debye_window_toast_error(window, problem->message);
    return NULL;
  }
  GdkContentProvider *file = debye_dragged_file_new(name, "image/png", draw_and_save, picture, picture_free);
  g_signal_connect_object(file, "failed", G_CALLBACK(debye_window_toast_error), window, G_CONNECT_SWAPPED);
  return file;
}

void
debye_window_exports_let_drag(DebyeWindowDocument *document)
{
  DebyeWindow *window = debye_window_document_get_window(document);
  GObject *button = gtk_widget_get_template_child(GTK_WIDGET(window), DEBYE_TYPE_WINDOW, "export_button");
  debye_dragged_file_add_source(GTK_WIDGET(button), on_view_dragged, document);
}

/* --- Maps --- */

typedef struct {
  DebyeResult *result;
  char *path, *command;
} Map;

static void
map_free(gpointer data)
{
  Map *map = data;
  g_object_unref(map->result);
  g_free(map->path);
  g_free(map->command);
  g_free(map);
}

static gpointer
write_map(DebyeJob *job, gpointer data, GError **error)
{
  Map *map = data;
  debye_job_set_message(job, _("Writing"));
  debye_result_save(map->result, map->path, map->command, error);
  return NULL;
}

static DebyeJob *
create_map_job(DebyeResult *result, const char *path, const char *command)
{
  Map *map = g_new(Map, 1);
  *map = (Map){.result = g_object_ref(result), .path = g_strdup(path), .command = g_strdup(command)};
  return debye_window_exports_job_new(path, write_map, map, map_free);
}

/* A session refers to the file from now on. */
static void
on_result_written(DebyeJob *job, DebyeResult *result)
{
  if (debye_job_get_state(job) == DEBYE_JOB_DONE)
    debye_session_results_remember_export(result, g_object_get_data(G_OBJECT(job), "path"));
}

void
debye_window_exports_save_result(DebyeWindowDocument *document, DebyeResult *result, const char *path)
{
  g_autofree char *command = debye_result_command(result, path);
  g_autoptr(DebyeJob) job = create_map_job(result, path, command);
  g_object_set_data_full(G_OBJECT(result), "path", g_strdup(path), g_free);
  g_object_set_data_full(G_OBJECT(job), "path", g_strdup(path), g_free);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_result_written), result, G_CONNECT_DEFAULT);
  debye_window_exports_add(document, job);
}
