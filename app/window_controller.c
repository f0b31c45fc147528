/* SPDX-License-Identifier: MIT */
/* One window's document, scene, jobs and results. */
#include "window_controller_private.h"

#include <string.h>

#include "application.h"
#include "data/error.h"
#include "installation.h"

#define KEY "debye-window-controller"

G_DEFINE_FINAL_TYPE(DebyeWindowController, debye_window_controller, G_TYPE_OBJECT)

static void show_document(DebyeWindowController *self, DebyeDocument *document);

static void
set_enabled(DebyeWindowController *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), name);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

void
debye_window_controller_update_actions(DebyeWindowController *self)
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

DebyeResult *
debye_window_controller_get_result(DebyeWindowController *self, guint position)
{
  return g_list_model_get_item(G_LIST_MODEL(self->results), position);
}

static void
show_result(DebyeWindowController *self, DebyeResult *result)
{
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  if (field != NULL && self->scene != NULL)
    debye_window_scene_show_map(self->scene, field);
  debye_window_controller_update_actions(self);
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
  debye_window_controller_update_actions(self);
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
  debye_window_controller_update_actions(self);
}

void
debye_window_controller_add_job(DebyeWindowController *self, DebyeJob *job, gboolean computing)
{
  debye_job_queue_add(self->jobs, job, computing);
  debye_window_controller_update_actions(self);
}

void
debye_window_controller_run_request(DebyeWindowController *self, DebyeRequest *request)
{
  g_autoptr(DebyeJob) job = debye_window_analyses_create_job(self->analyses, request);
  g_signal_connect_object(job, "partial", G_CALLBACK(on_partial), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_computed), self, G_CONNECT_DEFAULT);
  g_set_object(&self->computing, job);
  debye_window_controller_add_job(self, job, TRUE);
}

void
debye_window_controller_run_form(DebyeWindowController *self, DebyeAnalysisForm *form)
{
  if (form != NULL && debye_analysis_form_can_run(form))
    debye_window_controller_run_request(self, debye_analysis_form_get_suggested(form));
}

/* The command line of a sample's main job waits until the form knows that it can run. */
static void
run_sample_when_ready(DebyeWindowController *self, GParamSpec *spec G_GNUC_UNUSED, DebyeAnalysisForm *form)
{
  if (self->sample_command == NULL || self->document == NULL || !debye_analysis_form_can_run(form))
    return;
  g_clear_pointer(&self->sample_command, g_free);
  debye_window_controller_run_form(self, form);
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
  debye_window_controller_update_actions(self);
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
  debye_window_controller_add_job(self, job, FALSE);
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
  g_signal_connect_object(history, "notify::can-undo", G_CALLBACK(debye_window_controller_update_actions),
                          self, G_CONNECT_SWAPPED);
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
  debye_window_controller_update_actions(self);
}

/* --- What the window tells --- */

static void
on_files_dropped(DebyeWindowController *self, char **paths)
{
  debye_window_controller_open(self, (const char *const *)paths);
}

static void
on_stop_requested(DebyeWindowController *self G_GNUC_UNUSED, GObject *job)
{
  debye_job_stop(DEBYE_JOB(job));
}

static void
on_layer_removed(DebyeWindowController *self, const char *name)
{
  g_autofree char *text = g_strdup_printf("%s removed", name);
  debye_window_toast_with_action(self->window, text, "Undo", "win.undo");
}

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
    g_string_replace(label, "_", "__", 0); /* one alone would mark a key */
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
  g_signal_connect_object(panel, "run", G_CALLBACK(debye_window_controller_run_form), self, swapped);
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
    g_signal_connect_object(form, "notify::can-run", G_CALLBACK(debye_window_controller_update_actions), self,
                            G_CONNECT_SWAPPED);
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
  debye_window_actions_add(self);
  connect_window(self);
  connect_forms(self);
  show_recent(self);
  show_samples(self);
  debye_window_controller_update_actions(self);
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
