/* SPDX-License-Identifier: MIT */
/* One window's session, see window_session.h. */
#include "window_session.h"

#include <glib/gstdio.h>

#include "application.h"
#include "json_reader.h"
#include "json_writer.h"
#include "map_file.h"
#include "session.h"
#include "session_save.h"
#include "window_controller_private.h"
#include "window_exports.h"

#define CHECK_SECONDS 1
#define AUTOSAVE_SECONDS 30
#define RESULT_PATH_KEY "debye-session-result-path"
#define ORIGIN_KEY "recovered-from"

struct _DebyeWindowSession {
  GObject parent_instance;
  DebyeWindowController *controller; /* borrowed */
  DebyeSession *session;             /* as it was opened or saved last; NULL: neither */
  char *path;                        /* where it is saved; NULL: nowhere yet */
  char *saved;                       /* what was shown then; NULL: not yet known */
  gboolean modified, close_after_saving;
  guint check_source, autosave_source;

  char *autosave_path; /* NULL: none yet */
  char *autosaved;     /* what it holds */
  DebyeSession *autosave_session;
  GCancellable *autosave; /* of the one that is being written; NULL: none is */
};

G_DEFINE_FINAL_TYPE(DebyeWindowSession, debye_window_session, G_TYPE_OBJECT)

/* --- What the window shows --- */

static GVariant *
save_form(DebyeAnalysisForm *form)
{
  const DebyeSettingTable *table = debye_analysis_form_get_table(form);
  DebyeRequest *request = debye_analysis_form_get_request(form);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key;
    if (debye_request_is_set(request, key) && debye_request_get(request, key) != NULL)
      g_variant_dict_insert(&dict, key, "s", debye_request_get(request, key));
  }
  return g_variant_dict_end(&dict);
}

static GVariant *
save_forms(DebyeWindowSession *self)
{
  GListModel *forms = debye_window_analyses_get_forms(self->controller->analyses);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (guint i = 0; i < g_list_model_get_n_items(forms); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(forms, i);
    g_variant_dict_insert_value(&dict, debye_analysis_form_get_table(form)->id, save_form(form));
  }
  return g_variant_dict_end(&dict);
}

static GVariant *
save_texts(const char *const *texts)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (; texts != NULL && *texts != NULL; texts++)
    g_variant_builder_add(&builder, "v", g_variant_new_string(*texts));
  return g_variant_builder_end(&builder);
}

static gint64
get_frame(DebyeWindowSession *self)
{
  DebyeFrame *frame = debye_window_scene_get_frame(self->controller->scene);
  return frame != NULL ? (gint64)frame->index : 0;
}

/* With members that another version wrote. A new reference. */
static GVariant *
collect_values(DebyeWindowSession *self, GPtrArray *maps)
{
  DebyeDataset *dataset = debye_document_get_dataset(self->controller->document);
  GVariantDict dict;
  g_variant_dict_init(&dict, self->session != NULL ? debye_session_get_values(self->session) : NULL);
  g_variant_dict_remove(&dict, ORIGIN_KEY);
  g_variant_dict_insert_value(&dict, "scene", debye_window_scene_save(self->controller->scene, maps));
  g_variant_dict_insert_value(&dict, "forms", save_forms(self));
  g_variant_dict_insert_value(
      &dict, "elements", save_texts(dataset != NULL ? debye_dataset_get_element_choices(dataset) : NULL));
  g_variant_dict_insert(&dict, "frame", "x", get_frame(self));
  return g_variant_ref_sink(g_variant_dict_end(&dict));
}

/* All files in their order and, at the same places, the maps that they are (NULL: no map); after them the
 * results of this window, which have a file only where `results` gives one. */
static GPtrArray *
collect_maps(DebyeWindowSession *self, DebyeSessionResults *results)
{
  GPtrArray *maps = g_ptr_array_new();
  GPtrArray *opened = debye_document_get_maps(self->controller->document);
  GListModel *computed = G_LIST_MODEL(self->controller->results);
  for (const char *const *path = debye_document_get_paths(self->controller->document); *path != NULL;
       path++) {
    GObject *found = NULL;
    for (guint i = 0; found == NULL && i < opened->len; i++)
      if (g_strcmp0(debye_map_file_get_path(opened->pdata[i]), *path) == 0)
        found = opened->pdata[i];
    /* A result that was recovered needs a file that lasts. */
    gboolean is_lent = found != NULL && DEBYE_IS_RESULT(found) && debye_recovery_has_path(*path);
    g_ptr_array_add(maps, found);
    if (results != NULL && is_lent)
      debye_session_results_add(results, DEBYE_RESULT(found));
    else if (results != NULL)
      debye_session_results_add_path(results, *path);
  }
  for (guint i = g_list_model_get_n_items(computed); i-- > 0;) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(computed, i);
    if (g_ptr_array_find(opened, result, NULL))
      continue;
    g_ptr_array_add(maps, result); /* the list keeps it */
    if (results != NULL)
      debye_session_results_add(results, result);
  }
  return maps;
}

/* What counts as a change: the frame that is shown doesn't. */
static char *
describe_state(DebyeWindowSession *self)
{
  g_autoptr(GPtrArray) maps = collect_maps(self, NULL);
  g_autoptr(GVariant) values = collect_values(self, maps);
  GVariantDict dict;
  g_auto(DebyeJson) json;
  g_variant_dict_init(&dict, values);
  g_variant_dict_remove(&dict, "frame");
  g_variant_dict_insert(&dict, "n-maps", "x", (gint64)maps->len);
  g_autoptr(GVariant) lasting = g_variant_ref_sink(g_variant_dict_end(&dict));
  debye_json_init(&json);
  debye_json_value(&json, NULL, lasting);
  return g_strdup(json.text->str);
}

static gboolean
has_something(DebyeWindowSession *self)
{
  return self->controller->document != NULL && self->controller->scene != NULL;
}

/* --- Heading --- */

void
debye_window_session_show_heading(DebyeWindowSession *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  if (self->controller->document == NULL)
    return;
  g_autofree char *name = self->path != NULL ? g_filename_display_basename(self->path)
                                             : debye_document_get_title(self->controller->document);
  g_autofree char *title = g_strconcat(self->modified ? "• " : "", name, NULL);
  g_autofree char *description = debye_document_describe(self->controller->document);
  debye_window_set_heading(self->controller->window, title, description);
}

static void
set_modified(DebyeWindowSession *self, gboolean modified)
{
  if (self->modified == modified)
    return;
  self->modified = modified;
  debye_window_session_show_heading(self);
}

gboolean
debye_window_session_is_modified(DebyeWindowSession *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SESSION(self), FALSE);
  if (self->path == NULL || self->saved == NULL || !has_something(self))
    return FALSE;
  g_autofree char *state = describe_state(self);
  set_modified(self, g_strcmp0(state, self->saved) != 0);
  return self->modified;
}

/* A scene that was just opened settles until the first check. */
static gboolean
check(gpointer data)
{
  DebyeWindowSession *self = data;
  if (has_something(self) && self->path != NULL && self->saved == NULL)
    self->saved = describe_state(self);
  debye_window_session_is_modified(self);
  return G_SOURCE_CONTINUE;
}

/* --- Saving --- */

static void
remember(DebyeWindowSession *self, DebyeSession *session, const char *path)
{
  char *absolute = path != NULL ? g_canonicalize_filename(path, NULL) : NULL;
  g_set_object(&self->session, session);
  g_free(self->path);
  self->path = absolute;
}

/* A small picture of it for the start page. */
static void
save_thumbnail(DebyeWindowSession *self)
{
  g_autofree char *path = debye_session_thumbnail_path(self->path);
  DebyeView3d *view = debye_window_get_view(self->controller->window);
  const int width = DEBYE_SESSION_THUMBNAIL_WIDTH, height = DEBYE_SESSION_THUMBNAIL_HEIGHT;
  double scale = (double)width / MAX(1, gtk_widget_get_width(GTK_WIDGET(view)));
  g_autoptr(GBytes) pixels = debye_view_3d_capture(view, width, height, scale, FALSE, NULL);
  if (pixels != NULL)
    debye_session_save_thumbnail(pixels, path);
}

static void
on_saved(DebyeJob *job, DebyeWindowSession *self)
{
  DebyeSession *session = debye_job_get_result(job);
  char *state = g_object_get_data(G_OBJECT(job), "state");
  if (session == NULL) {
    self->close_after_saving = FALSE;
    if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
      debye_window_toast_error(self->controller->window, debye_job_get_error(job)->message);
    return;
  }
  const char *path = debye_session_get_path(session);
  remember(self, session, path);
  g_free(self->saved);
  self->saved = g_strdup(state);
  self->modified = FALSE;
  debye_window_session_show_heading(self);
  save_thumbnail(self);
  debye_preferences_add_recent(self->controller->preferences, (const char *const[]){path, NULL});
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *text = g_strdup_printf("%s is saved", name);
  debye_window_toast(self->controller->window, text);
  debye_window_controller_update_actions(self->controller);
  if (self->close_after_saving)
    gtk_window_close(GTK_WINDOW(self->controller->window));
}

static DebyeSessionSave *
create_save(DebyeWindowSession *self, const char *path, DebyeSession *previous)
{
  DebyeSessionResults *results = debye_session_results_new(path);
  g_autoptr(GPtrArray) maps = collect_maps(self, results);
  g_autoptr(GVariant) values = collect_values(self, maps);
  return debye_session_save_new(path, values, results, previous);
}

static gpointer
run_save(DebyeJob *job, gpointer data, GError **error)
{
  return debye_session_save_run(data, debye_job_get_cancellable(job), error);
}

static void
save_to(const char *path, gpointer data)
{
  DebyeWindowSession *self = data;
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *title = g_strdup_printf("Saving %s", name);
  g_autoptr(DebyeJob) job =
      debye_job_new(title, run_save, create_save(self, path, self->session), debye_session_save_free);
  g_object_set_data_full(G_OBJECT(job), "state", describe_state(self), g_free);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_saved), self, G_CONNECT_DEFAULT);
  debye_window_controller_add_job(self->controller, job, FALSE);
}

static void
ask_where(DebyeWindowSession *self)
{
  static const char *const suffixes[] = {"debye", "Session", NULL};
  g_autofree char *name = self->path != NULL
                              ? g_filename_display_basename(self->path)
                              : debye_window_controller_suggest_name(self->controller, DEBYE_SESSION_ENDING);
  debye_window_exports_choose_path(self->controller->window, "Save session", name, suffixes, save_to, self);
}

void
debye_window_session_save(DebyeWindowSession *self, const char *path)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  if (!has_something(self))
    return;
  if (path != NULL || self->path != NULL)
    save_to(path != NULL ? path : self->path, self);
  else
    ask_where(self);
}

/* --- In case of a crash --- */

static void
on_autosaved(GObject *source, GAsyncResult *result, gpointer data G_GNUC_UNUSED)
{
  DebyeWindowSession *self = DEBYE_WINDOW_SESSION(source);
  g_autoptr(DebyeSession) session = g_task_propagate_pointer(G_TASK(result), NULL);
  gboolean unwanted = g_cancellable_is_cancelled(self->autosave);
  g_clear_object(&self->autosave);
  if (session != NULL && !unwanted)
    g_set_object(&self->autosave_session, session);
  if (unwanted && self->autosave_path != NULL)
    debye_recovery_forget_session(self->autosave_path);
}

static void
run_autosave(GTask *task, gpointer source G_GNUC_UNUSED, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  DebyeSession *session = debye_session_save_run(data, cancellable, &error);
  if (session != NULL)
    g_task_return_pointer(task, session, g_object_unref);
  else
    g_task_return_error(task, error);
}

static char *
name_autosave(DebyeWindowSession *self)
{
  GtkApplication *application = gtk_window_get_application(GTK_WINDOW(self->controller->window));
  DebyeRecovery *recovery = DEBYE_IS_APPLICATION(application)
                                ? debye_application_get_recovery(DEBYE_APPLICATION(application))
                                : NULL;
  return recovery != NULL ? debye_recovery_name_session(recovery) : NULL;
}

/* What was opened and not touched is not saved: its files are where they were. */
static gboolean
is_worth_saving(DebyeWindowSession *self, const char *state)
{
  if (self->autosaved == NULL) {
    self->autosaved = g_strdup(state);
    return FALSE;
  }
  return g_strcmp0(self->autosaved, state) != 0;
}

static gboolean
autosave(gpointer data)
{
  DebyeWindowSession *self = data;
  if (!has_something(self) || self->autosave != NULL)
    return G_SOURCE_CONTINUE;
  g_autofree char *state = describe_state(self);
  if (!is_worth_saving(self, state))
    return G_SOURCE_CONTINUE;
  if (self->autosave_path == NULL)
    self->autosave_path = name_autosave(self);
  if (self->autosave_path == NULL)
    return G_SOURCE_CONTINUE;
  g_free(self->autosaved);
  self->autosaved = g_steal_pointer(&state);
  self->autosave = g_cancellable_new();
  DebyeSessionSave *save = create_save(self, self->autosave_path, self->autosave_session);
  if (self->path != NULL)
    debye_session_save_set_text(save, ORIGIN_KEY, self->path);
  g_autoptr(GTask) task = g_task_new(self, self->autosave, on_autosaved, NULL);
  g_task_set_task_data(task, save, debye_session_save_free);
  g_task_run_in_thread(task, run_autosave);
  return G_SOURCE_CONTINUE;
}

void
debye_window_session_close(DebyeWindowSession *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  g_clear_handle_id(&self->check_source, g_source_remove);
  g_clear_handle_id(&self->autosave_source, g_source_remove);
  if (self->autosave != NULL)
    g_cancellable_cancel(self->autosave);
  else if (self->autosave_path != NULL)
    debye_recovery_forget_session(self->autosave_path);
}

/* --- A session that was opened --- */

static void
load_form(DebyeAnalysisForm *form, GVariant *saved)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;
  g_variant_iter_init(&iter, saved);
  while (g_variant_iter_loop(&iter, "{&sv}", &key, &value))
    if (g_variant_is_of_type(value, G_VARIANT_TYPE_STRING) &&
        debye_setting_table_find(debye_analysis_form_get_table(form), key) != NULL)
      debye_request_set(debye_analysis_form_get_request(form), key, g_variant_get_string(value, NULL), NULL);
}

static void
load_forms(DebyeWindowSession *self, GVariant *values)
{
  g_autoptr(GVariant) forms = debye_json_get(values, "forms", G_VARIANT_TYPE_VARDICT);
  GListModel *list = debye_window_analyses_get_forms(self->controller->analyses);
  for (guint i = 0; forms != NULL && i < g_list_model_get_n_items(list); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(list, i);
    g_autoptr(GVariant) saved =
        debye_json_get(forms, debye_analysis_form_get_table(form)->id, G_VARIANT_TYPE_VARDICT);
    if (saved != NULL)
      load_form(form, saved);
  }
}

static void
load_frame(DebyeWindowSession *self, GVariant *values)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(self->controller->window);
  gint64 frame = debye_json_get_integer(values, "frame", 0);
  if (frame > 0 && frame <= G_MAXINT && self->controller->loader != NULL)
    debye_playback_bar_seek(bar, (guint)frame);
}

void
debye_window_session_follow(DebyeWindowSession *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  DebyeDocument *document = self->controller->document;
  DebyeSession *session = debye_document_get_session(document);
  if (session == NULL && debye_document_is_continuation(document)) {
    debye_window_session_show_heading(self);
    return;
  }
  g_clear_pointer(&self->saved, g_free);
  g_clear_pointer(&self->autosaved, g_free);
  remember(self, session, session != NULL ? debye_session_get_path(session) : NULL);
  self->modified = FALSE;
  if (session != NULL) {
    GVariant *values = debye_session_get_values(session);
    g_autofree char *origin = debye_json_get_text(values, ORIGIN_KEY);
    load_forms(self, values);
    load_frame(self, values);
    if (debye_recovery_has_path(self->path)) {
      /* Recovered: it belongs where it was saved by hand, and differs from that. */
      debye_recovery_forget_session_alone(self->path);
      remember(self, session, origin);
      self->saved = g_strdup("");
      self->autosaved = g_strdup("");
      self->modified = origin != NULL;
    }
  }
  debye_window_session_show_heading(self);
}

/* --- Closing --- */

static void
on_close_response(AdwMessageDialog *dialog G_GNUC_UNUSED, const char *response, gpointer data)
{
  DebyeWindowSession *self = data;
  if (g_strcmp0(response, "save") == 0) {
    self->close_after_saving = TRUE;
    debye_window_session_save(self, NULL);
  } else if (g_strcmp0(response, "discard") == 0) {
    g_clear_pointer(&self->saved, g_free);
    self->controller->close_confirmed = TRUE;
    gtk_window_close(GTK_WINDOW(self->controller->window));
  }
}

void
debye_window_session_ask_to_close(DebyeWindowSession *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self) && self->path != NULL);
  g_autofree char *name = g_filename_display_basename(self->path);
  g_autofree char *heading = g_strdup_printf("Save the changes of %s?", name);
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(self->controller->window), heading,
                                             "What was changed since it was saved is lost otherwise.");
  adw_message_dialog_add_responses(ADW_MESSAGE_DIALOG(dialog), "cancel", "Cancel", "discard", "Discard",
                                   "save", "Save", NULL);
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), "save", ADW_RESPONSE_SUGGESTED);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_close_response), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}

/* --- The object --- */

static void
on_save_session(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_window_session_save(data, NULL);
}

static void
on_save_session_as(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  if (has_something(data))
    ask_where(data);
}

static void
on_save_session_to(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  debye_window_session_save(data, g_variant_get_string(parameter, NULL));
}

/* Tests don't wait for half a minute. */
static guint
get_autosave_seconds(void)
{
  guint64 seconds = 0;
  const char *text = g_getenv("DEBYE_AUTOSAVE_SECONDS");
  if (text != NULL && g_ascii_string_to_unsigned(text, 10, 1, 3600, &seconds, NULL))
    return (guint)seconds;
  return AUTOSAVE_SECONDS;
}

DebyeWindowSession *
debye_window_session_new(DebyeWindowController *controller)
{
  static const GActionEntry entries[] = {
      {.name = "save-session", .activate = on_save_session},
      {.name = "save-session-as", .activate = on_save_session_as},
      {.name = "save-session-to", .activate = on_save_session_to, .parameter_type = "s"},
  };
  DebyeWindowSession *self = g_object_new(DEBYE_TYPE_WINDOW_SESSION, NULL);
  self->controller = controller;
  g_action_map_add_action_entries(G_ACTION_MAP(controller->window), entries, G_N_ELEMENTS(entries), self);
  self->check_source = g_timeout_add_seconds(CHECK_SECONDS, check, self);
  self->autosave_source = g_timeout_add_seconds(get_autosave_seconds(), autosave, self);
  return self;
}

static void
debye_window_session_finalize(GObject *object)
{
  DebyeWindowSession *self = DEBYE_WINDOW_SESSION(object);
  g_clear_handle_id(&self->check_source, g_source_remove);
  g_clear_handle_id(&self->autosave_source, g_source_remove);
  g_clear_object(&self->session);
  g_clear_object(&self->autosave_session);
  g_clear_object(&self->autosave);
  g_free(self->path);
  g_free(self->saved);
  g_free(self->autosave_path);
  g_free(self->autosaved);
  G_OBJECT_CLASS(debye_window_session_parent_class)->finalize(object);
}

static void
debye_window_session_class_init(DebyeWindowSessionClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_session_finalize;
}

static void
debye_window_session_init(DebyeWindowSession *self)
{
  self->modified = FALSE;
}
