/* SPDX-License-Identifier: MIT */
/* Saves what a window shows in case of a crash; made by window_session.c. */
#include "window_autosave.h"

#include "window_state.h"

/* From a change until it is written: changes that follow each other are written together, and a scene that
 * was just opened has settled. */
#define PAUSE_MILLISECONDS 2000
/* What no signal tells is seen by then. */
#define SECONDS 30

struct _DebyeWindowAutosave {
  GObject parent_instance;
  DebyeWindowDocument *document;
  DebyeWindowComputing *computing;
  DebyeRecovery *recovery; /* borrowed; NULL: nothing is kept */
  DebyeSession *session;   /* as it was opened or saved last; NULL: neither */
  char *origin;            /* where it was saved by hand; NULL: nowhere */
  DebyeScene *scene;       /* whose changes count; NULL: none yet */
  guint source, pause_source;

  char *path;            /* where it is kept; NULL: nowhere yet */
  char *state;           /* what is kept there, or was opened; NULL: not yet known */
  DebyeSession *written; /* NULL: none yet */
  GCancellable *writing; /* of the one that is being written; NULL: none is */
  gboolean again;        /* something changed meanwhile */
};

G_DEFINE_FINAL_TYPE(DebyeWindowAutosave, debye_window_autosave, G_TYPE_OBJECT)

/* What is taken for saved from now on. */
static void
set_state(DebyeWindowAutosave *self, const char *state)
{
  g_free(self->state);
  self->state = g_strdup(state);
}

static void touch(DebyeWindowAutosave *self);

static void
on_autosaved(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyeWindowAutosave) self = data;
  g_autoptr(DebyeSession) session = g_task_propagate_pointer(G_TASK(result), NULL);
  gboolean unwanted = g_cancellable_is_cancelled(self->writing);
  debye_session_save_remember(g_task_get_task_data(G_TASK(result)));
  g_clear_object(&self->writing);
  if (unwanted && self->path != NULL)
    debye_recovery_forget_session(self->path);
  else if (session != NULL)
    g_set_object(&self->written, session);
  else
    set_state(self, ""); /* tried again: a full disk may have room then */
  if (self->again && !unwanted)
    touch(self);
  self->again = FALSE;
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

/* Results that lie in no file of the document were made here. */
static gboolean
has_own_results(DebyeWindowDocument *document)
{
  GPtrArray *opened = debye_document_get_maps(debye_window_document_get_document(document));
  GListModel *results = debye_window_document_get_results(document);
  for (guint i = 0; i < g_list_model_get_n_items(results); i++) {
    g_autoptr(GObject) result = g_list_model_get_item(results, i);
    if (!g_ptr_array_find(opened, result, NULL))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_touched(DebyeWindowDocument *document)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  return has_own_results(document) ||
         (scene != NULL && debye_scene_history_can_undo(debye_window_scene_get_history(scene)));
}

/* What was opened and not touched is not saved: its files are where they were. Layers and results that
 * came before the scene had settled count all the same. */
static gboolean
is_worth_saving(DebyeWindowAutosave *self, const char *state)
{
  if (self->state == NULL && !is_touched(self->document)) {
    set_state(self, state);
    return FALSE;
  }
  return g_strcmp0(self->state, state) != 0;
}

static void
write_session(DebyeWindowAutosave *self)
{
  DebyeSessionSave *save = debye_window_state_save(self->computing, self->session, self->path, self->written);
  if (self->origin != NULL)
    debye_session_save_set_text(save, DEBYE_WINDOW_STATE_ORIGIN, self->origin);
  self->writing = g_cancellable_new();
  /* Held by the callback and not by the task, whose thread may be the last to let go of it. */
  g_autoptr(GTask) task = g_task_new(NULL, self->writing, on_autosaved, g_object_ref(self));
  g_task_set_task_data(task, save, debye_session_save_free);
  g_task_run_in_thread(task, run_autosave);
}

static void
autosave(DebyeWindowAutosave *self)
{
  if (!debye_window_document_has_content(self->document))
    return;
  if (self->writing != NULL) {
    self->again = TRUE;
    return;
  }
  g_autofree char *state = debye_window_state_describe(self->computing, self->session);
  if (!is_worth_saving(self, state))
    return;
  if (self->path == NULL && self->recovery != NULL)
    self->path = debye_recovery_name_session(self->recovery);
  if (self->path == NULL)
    return;
  set_state(self, state);
  write_session(self);
}

/* --- When --- */

static gboolean
on_look(gpointer data)
{
  autosave(data);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_pause(gpointer data)
{
  DebyeWindowAutosave *self = data;
  self->pause_source = 0;
  autosave(self);
  return G_SOURCE_REMOVE;
}

/* The pause begins with the first change, so that a film that plays or a slider that is drawn puts nothing
 * off. */
static void
touch(DebyeWindowAutosave *self)
{
  if (self->pause_source == 0 && self->source != 0)
    self->pause_source = g_timeout_add(PAUSE_MILLISECONDS, on_pause, self);
}

static void
watch_forms(DebyeWindowAutosave *self)
{
  GListModel *forms = debye_window_analyses_get_forms(debye_window_computing_get_analyses(self->computing));
  for (guint i = 0; i < g_list_model_get_n_items(forms); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(forms, i);
    g_signal_connect_object(debye_analysis_form_get_request(form), "changed", G_CALLBACK(touch), self,
                            G_CONNECT_SWAPPED);
  }
}

void
debye_window_autosave_follow(DebyeWindowAutosave *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_AUTOSAVE(self));
  DebyeWindowScene *shown = debye_window_document_get_scene(self->document);
  DebyeScene *scene = shown != NULL ? debye_window_scene_get_scene(shown) : NULL;
  if (self->scene != NULL)
    g_signal_handlers_disconnect_by_data(self->scene, self);
  g_set_object(&self->scene, scene);
  if (scene != NULL)
    g_signal_connect_object(scene, "changed", G_CALLBACK(touch), self, G_CONNECT_SWAPPED);
  touch(self);
}

/* --- The object --- */

DebyeWindowAutosave *
debye_window_autosave_new(DebyeWindowComputing *computing, DebyeRecovery *recovery)
{
  DebyeWindowAutosave *self = g_object_new(DEBYE_TYPE_WINDOW_AUTOSAVE, NULL);
  self->document = g_object_ref(debye_window_computing_get_document(computing));
  self->computing = g_object_ref(computing);
  self->recovery = recovery;
  self->source = g_timeout_add_seconds(SECONDS, on_look, self);
  watch_forms(self);
  g_signal_connect_object(debye_window_document_get_results(self->document), "items-changed",
                          G_CALLBACK(touch), self, G_CONNECT_SWAPPED);
  return self;
}

void
debye_window_autosave_set_origin(DebyeWindowAutosave *self, DebyeSession *session, const char *path)
{
  g_return_if_fail(DEBYE_IS_WINDOW_AUTOSAVE(self));
  char *copy = g_strdup(path);
  g_set_object(&self->session, session);
  g_free(self->origin);
  self->origin = copy;
}

void
debye_window_autosave_begin(DebyeWindowAutosave *self, gboolean is_kept)
{
  g_return_if_fail(DEBYE_IS_WINDOW_AUTOSAVE(self));
  set_state(self, is_kept ? NULL : "");
}

void
debye_window_autosave_close(DebyeWindowAutosave *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_AUTOSAVE(self));
  g_clear_handle_id(&self->source, g_source_remove);
  g_clear_handle_id(&self->pause_source, g_source_remove);
  if (self->writing != NULL)
    g_cancellable_cancel(self->writing);
  else if (self->path != NULL)
    debye_recovery_forget_session(self->path);
}

static void
debye_window_autosave_finalize(GObject *object)
{
  DebyeWindowAutosave *self = DEBYE_WINDOW_AUTOSAVE(object);
  g_clear_handle_id(&self->source, g_source_remove);
  g_clear_handle_id(&self->pause_source, g_source_remove);
  if (self->scene != NULL)
    g_signal_handlers_disconnect_by_data(self->scene, self);
  g_clear_object(&self->scene);
  g_clear_object(&self->session);
  g_clear_object(&self->written);
  g_clear_object(&self->writing);
  g_clear_object(&self->computing);
  g_clear_object(&self->document);
  g_free(self->origin);
  g_free(self->path);
  g_free(self->state);
  G_OBJECT_CLASS(debye_window_autosave_parent_class)->finalize(object);
}

static void
debye_window_autosave_class_init(DebyeWindowAutosaveClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_autosave_finalize;
}

static void
debye_window_autosave_init(DebyeWindowAutosave *self)
{
  self->state = NULL;
}
