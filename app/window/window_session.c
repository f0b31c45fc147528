/* SPDX-License-Identifier: MIT */
/* One window's session: saving, closing and whether it has changed; made by window_controller.c. */
#include "window_session.h"

#include <glib/gi18n.h>

#include "app/document/json_reader.h"
#include "app/document/session_save.h"
#include "app/scene/offscreen_renderer.h"
#include "window_autosave.h"
#include "window_exports.h"
#include "window_state.h"

#define CHECK_SECONDS 1

struct _DebyeWindowSession {
  GObject parent_instance;
  DebyeWindowDocument *document;
  DebyeWindowComputing *computing;
  DebyeWindowFrames *frames;
  DebyePreferences *preferences;
  DebyeSession *session; /* as it was opened or saved last; NULL: neither */
  char *path;            /* where it is saved; NULL: nowhere yet */
  char *saved;           /* what was shown then; NULL: not yet known */
  gboolean modified, close_after_saving;
  gboolean saving;
  char *next; /* where to save after that; NULL: nowhere */
  guint check_source;
  DebyeWindowAutosave *autosave;
};

G_DEFINE_FINAL_TYPE(DebyeWindowSession, debye_window_session, G_TYPE_OBJECT)

static DebyeWindow *
get_window(DebyeWindowSession *self)
{
  return debye_window_document_get_window(self->document);
}

/* --- Heading --- */

/* The title bar: name, whether it has changed, what it is. */
static void
show_heading(DebyeWindowSession *self)
{
  DebyeDocument *document = debye_window_document_get_document(self->document);
  if (document == NULL)
    return;
  g_autofree char *name =
      self->path != NULL ? g_filename_display_basename(self->path) : debye_document_get_title(document);
  g_autofree char *title = g_strconcat(self->modified ? "• " : "", name, NULL);
  g_autofree char *description = debye_document_describe(document);
  debye_window_set_heading(get_window(self), title, description);
}

static void
set_modified(DebyeWindowSession *self, gboolean modified)
{
  if (self->modified == modified)
    return;
  self->modified = modified;
  show_heading(self);
}

const char *
debye_window_session_get_path(DebyeWindowSession *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SESSION(self), NULL);
  return self->path;
}

/* What was opened or saved as a session has changed since. */
static gboolean
is_modified(DebyeWindowSession *self)
{
  if (self->path == NULL || self->saved == NULL || !debye_window_document_has_content(self->document))
    return FALSE;
  g_autofree char *state = debye_window_state_describe(self->computing, self->session);
  set_modified(self, g_strcmp0(state, self->saved) != 0);
  return self->modified;
}

/* A scene that was just opened settles until the first check. */
static gboolean
check(gpointer data)
{
  DebyeWindowSession *self = data;
  if (debye_window_document_has_content(self->document) && self->path != NULL && self->saved == NULL)
    self->saved = debye_window_state_describe(self->computing, self->session);
  is_modified(self);
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
  debye_window_autosave_set_origin(self->autosave, session, self->path);
}

/* On its way: what was shown, written by a thread that then draws a small picture of it for the start page.
 * The picture may wait long (for other pictures, for meshes), so the file is told of before it. */
typedef struct {
  DebyeSessionSave *save;
  char *state;
  DebyeSceneCopy *copy;
  DebyeView3d *view; /* draws where threads have no GL */
  DebyeCaptureSize size;
} Saving;

static Saving *
saving_new(DebyeWindowSession *self, const char *path)
{
  DebyeView3d *view = debye_window_get_view(get_window(self));
  const int width = DEBYE_SESSION_THUMBNAIL_WIDTH;
  Saving *saving = g_new(Saving, 1);
  *saving = (Saving){.save = debye_window_state_save(self->computing, self->session, path, self->session),
                     .state = debye_window_state_describe(self->computing, self->session),
                     .copy = debye_window_scene_copy(debye_window_document_get_scene(self->document)),
                     .view = g_object_ref(view),
                     .size = {.width = width,
                              .height = DEBYE_SESSION_THUMBNAIL_HEIGHT,
                              .scale = debye_window_exports_get_scale(view, width)}};
  debye_scene_copy_take_words(saving->copy);
  return saving;
}

static void
saving_free(gpointer data)
{
  Saving *saving = data;
  debye_session_save_free(saving->save);
  g_free(saving->state);
  debye_scene_copy_free(saving->copy);
  debye_window_exports_let_go(saving->view);
  g_free(saving);
}

static gboolean
go_on(double fraction G_GNUC_UNUSED, gpointer job)
{
  return !*debye_job_get_cancel_flag(job);
}

static void
save_thumbnail(const Saving *saving, DebyeJob *job, const char *path)
{
  DebyeFallbackRenderer fallback;
  debye_window_exports_init_fallback(&fallback, saving->view);
  g_autofree char *thumbnail = debye_session_thumbnail_path(path);
  g_autoptr(DebyeOffscreenRenderer) renderer = debye_offscreen_renderer_new(saving->copy, &fallback, NULL);
  g_autoptr(GBytes) pixels = debye_offscreen_renderer_draw(renderer, &saving->size, go_on, job, NULL);
  if (pixels != NULL)
    debye_session_save_thumbnail(pixels, thumbnail);
}

static gpointer
run_save(DebyeJob *job, gpointer data, GError **error)
{
  const Saving *saving = data;
  DebyeSession *session = debye_session_save_run(saving->save, debye_job_get_cancellable(job), error);
  if (session == NULL)
    return NULL;
  debye_job_publish(job, session);
  if (go_on(0.0, job))
    save_thumbnail(saving, job, debye_session_get_path(session));
  return session;
}

static void save_to(const char *path, gpointer data);

static void
save_next(DebyeWindowSession *self)
{
  g_autofree char *next = g_steal_pointer(&self->next);
  self->saving = FALSE;
  if (next != NULL)
    save_to(next, self);
}

/* What isn't there any more is asked for when the session is opened. */
static char *
describe_saved(DebyeSession *session, guint *n_missing)
{
  const char *missing = NULL;
  g_autofree char *name = g_filename_display_basename(debye_session_get_path(session));
  *n_missing = 0;
  for (guint i = 0; i < debye_session_get_n_files(session); i++) {
    const DebyeSessionFile *file = debye_session_get_file(session, i);
    if (file->state == DEBYE_SESSION_FILE_MISSING && (*n_missing)++ == 0)
      missing = file->path;
  }
  g_autofree char *missing_name = missing != NULL ? g_filename_display_basename(missing) : NULL;
  if (*n_missing == 0)
    return g_strdup_printf(_("%s is saved"), name);
  if (*n_missing == 1)
    return g_strdup_printf(_("%s saved. %s was not found; Debye will ask for it when you open the session"),
                           name, missing_name);
  return g_strdup_printf(
      _("%s saved. %u files were not found; Debye will ask for them when you open the session"), name,
      *n_missing);
}

static void
show_saved(DebyeWindowSession *self, DebyeSession *session, const char *state)
{
  const char *path = debye_session_get_path(session);
  remember(self, session, path);
  g_free(self->saved);
  self->saved = g_strdup(state);
  self->modified = FALSE;
  show_heading(self);
  guint n_missing;
  g_autofree char *text = describe_saved(session, &n_missing);
  if (n_missing > 0)
    debye_window_toast_remarks(get_window(self), text);
  else
    debye_window_toast(get_window(self), text);
}

/* The small picture is still to be drawn. */
static void
on_written(DebyeJob *job, DebyeSession *session, DebyeWindowSession *self)
{
  const Saving *saving = g_object_get_data(G_OBJECT(job), "saving");
  debye_session_save_remember(saving->save);
  show_saved(self, session, saving->state);
  debye_job_set_incidental(job);
  if (!self->close_after_saving || self->next != NULL)
    return;
  self->close_after_saving = FALSE;
  gtk_window_close(GTK_WINDOW(get_window(self)));
}

/* A recent file's card shows the picture. What failed or was stopped may have written results, too. */
static void
end_saving(DebyeWindowSession *self, DebyeJob *job, DebyeSession *session)
{
  const Saving *saving = g_object_get_data(G_OBJECT(job), "saving");
  if (session != NULL)
    debye_preferences_add_recent(self->preferences,
                                 (const char *const[]){debye_session_get_path(session), NULL});
  else
    debye_session_save_remember(saving->save);
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(get_window(self), debye_job_get_error(job)->message);
}

/* The window stays, and so does the program. */
static void
give_up_closing(DebyeWindowSession *self)
{
  self->close_after_saving = FALSE;
  g_signal_emit_by_name(self, "staying");
}

static void
on_saved(DebyeJob *job, DebyeWindowSession *self)
{
  DebyeSession *session = debye_job_get_result(job);
  /* Whoever stops it wants none that waits; but for "Save all", which stops all jobs and saves then. */
  if (debye_job_get_state(job) == DEBYE_JOB_STOPPED && !self->close_after_saving)
    g_clear_pointer(&self->next, g_free);
  end_saving(self, job, session);
  if (session == NULL && self->next == NULL)
    give_up_closing(self);
  save_next(self);
}

/* One after the other, as the results that one has written are known to the next; of those that wait only the
 * newest is saved. */
static void
save_to(const char *path, gpointer data)
{
  DebyeWindowSession *self = data;
  if (self->saving) {
    char *next = g_strdup(path);
    g_free(self->next);
    self->next = next;
    return;
  }
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *title = g_strdup_printf(_("Saving %s"), name);
  Saving *saving = saving_new(self, path);
  g_autoptr(DebyeJob) job = debye_job_new(title, run_save, saving, saving_free);
  /* The job keeps it. */
  g_object_set_data(G_OBJECT(job), "saving", saving);
  self->saving = TRUE;
  g_signal_connect_object(job, "partial", G_CALLBACK(on_written), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_saved), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self->document, job, FALSE);
}

/* `answered` (NULL: nothing) is called with `self` after that, whether a place was chosen or not. */
static void
ask_where(DebyeWindowSession *self, GDestroyNotify answered)
{
  static const char *const suffixes[] = {"debye", N_("Session"), NULL};
  g_autofree char *name = self->path != NULL
                              ? g_filename_display_basename(self->path)
                              : debye_window_document_suggest_name(self->document, DEBYE_SESSION_ENDING);
  debye_window_exports_choose_path(get_window(self), _("Save session"), name, suffixes, save_to, self,
                                   answered);
}

void
debye_window_session_save(DebyeWindowSession *self, const char *path)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  if (!debye_window_document_has_content(self->document))
    return;
  if (path != NULL || self->path != NULL)
    save_to(path != NULL ? path : self->path, self);
  else
    ask_where(self, NULL);
}

void
debye_window_session_save_as(DebyeWindowSession *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  if (debye_window_document_has_content(self->document))
    ask_where(self, NULL);
}

void
debye_window_session_close(DebyeWindowSession *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  g_clear_handle_id(&self->check_source, g_source_remove);
  debye_window_autosave_close(self->autosave);
}

/* --- A session that was opened --- */

static void
follow(DebyeWindowSession *self)
{
  DebyeDocument *document = debye_window_document_get_document(self->document);
  DebyeSession *session = debye_document_get_session(document);
  debye_window_autosave_follow(self->autosave);
  if (session == NULL && debye_document_is_continuation(document)) {
    show_heading(self);
    return;
  }
  g_clear_pointer(&self->saved, g_free);
  debye_window_autosave_begin(self->autosave, TRUE);
  remember(self, session, session != NULL ? debye_session_get_path(session) : NULL);
  self->modified = FALSE;
  if (session != NULL) {
    GVariant *values = debye_session_get_values(session);
    g_autofree char *origin = debye_json_get_text(values, DEBYE_WINDOW_STATE_ORIGIN);
    debye_window_state_restore(self->computing, self->frames, session);
    if (debye_recovery_has_path(self->path)) {
      /* Recovered: it belongs where it was saved by hand, and differs from that. */
      debye_recovery_forget_session_alone(self->path);
      remember(self, session, origin);
      self->saved = g_strdup("");
      debye_window_autosave_begin(self->autosave, FALSE);
      self->modified = origin != NULL;
    }
  }
  show_heading(self);
}

/* --- Closing --- */

void
debye_window_session_find_unsaved(DebyeWindowSession *self, DebyeUnsaved *unsaved)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  debye_unsaved_find(unsaved, self->document, self->path, is_modified(self));
}

gboolean
debye_window_session_has_unsaved(DebyeWindowSession *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SESSION(self), FALSE);
  g_auto(DebyeUnsaved) unsaved = {0};
  debye_window_session_find_unsaved(self, &unsaved);
  return !debye_unsaved_is_nothing(&unsaved);
}

/* No place was chosen: nothing is on its way to a file. */
static void
on_where_answered(gpointer data)
{
  DebyeWindowSession *self = data;
  if (!self->saving)
    give_up_closing(self);
}

void
debye_window_session_save_and_close(DebyeWindowSession *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SESSION(self));
  self->close_after_saving = TRUE;
  if (self->path != NULL)
    save_to(self->path, self);
  else
    ask_where(self, on_where_answered);
}

static void
on_close_response(AdwMessageDialog *dialog, const char *response, gpointer data)
{
  DebyeWindowSession *self = data;
  if (g_strcmp0(response, "save") == 0) {
    debye_window_session_save_and_close(self);
  } else if (g_strcmp0(response, "discard") == 0) {
    g_clear_pointer(&self->saved, g_free);
    /* GTK still has it in hand when the window has gone, and would reach for its parent. */
    gtk_window_set_transient_for(GTK_WINDOW(dialog), NULL);
    g_signal_emit_by_name(self, "discard");
  } else {
    give_up_closing(self);
  }
}

/* "Save…" where a place is still to be chosen. */
static void
add_responses(AdwMessageDialog *dialog, gboolean has_path)
{
  adw_message_dialog_add_responses(dialog, "cancel", _("Cancel"), "discard", _("Discard"), "save",
                                   has_path ? _("Save") : _("Save…"), NULL);
  adw_message_dialog_set_response_appearance(dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance(dialog, "save", ADW_RESPONSE_SUGGESTED);
}

GtkWidget *
debye_window_session_create_question(DebyeWindowSession *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SESSION(self), NULL);
  g_auto(DebyeUnsaved) unsaved = {0};
  debye_window_session_find_unsaved(self, &unsaved);
  g_autofree char *name = self->path != NULL ? g_filename_display_basename(self->path) : NULL;
  g_autofree char *heading =
      name != NULL ? g_strdup_printf(_("Save changes to %s?"), name) : g_strdup(_("Save before closing?"));
  g_autofree char *body = debye_unsaved_describe(&unsaved);
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(get_window(self)), heading, body);
  add_responses(ADW_MESSAGE_DIALOG(dialog), name != NULL);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_close_response), self, G_CONNECT_DEFAULT);
  return dialog;
}

/* --- The object --- */

DebyeWindowSession *
debye_window_session_new(DebyeWindowComputing *computing, DebyeWindowFrames *frames,
                         DebyePreferences *preferences, DebyeRecovery *recovery)
{
  DebyeWindowSession *self = g_object_new(DEBYE_TYPE_WINDOW_SESSION, NULL);
  self->document = g_object_ref(debye_window_computing_get_document(computing));
  self->computing = g_object_ref(computing);
  self->frames = g_object_ref(frames);
  self->preferences = g_object_ref(preferences);
  self->check_source = g_timeout_add_seconds(CHECK_SECONDS, check, self);
  self->autosave = debye_window_autosave_new(computing, recovery);
  g_signal_connect_object(self->document, "changed", G_CALLBACK(follow), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->document, "grown", G_CALLBACK(show_heading), self, G_CONNECT_SWAPPED);
  return self;
}

static void
debye_window_session_finalize(GObject *object)
{
  DebyeWindowSession *self = DEBYE_WINDOW_SESSION(object);
  g_clear_handle_id(&self->check_source, g_source_remove);
  g_clear_object(&self->session);
  g_clear_object(&self->autosave);
  g_clear_object(&self->frames);
  g_clear_object(&self->computing);
  g_clear_object(&self->document);
  g_clear_object(&self->preferences);
  g_free(self->next);
  g_free(self->path);
  g_free(self->saved);
  G_OBJECT_CLASS(debye_window_session_parent_class)->finalize(object);
}

static void
debye_window_session_class_init(DebyeWindowSessionClass *class)
{
  static const char *const names[] = {"discard", "staying"};
  G_OBJECT_CLASS(class)->finalize = debye_window_session_finalize;
  for (guint i = 0; i < G_N_ELEMENTS(names); i++)
    g_signal_new(names[i], G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_window_session_init(DebyeWindowSession *self)
{
  self->modified = FALSE;
}
