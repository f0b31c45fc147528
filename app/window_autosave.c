/* SPDX-License-Identifier: MIT */
/* What a window shows, kept in case of a crash, see window_autosave.h. */
#include "window_autosave.h"

#include "application.h"
#include "window_controller_private.h"
#include "window_state.h"

#define SECONDS 30

struct _DebyeWindowAutosave {
  GObject parent_instance;
  DebyeWindowController *controller; /* borrowed */
  DebyeSession *session;             /* as it was opened or saved last; NULL: neither */
  char *origin;                      /* where it was saved by hand; NULL: nowhere */
  guint source;

  char *path;            /* where it is kept; NULL: nowhere yet */
  char *state;           /* what is kept there, or was opened; NULL: not yet known */
  DebyeSession *written; /* NULL: none yet */
  GCancellable *writing; /* of the one that is being written; NULL: none is */
};

G_DEFINE_FINAL_TYPE(DebyeWindowAutosave, debye_window_autosave, G_TYPE_OBJECT)

/* What is taken for saved from now on. */
static void
set_state(DebyeWindowAutosave *self, const char *state)
{
  g_free(self->state);
  self->state = g_strdup(state);
}

static void
on_autosaved(GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr(DebyeWindowAutosave) self = data;
  g_autoptr(DebyeSession) session = g_task_propagate_pointer(G_TASK(result), NULL);
  gboolean unwanted = g_cancellable_is_cancelled(self->writing);
  g_clear_object(&self->writing);
  if (unwanted && self->path != NULL)
    debye_recovery_forget_session(self->path);
  else if (session != NULL)
    g_set_object(&self->written, session);
  else
    set_state(self, ""); /* tried again: a full disk may have room then */
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
name_autosave(DebyeWindowAutosave *self)
{
  GtkApplication *application = gtk_window_get_application(GTK_WINDOW(self->controller->window));
  DebyeRecovery *recovery = DEBYE_IS_APPLICATION(application)
                                ? debye_application_get_recovery(DEBYE_APPLICATION(application))
                                : NULL;
  return recovery != NULL ? debye_recovery_name_session(recovery) : NULL;
}

/* What was opened and not touched is not saved: its files are where they were. */
static gboolean
is_worth_saving(DebyeWindowAutosave *self, const char *state)
{
  if (self->state == NULL) {
    set_state(self, state);
    return FALSE;
  }
  return g_strcmp0(self->state, state) != 0;
}

static gboolean
autosave(gpointer data)
{
  DebyeWindowAutosave *self = data;
  if (!debye_window_controller_has_content(self->controller) || self->writing != NULL)
    return G_SOURCE_CONTINUE;
  g_autofree char *state = debye_window_state_describe(self->controller, self->session);
  if (!is_worth_saving(self, state))
    return G_SOURCE_CONTINUE;
  if (self->path == NULL)
    self->path = name_autosave(self);
  if (self->path == NULL)
    return G_SOURCE_CONTINUE;
  set_state(self, state);
  self->writing = g_cancellable_new();
  DebyeSessionSave *save =
      debye_window_state_save(self->controller, self->session, self->path, self->written);
  if (self->origin != NULL)
    debye_session_save_set_text(save, DEBYE_WINDOW_STATE_ORIGIN, self->origin);
  /* Held by the callback and not by the task, whose thread may be the last to let go of it. */
  g_autoptr(GTask) task = g_task_new(NULL, self->writing, on_autosaved, g_object_ref(self));
  g_task_set_task_data(task, save, debye_session_save_free);
  g_task_run_in_thread(task, run_autosave);
  return G_SOURCE_CONTINUE;
}

/* --- The object --- */

/* Tests don't wait for half a minute. */
static guint
get_seconds(void)
{
  guint64 seconds = 0;
  const char *text = g_getenv("DEBYE_AUTOSAVE_SECONDS");
  if (text != NULL && g_ascii_string_to_unsigned(text, 10, 1, 3600, &seconds, NULL))
    return (guint)seconds;
  return SECONDS;
}

DebyeWindowAutosave *
debye_window_autosave_new(DebyeWindowController *controller)
{
  DebyeWindowAutosave *self = g_object_new(DEBYE_TYPE_WINDOW_AUTOSAVE, NULL);
  self->controller = controller;
  self->source = g_timeout_add_seconds(get_seconds(), autosave, self);
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
  g_clear_object(&self->session);
  g_clear_object(&self->written);
  g_clear_object(&self->writing);
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
