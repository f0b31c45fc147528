/* SPDX-License-Identifier: MIT */
/* One window's document, scene, jobs and results. */
#include "window_controller.h"

#include <string.h>

#include "application.h"
#include "data/error.h"
#include "frame_loader.h"
#include "installation.h"
#include "jobs/job_queue.h"
#include "ui/export_dialog.h"
#include "window_analyses.h"
#include "window_exports.h"
#include "window_scene.h"

#define KEY "debye-window-controller"

struct _DebyeWindowController {
  GObject parent_instance;
  DebyeWindow *window; /* borrowed: it owns this */
  DebyePreferences *preferences;
  DebyeJobQueue *jobs;
  DebyeWindowAnalyses *analyses;
  GListStore *results; /* newest first */

  DebyeDocument *document;
  DebyeWindowScene *scene;
  DebyeFrameLoader *loader;
  DebyeJob *opening, *computing; /* the newest of their kind */
  char *sample_command;          /* to be run once its files are open */
  gboolean close_confirmed;
};

G_DEFINE_FINAL_TYPE(DebyeWindowController, debye_window_controller, G_TYPE_OBJECT)

static void show_document(DebyeWindowController *self, DebyeDocument *document);

static void
set_enabled(DebyeWindowController *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), name);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

static void
update_actions(DebyeWindowController *self)
{
  DebyeAnalysisForm *form = debye_analysis_panel_get_form(debye_window_get_analysis_panel(self->window));
  gboolean has_document = self->document != NULL;
  gboolean has_map = self->scene != NULL && debye_window_scene_get_map(self->scene) != NULL;
  gboolean has_result = g_list_model_get_n_items(G_LIST_MODEL(self->results)) > 0;
  set_enabled(self, "run", form != NULL && debye_analysis_form_can_run(form));
  set_enabled(self, "stop", debye_job_queue_count_active(self->jobs) > 0);
  set_enabled(self, "export-picture", has_document);
  set_enabled(self, "save-picture", has_document);
  set_enabled(self, "export-map", has_result);
  set_enabled(self, "save-map", has_result);
  set_enabled(self, "copy-command", has_document);
  set_enabled(self, "add-atoms", has_document);
  set_enabled(self, "add-box", has_document);
  set_enabled(self, "add-surface", has_map);
  set_enabled(self, "add-slice", has_map);
  set_enabled(self, "undo",
              self->scene != NULL &&
                  debye_scene_history_can_undo(debye_window_scene_get_history(self->scene)));
}

/* --- Frames --- */

static void
set_frame_state(DebyeWindowController *self, guint frame)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), "frame");
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_int32((gint32)frame));
}

static void
on_frame_loaded(DebyeWindowController *self, DebyeFrame *frame)
{
  debye_window_scene_set_frame(self->scene, frame);
  debye_playback_bar_set_shown(debye_window_get_playback_bar(self->window), (guint)frame->index, frame->time);
  set_frame_state(self, (guint)frame->index);
}

static void
on_frame_failed(DebyeWindowController *self, const char *reason)
{
  debye_playback_bar_set_failed(debye_window_get_playback_bar(self->window));
  debye_window_toast_error(self->window, reason);
}

static void
on_seek(DebyeWindowController *self, guint frame)
{
  if (self->loader != NULL)
    debye_frame_loader_request(self->loader, frame);
}

static void
on_playing(DebyeWindowController *self)
{
  gboolean playing = debye_playback_bar_get_playing(debye_window_get_playback_bar(self->window));
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), "play");
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_boolean(playing));
  debye_view_3d_set_playing(debye_window_get_view(self->window), playing);
}

/* --- Computing --- */

static DebyeResult *
get_result(DebyeWindowController *self, guint position)
{
  return g_list_model_get_item(G_LIST_MODEL(self->results), position);
}

static void
show_result(DebyeWindowController *self, DebyeResult *result)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  if (field != NULL && self->scene != NULL)
    debye_window_scene_show_map(self->scene, field);
  update_actions(self);
}

static void
on_partial(DebyeJob *job, GObject *result, DebyeWindowController *self)
{
  if (job == self->computing)
    show_result(self, DEBYE_RESULT(result));
}

static void
keep_result(DebyeWindowController *self, DebyeResult *result)
{
  g_list_store_insert(self->results, 0, result);
  show_result(self, result);
  debye_window_scene_finish_map(self->scene);
  update_actions(self);
}

static void
on_computed(DebyeJob *job, DebyeWindowController *self)
{
  DebyeResult *result = debye_job_get_result(job);
  const GError *error = debye_job_get_error(job);
  if (result != NULL)
    keep_result(self, result);
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(self->window, error->message);
  else if (debye_job_get_state(job) == DEBYE_JOB_STOPPED)
    debye_window_toast(self->window, result != NULL ? "Stopped; what was finished is kept" : "Stopped");
  update_actions(self);
}

static void
add_job(DebyeWindowController *self, DebyeJob *job, gboolean computing)
{
  debye_job_queue_add(self->jobs, job, computing);
  update_actions(self);
}

static void
run_request(DebyeWindowController *self, DebyeRequest *request)
{
  g_autoptr(DebyeJob) job = debye_window_analyses_create_job(self->analyses, request);
  g_signal_connect_object(job, "partial", G_CALLBACK(on_partial), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_computed), self, G_CONNECT_DEFAULT);
  g_set_object(&self->computing, job);
  add_job(self, job, TRUE);
}

static void
run_form(DebyeWindowController *self, DebyeAnalysisForm *form)
{
  if (form != NULL && debye_analysis_form_can_run(form))
    run_request(self, debye_analysis_form_get_suggested(form));
}

/* The command line of a sample's main job waits until the form knows that it can run. */
static void
run_sample_when_ready(DebyeWindowController *self, GParamSpec *spec G_GNUC_UNUSED, DebyeAnalysisForm *form)
{
  if (self->sample_command == NULL || self->document == NULL || !debye_analysis_form_can_run(form))
    return;
  g_clear_pointer(&self->sample_command, g_free);
  run_form(self, form);
  debye_playback_bar_set_playing(debye_window_get_playback_bar(self->window), TRUE);
}

/* "map --select protein --spacing 0.7" into the form of that analysis. */
static void
fill_form_from_command(DebyeWindowController *self, const char *command)
{
  g_auto(GStrv) words = NULL;
  if (!g_shell_parse_argv(command, NULL, &words, NULL))
    return;
  DebyeAnalysisForm *form = debye_window_analyses_find_form(self->analyses, words[0]);
  for (gsize i = 1; form != NULL && words[i] != NULL && words[i + 1] != NULL; i += 2) {
    if (g_str_has_prefix(words[i], "--"))
      debye_request_set(debye_analysis_form_get_request(form), words[i] + 2, words[i + 1], NULL);
  }
}

/* --- Opening --- */

typedef struct {
  char **paths;
  DebyeDocument *existing;
} Opening;

static void
opening_free(gpointer data)
{
  Opening *opening = data;
  g_strfreev(opening->paths);
  g_clear_object(&opening->existing);
  g_free(opening);
}

static gboolean
on_open_progress(double fraction, gpointer data)
{
  DebyeJob *job = data;
  debye_job_set_progress(job, fraction);
  return !*debye_job_get_cancel_flag(job);
}

static gpointer
open_document(DebyeJob *job, gpointer data, GError **error)
{
  Opening *opening = data;
  return debye_document_open((const char *const *)opening->paths, opening->existing, on_open_progress, job,
                             error);
}

static void
show_warnings(DebyeWindowController *self, DebyeDocument *document)
{
  const char *const *warnings = debye_dataset_get_warnings(debye_document_get_dataset(document));
  guint n_warnings = warnings != NULL ? g_strv_length((char **)warnings) : 0;
  if (debye_document_get_first_frame(document) == NULL)
    debye_window_toast(self->window, "These files hold no coordinates: drop a trajectory on the window");
  if (n_warnings == 0)
    return;
  g_autofree char *all = g_strjoinv("\n", (char **)warnings);
  g_autofree char *text =
      n_warnings == 1 ? g_strdup(all) : g_strdup_printf("%u remarks on these files\n%s", n_warnings, all);
  debye_window_toast_error(self->window, text);
}

/* Something else than what the window shows gets a window of its own. */
static DebyeWindowController *
choose_window(DebyeWindowController *self, DebyeDocument *document)
{
  if (self->document == NULL || debye_document_is_continuation(document))
    return self;
  GtkApplication *application = gtk_window_get_application(GTK_WINDOW(self->window));
  return debye_application_create_window(DEBYE_APPLICATION(application));
}

static void
on_opened(DebyeJob *job, DebyeWindowController *self)
{
  DebyeDocument *document = debye_job_get_result(job);
  if (self->opening != job)
    return;
  g_clear_object(&self->opening);
  update_actions(self);
  if (document != NULL) {
    DebyeWindowController *target = choose_window(self, document);
    show_document(target, document);
    show_warnings(target, document);
    return;
  }
  g_clear_pointer(&self->sample_command, g_free);
  debye_window_set_content(self->window, self->document != NULL ? DEBYE_WINDOW_DOCUMENT : DEBYE_WINDOW_EMPTY);
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(self->window, debye_job_get_error(job)->message);
}

void
debye_window_controller_open(DebyeWindowController *self, const char *const *paths)
{
  g_return_if_fail(DEBYE_IS_WINDOW_CONTROLLER(self) && paths != NULL && paths[0] != NULL);
  g_autofree char *name = g_filename_display_basename(paths[0]);
  g_autofree char *title = g_strdup_printf("Opening %s", name);
  Opening *opening = g_new0(Opening, 1);
  opening->paths = g_strdupv((char **)paths);
  opening->existing = self->document != NULL ? g_object_ref(self->document) : NULL;
  g_autoptr(DebyeJob) job = debye_job_new(title, open_document, opening, opening_free);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_opened), self, G_CONNECT_DEFAULT);
  if (self->opening != NULL)
    debye_job_stop(self->opening);
  g_set_object(&self->opening, job);
  if (self->document == NULL)
    debye_window_set_content(self->window, DEBYE_WINDOW_LOADING);
  add_job(self, job, FALSE);
}

void
debye_window_controller_open_sample(DebyeWindowController *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_WINDOW_CONTROLLER(self));
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) samples = debye_installation_list_samples(&error);
  for (guint i = 0; samples != NULL && i < samples->len; i++) {
    const DebyeSample *sample = g_ptr_array_index(samples, i);
    if (g_strcmp0(sample->name, name) != 0)
      continue;
    g_free(self->sample_command);
    self->sample_command = g_strdup(sample->command);
    debye_window_controller_open(self, (const char *const *)sample->paths);
    return;
  }
  g_autofree char *text =
      error != NULL ? g_strdup(error->message) : g_strdup_printf("There is no sample “%s”", name);
  debye_window_toast_error(self->window, text);
}

static void
start_loader(DebyeWindowController *self, DebyeTrajectory *trajectory)
{
  gsize n_frames = trajectory != NULL ? debye_trajectory_get_n_frames(trajectory) : 0;
  DebyeFrame *first = debye_document_get_first_frame(self->document);
  DebyePlaybackBar *bar = debye_window_get_playback_bar(self->window);
  if (self->loader != NULL)
    debye_frame_loader_stop(self->loader);
  g_clear_object(&self->loader);
  debye_playback_bar_set_n_frames(bar, (guint)MIN(n_frames, G_MAXINT));
  if (first != NULL)
    debye_playback_bar_set_shown(bar, 0, first->time);
  if (n_frames < 2)
    return;
  self->loader = debye_frame_loader_new(trajectory);
  g_signal_connect_object(self->loader, "loaded", G_CALLBACK(on_frame_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->loader, "failed", G_CALLBACK(on_frame_failed), self, G_CONNECT_SWAPPED);
}

static void
show_scene(DebyeWindowController *self)
{
  DebyeTopology *topology = debye_dataset_get_topology(debye_document_get_dataset(self->document));
  DebyeFrame *frame = debye_document_get_first_frame(self->document);
  DebyeScene *scene = debye_window_scene_get_scene(self->scene);
  DebyeSceneHistory *history = debye_window_scene_get_history(self->scene);
  DebyeView3d *view = debye_window_get_view(self->window);
  g_signal_connect_object(history, "notify::can-undo", G_CALLBACK(update_actions), self, G_CONNECT_SWAPPED);
  debye_layers_panel_set_scene(debye_window_get_layers_panel(self->window), scene, history, topology, frame);
  debye_analysis_panel_set_system(debye_window_get_analysis_panel(self->window), topology, frame);
  debye_view_3d_set_topology(view, topology);
  debye_view_3d_set_scene(view, scene);
  debye_view_3d_view_all(view);
}

static void
show_document(DebyeWindowController *self, DebyeDocument *document)
{
  DebyeDataset *dataset = debye_document_get_dataset(document);
  g_autofree char *description = debye_document_describe(document);
  g_set_object(&self->document, document);
  g_clear_object(&self->scene);
  self->scene = debye_window_scene_new(document, self->preferences);
  g_list_store_remove_all(self->results);
  debye_window_set_heading(self->window, debye_dataset_get_name(dataset), description);
  debye_window_set_content(self->window, DEBYE_WINDOW_DOCUMENT);
  show_scene(self);
  start_loader(self, debye_dataset_get_trajectory(dataset));
  if (self->sample_command != NULL)
    fill_form_from_command(self, self->sample_command);
  debye_window_analyses_set_dataset(self->analyses, dataset);
  debye_preferences_add_recent(self->preferences, debye_dataset_get_paths(dataset));
  update_actions(self);
}

/* --- Actions: files --- */

static void
on_files_chosen(GtkNativeDialog *dialog, int response, gpointer data)
{
  DebyeWindowController *self = data;
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GListModel) files = gtk_file_chooser_get_files(GTK_FILE_CHOOSER(dialog));
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (guint i = 0; i < g_list_model_get_n_items(files); i++) {
      g_autoptr(GFile) file = g_list_model_get_item(files, i);
      g_autofree char *path = g_file_get_path(file);
      if (path != NULL)
        g_strv_builder_add(builder, path);
    }
    g_auto(GStrv) paths = g_strv_builder_end(builder);
    if (paths[0] != NULL)
      debye_window_controller_open(self, (const char *const *)paths);
  }
  g_object_unref(dialog);
}

static void
on_open(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new("Open a structure and its trajectory", GTK_WINDOW(self->window),
                                  GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(dialog), TRUE);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_files_chosen), self, G_CONNECT_DEFAULT);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void
on_open_files(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  g_autofree const char **paths = g_variant_get_strv(parameter, NULL);
  if (paths[0] != NULL)
    debye_window_controller_open(data, paths);
}

static void
on_open_sample(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  debye_window_controller_open_sample(data, g_variant_get_string(parameter, NULL));
}

static void
on_files_dropped(DebyeWindowController *self, char **paths)
{
  debye_window_controller_open(self, (const char *const *)paths);
}

/* --- Actions: pictures and maps --- */

static void
on_exported(DebyeJob *job, DebyeWindowController *self)
{
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(self->window, debye_job_get_error(job)->message);
  else
    debye_window_toast(self->window, debye_job_get_title(job) + strlen("Writing "));
  update_actions(self);
}

static void
add_export_job(DebyeWindowController *self, DebyeJob *job)
{
  g_signal_connect_object(job, "finished", G_CALLBACK(on_exported), self, G_CONNECT_DEFAULT);
  add_job(self, job, FALSE);
}

static void
save_picture(DebyeWindowController *self, const char *path, int width, int height, gboolean transparent)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeJob) job =
      debye_window_exports_create_picture_job(self->window, path, width, height, transparent, &error);
  if (job != NULL)
    add_export_job(self, job);
  else
    debye_window_toast_error(self->window, error->message);
}

typedef struct {
  DebyeWindowController *controller;
  int width, height;
  gboolean transparent;
} PictureWish;

static void
on_picture_path(const char *path, gpointer data)
{
  PictureWish *wish = data;
  save_picture(wish->controller, path, wish->width, wish->height, wish->transparent);
}

/* "fas2.png" for the structure fas2.pqr. */
static char *
suggest_name(DebyeWindowController *self, const char *ending)
{
  const char *path = debye_dataset_get_paths(debye_document_get_dataset(self->document))[0];
  g_autofree char *name = g_path_get_basename(path);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat(name, ending, NULL);
}

static void
on_picture_size(DebyeWindowController *self, int width, int height, gboolean transparent)
{
  static const char *const suffixes[] = {"png", "Picture (PNG)", NULL};
  g_autofree char *name = suggest_name(self, ".png");
  PictureWish *wish = g_new(PictureWish, 1);
  *wish = (PictureWish){.controller = self, .width = width, .height = height, .transparent = transparent};
  g_object_set_data_full(G_OBJECT(self), "picture-wish", wish, g_free);
  debye_window_exports_choose_path(self->window, "Export picture", name, suffixes, on_picture_path, wish);
}

static void
view_size(DebyeWindowController *self, int *width, int *height)
{
  GtkWidget *view = GTK_WIDGET(debye_window_get_view(self->window));
  int scale = gtk_widget_get_scale_factor(view);
  *width = MAX(16, gtk_widget_get_width(view) * scale);
  *height = MAX(16, gtk_widget_get_height(view) * scale);
}

static void
on_export_picture(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  int width, height;
  view_size(self, &width, &height);
  GtkWidget *dialog = debye_export_dialog_new(GTK_WINDOW(self->window), width, height);
  g_signal_connect_object(dialog, "export", G_CALLBACK(on_picture_size), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_save_picture(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  const char *path;
  int width, height;
  gboolean transparent;
  g_variant_get(parameter, "(&siib)", &path, &width, &height, &transparent);
  save_picture(self, path, width, height, transparent);
}

static char *
command_of(DebyeResult *result, const char *output)
{
  return debye_request_to_command(debye_result_get_request(result), debye_result_get_inputs(result), output);
}

static void
save_map(DebyeWindowController *self, DebyeResult *result, const char *path)
{
  g_autofree char *command = command_of(result, path);
  g_autoptr(DebyeJob) job = debye_window_exports_create_map_job(result, path, command);
  g_object_set_data_full(G_OBJECT(result), "path", g_strdup(path), g_free);
  add_export_job(self, job);
}

static void
on_map_path(const char *path, gpointer data)
{
  DebyeWindowController *self = data;
  DebyeResult *result = g_object_get_data(G_OBJECT(self), "exported-result");
  save_map(self, result, path);
}

static void
export_result(DebyeWindowController *self, guint position)
{
  static const char *const suffixes[] = {"h5",   "HDF5, with all settings",
                                         "dx",   "OpenDX",
                                         "cube", "Gaussian cube",
                                         "ccp4", "CCP4 / MRC",
                                         "csv",  "CSV",
                                         NULL};
  DebyeResult *result = get_result(self, position);
  g_autofree char *name = suggest_name(self, "-potential.h5");
  if (result == NULL)
    return;
  g_object_set_data_full(G_OBJECT(self), "exported-result", result, g_object_unref);
  debye_window_exports_choose_path(self->window, "Export map", name, suffixes, on_map_path, self);
}

static void
on_export_map(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  export_result(data, 0);
}

static void
on_save_map(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  g_autoptr(DebyeResult) result = get_result(self, 0);
  if (result != NULL)
    save_map(self, result, g_variant_get_string(parameter, NULL));
}

static void
copy_text(DebyeWindowController *self, const char *text)
{
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self->window)), text);
  debye_window_toast(self->window, "Command copied");
}

static void
copy_result_command(DebyeWindowController *self, DebyeResult *result)
{
  const char *path = g_object_get_data(G_OBJECT(result), "path");
  g_autofree char *name = suggest_name(self, "-potential.h5");
  g_autofree char *command = command_of(result, path != NULL ? path : name);
  copy_text(self, command);
}

/* Of the newest result; before there is one, of the form as it stands. */
static void
on_copy_command(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  g_autoptr(DebyeResult) result = get_result(self, 0);
  DebyeAnalysisForm *form = debye_analysis_panel_get_form(debye_window_get_analysis_panel(self->window));
  if (result != NULL) {
    copy_result_command(self, result);
  } else if (form != NULL) {
    g_autofree char *name = suggest_name(self, "-potential.h5");
    g_autofree char *command =
        debye_request_to_command(debye_analysis_form_get_request(form),
                                 debye_dataset_get_paths(debye_document_get_dataset(self->document)), name);
    copy_text(self, command);
  }
}

/* --- Actions: results --- */

static void
on_result_run_again(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  g_autoptr(DebyeResult) result = get_result(self, g_variant_get_uint32(parameter));
  if (result != NULL)
    run_request(self, debye_result_get_request(result));
}

static void
on_result_copy_command(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  g_autoptr(DebyeResult) result = get_result(self, g_variant_get_uint32(parameter));
  if (result != NULL)
    copy_result_command(self, result);
}

static void
on_result_export(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  export_result(data, g_variant_get_uint32(parameter));
}

static void
on_result_remove(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  guint position = g_variant_get_uint32(parameter);
  if (position < g_list_model_get_n_items(G_LIST_MODEL(self->results)))
    g_list_store_remove(self->results, position);
  update_actions(self);
}

/* --- Actions: running, playing, looking --- */

static void
on_run(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  run_form(self, debye_analysis_panel_get_form(debye_window_get_analysis_panel(self->window)));
}

static void
on_stop(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_job_queue_stop_all(DEBYE_WINDOW_CONTROLLER(data)->jobs);
}

static void
on_stop_requested(DebyeWindowController *self G_GNUC_UNUSED, GObject *job)
{
  debye_job_stop(DEBYE_JOB(job));
}

static void
on_change_play(GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(DEBYE_WINDOW_CONTROLLER(data)->window);
  debye_playback_bar_set_playing(bar, g_variant_get_boolean(value));
}

static void
on_change_frame(GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(DEBYE_WINDOW_CONTROLLER(data)->window);
  debye_playback_bar_seek(bar, (guint)MAX(g_variant_get_int32(value), 0));
}

static void
on_step(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(DEBYE_WINDOW_CONTROLLER(data)->window);
  debye_playback_bar_step(bar, g_variant_get_int32(parameter));
}

static void
on_view_all(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_view_3d_view_all(debye_window_get_view(DEBYE_WINDOW_CONTROLLER(data)->window));
}

static void
on_look_along(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  int axis = CLAMP(g_variant_get_int32(parameter), 0, 2);
  debye_view_3d_look_along(debye_window_get_view(DEBYE_WINDOW_CONTROLLER(data)->window), axis);
}

static void
on_zoom_in(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_view_3d_zoom(debye_window_get_view(DEBYE_WINDOW_CONTROLLER(data)->window), 1.25);
}

static void
on_zoom_out(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_view_3d_zoom(debye_window_get_view(DEBYE_WINDOW_CONTROLLER(data)->window), 0.8);
}

static void
on_toggle_sidebar(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_window_toggle_sidebar(DEBYE_WINDOW_CONTROLLER(data)->window);
}

static void
on_show_page(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  debye_window_show_page(DEBYE_WINDOW_CONTROLLER(data)->window, g_variant_get_string(parameter, NULL));
}

/* --- Actions: layers --- */

static void
show_added(DebyeWindowController *self, DebyeLayer *layer)
{
  if (layer != NULL)
    debye_layers_panel_expand(debye_window_get_layers_panel(self->window), layer);
  else
    debye_window_toast(self->window, "There is nothing to make this layer of");
}

static void
on_add_atoms(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_atoms(self->scene));
}

static void
on_add_surface(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_surface(self->scene));
}

static void
on_add_slice(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_slice(self->scene));
}

static void
on_add_box(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_box(self->scene));
}

static void
on_undo(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  debye_scene_history_undo(debye_window_scene_get_history(self->scene));
}

static void
on_layer_removed(DebyeWindowController *self, const char *name)
{
  g_autofree char *text = g_strdup_printf("%s removed", name);
  debye_window_toast_with_action(self->window, text, "Undo", "win.undo");
}

static const GActionEntry entries[] = {
    {.name = "open", .activate = on_open},
    {.name = "open-files", .activate = on_open_files, .parameter_type = "as"},
    {.name = "open-sample", .activate = on_open_sample, .parameter_type = "s"},
    {.name = "export-picture", .activate = on_export_picture},
    {.name = "save-picture", .activate = on_save_picture, .parameter_type = "(siib)"},
    {.name = "export-map", .activate = on_export_map},
    {.name = "save-map", .activate = on_save_map, .parameter_type = "s"},
    {.name = "copy-command", .activate = on_copy_command},
    {.name = "result-run-again", .activate = on_result_run_again, .parameter_type = "u"},
    {.name = "result-copy-command", .activate = on_result_copy_command, .parameter_type = "u"},
    {.name = "result-export", .activate = on_result_export, .parameter_type = "u"},
    {.name = "result-remove", .activate = on_result_remove, .parameter_type = "u"},
    {.name = "run", .activate = on_run},
    {.name = "stop", .activate = on_stop},
    {.name = "play", .state = "false", .change_state = on_change_play},
    {.name = "frame", .parameter_type = "i", .state = "0", .change_state = on_change_frame},
    {.name = "step", .activate = on_step, .parameter_type = "i"},
    {.name = "view-all", .activate = on_view_all},
    {.name = "look-along", .activate = on_look_along, .parameter_type = "i"},
    {.name = "zoom-in", .activate = on_zoom_in},
    {.name = "zoom-out", .activate = on_zoom_out},
    {.name = "toggle-sidebar", .activate = on_toggle_sidebar},
    {.name = "show-page", .activate = on_show_page, .parameter_type = "s"},
    {.name = "add-atoms", .activate = on_add_atoms},
    {.name = "add-surface", .activate = on_add_surface},
    {.name = "add-slice", .activate = on_add_slice},
    {.name = "add-box", .activate = on_add_box},
    {.name = "undo", .activate = on_undo},
};

/* --- Closing --- */

static void
on_close_response(AdwMessageDialog *dialog G_GNUC_UNUSED, const char *response, gpointer data)
{
  DebyeWindowController *self = data;
  if (g_strcmp0(response, "stop") != 0)
    return;
  self->close_confirmed = TRUE;
  gtk_window_close(GTK_WINDOW(self->window));
}

static void
ask_to_close(DebyeWindowController *self)
{
  GtkWidget *dialog =
      adw_message_dialog_new(GTK_WINDOW(self->window), "Stop what is running?",
                             "Closing the window stops its jobs. Maps that are not exported are lost.");
  adw_message_dialog_add_responses(ADW_MESSAGE_DIALOG(dialog), "cancel", "Keep running", "stop",
                                   "Stop and close", NULL);
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), "stop", ADW_RESPONSE_DESTRUCTIVE);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_close_response), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}

static gboolean
on_close_request(DebyeWindowController *self)
{
  if (!self->close_confirmed && debye_job_queue_count_active(self->jobs) > 0) {
    ask_to_close(self);
    return TRUE;
  }
  if (self->loader != NULL)
    debye_frame_loader_stop(self->loader);
  debye_job_queue_join(self->jobs);
  return FALSE;
}

/* --- The object --- */

static void
show_recent(DebyeWindowController *self)
{
  GVariant *recent = debye_preferences_get_recent(self->preferences);
  g_autoptr(GMenu) menu = g_menu_new();
  for (gsize i = 0; i < g_variant_n_children(recent); i++) {
    g_autoptr(GVariant) paths = g_variant_get_child_value(recent, i);
    g_autofree const char **words = g_variant_get_strv(paths, NULL);
    GString *label = g_string_new(NULL);
    for (gsize k = 0; words[k] != NULL; k++) {
      g_autofree char *name = g_filename_display_basename(words[k]);
      g_string_append_printf(label, "%s%s", k > 0 ? ", " : "", name);
    }
    g_autoptr(GMenuItem) item = g_menu_item_new(label->str, NULL);
    g_menu_item_set_action_and_target_value(item, "win.open-files", paths);
    g_menu_append_item(menu, item);
    g_string_free(label, TRUE);
  }
  debye_window_set_recent_menu(self->window, G_MENU_MODEL(menu));
}

static void
show_samples(DebyeWindowController *self)
{
  g_autoptr(GPtrArray) samples = debye_installation_list_samples(NULL);
  for (guint i = 0; samples != NULL && i < samples->len; i++) {
    const DebyeSample *sample = g_ptr_array_index(samples, i);
    g_autofree char *folder = g_path_get_dirname(sample->paths[0]);
    g_autofree char *file = g_strconcat(sample->name, ".png", NULL);
    g_autofree char *picture = g_build_filename(folder, file, NULL);
    gboolean has_picture = g_file_test(picture, G_FILE_TEST_IS_REGULAR);
    debye_welcome_page_add_sample(debye_window_get_welcome_page(self->window), sample->name,
                                  sample->title != NULL ? sample->title : sample->name,
                                  sample->description != NULL ? sample->description : "",
                                  has_picture ? picture : NULL);
  }
}

static void
connect_window(DebyeWindowController *self)
{
  DebyeWindow *window = self->window;
  DebyePlaybackBar *bar = debye_window_get_playback_bar(window);
  DebyeAnalysisPanel *panel = debye_window_get_analysis_panel(window);
  const GConnectFlags swapped = G_CONNECT_SWAPPED;
  g_signal_connect_object(window, "close-request", G_CALLBACK(on_close_request), self, swapped);
  g_signal_connect_object(window, "open-files", G_CALLBACK(on_files_dropped), self, swapped);
  g_signal_connect_object(bar, "seek", G_CALLBACK(on_seek), self, swapped);
  g_signal_connect_object(bar, "notify::playing", G_CALLBACK(on_playing), self, swapped);
  g_signal_connect_object(panel, "run", G_CALLBACK(run_form), self, swapped);
  g_signal_connect_object(debye_window_get_layers_panel(window), "removed", G_CALLBACK(on_layer_removed),
                          self, swapped);
  g_signal_connect_object(debye_window_get_jobs_button(window), "stop", G_CALLBACK(on_stop_requested), self,
                          swapped);
  g_signal_connect_object(self->preferences, "recent-changed", G_CALLBACK(show_recent), self, swapped);
  debye_jobs_button_set_jobs(debye_window_get_jobs_button(window), G_LIST_MODEL(self->jobs));
  debye_analysis_panel_set_results(panel, G_LIST_MODEL(self->results));
  debye_analysis_panel_set_forms(panel, debye_window_analyses_get_forms(self->analyses));
}

static void
connect_forms(DebyeWindowController *self)
{
  GListModel *forms = debye_window_analyses_get_forms(self->analyses);
  for (guint i = 0; i < g_list_model_get_n_items(forms); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(forms, i);
    g_signal_connect_object(form, "notify::can-run", G_CALLBACK(update_actions), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(form, "notify::can-run", G_CALLBACK(run_sample_when_ready), self,
                            G_CONNECT_SWAPPED);
  }
}

DebyeWindowController *
debye_window_controller_new(DebyeWindow *window, DebyePreferences *preferences, DebyeDevices *devices)
{
  DebyeWindowController *self = g_object_new(DEBYE_TYPE_WINDOW_CONTROLLER, NULL);
  self->window = window;
  self->preferences = g_object_ref(preferences);
  self->analyses = debye_window_analyses_new(preferences, devices);
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  connect_window(self);
  connect_forms(self);
  show_recent(self);
  show_samples(self);
  update_actions(self);
  g_object_set_data_full(G_OBJECT(window), KEY, self, g_object_unref);
  return self;
}

DebyeWindowController *
debye_window_controller_of(DebyeWindow *window)
{
  return g_object_get_data(G_OBJECT(window), KEY);
}

static void
debye_window_controller_finalize(GObject *object)
{
  DebyeWindowController *self = DEBYE_WINDOW_CONTROLLER(object);
  g_clear_object(&self->loader);
  g_clear_object(&self->jobs);
  g_clear_object(&self->opening);
  g_clear_object(&self->computing);
  g_clear_object(&self->analyses);
  g_clear_object(&self->results);
  g_clear_object(&self->scene);
  g_clear_object(&self->document);
  g_clear_object(&self->preferences);
  g_free(self->sample_command);
  G_OBJECT_CLASS(debye_window_controller_parent_class)->finalize(object);
}

static void
debye_window_controller_class_init(DebyeWindowControllerClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_controller_finalize;
}

static void
debye_window_controller_init(DebyeWindowController *self)
{
  self->jobs = debye_job_queue_new();
  self->results = g_list_store_new(DEBYE_TYPE_RESULT);
}
