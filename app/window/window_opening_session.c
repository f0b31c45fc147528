/* SPDX-License-Identifier: MIT */
/* Opens a session in a window and asks about files that are missing or have changed; opens a sample, which may be grown first;
 * has the job that opens all of them, files and prepared structures. Called by application.c, window_actions.c and
 * window_opening.c. */
#include "window_opening_private.h"

#include <glib/gi18n.h>

#include "app/aggregates/aggregate_file.h"
#include "app/document/session.h"
#include "ui/dialogs/moved_files_dialog.h"

#define SESSION_KEY "debye-session"
/* Of a job: the session's file. */
#define PATH_KEY "debye-path"

/* Either a session to be read, or one whose files are to be looked at again. */
typedef struct {
  char *path;
  DebyeSession *session;
} Looking;

static void
looking_free(gpointer data)
{
  Looking *looking = data;
  g_free(looking->path);
  g_clear_object(&looking->session);
  g_free(looking);
}

static gpointer
look(DebyeJob *job, gpointer data, GError **error)
{
  Looking *looking = data;
  debye_job_set_message(job, _("Looking for its files"));
  DebyeSession *session =
      looking->session != NULL ? g_object_ref(looking->session) : debye_session_load(looking->path, error);
  if (session != NULL)
    debye_session_check(session, debye_job_get_cancellable(job));
  return session;
}

static void start_look(DebyeWindowOpening *self, const char *path, DebyeSession *session);

static guint
count_differences(DebyeSession *session)
{
  guint n_differences = 0;
  for (guint i = 0; i < debye_session_get_n_files(session); i++)
    n_differences += debye_session_get_file(session, i)->state != DEBYE_SESSION_FILE_THERE;
  return n_differences;
}

/* --- Asking --- */

static void
on_open_anyway(DebyeMovedFilesDialog *dialog, DebyeWindowOpening *self)
{
  DebyeSession *session = g_object_get_data(G_OBJECT(dialog), SESSION_KEY);
  debye_window_opening_open_checked(self, session);
}

static void
on_located(DebyeMovedFilesDialog *dialog, guint index, const char *path, DebyeWindowOpening *self)
{
  DebyeSession *session = g_object_get_data(G_OBJECT(dialog), SESSION_KEY);
  g_autofree char *folder = g_path_get_dirname(path);
  debye_session_set_file_path(session, index, path);
  /* What moved together is found together. */
  for (guint i = 0; i < debye_session_get_n_files(session); i++) {
    const DebyeSessionFile *file = debye_session_get_file(session, i);
    g_autofree char *name = g_path_get_basename(file->path);
    g_autofree char *beside = g_build_filename(folder, name, NULL);
    if (i != index && file->state == DEBYE_SESSION_FILE_MISSING &&
        g_file_test(beside, G_FILE_TEST_IS_REGULAR))
      debye_session_set_file_path(session, i, beside);
  }
  start_look(self, debye_session_get_path(session), session);
}

static void
ask(DebyeWindowOpening *self, DebyeSession *session)
{
  g_autofree char *name = g_filename_display_basename(debye_session_get_path(session));
  GtkWidget *dialog =
      debye_moved_files_dialog_new(GTK_WINDOW(debye_window_document_get_window(self->document)), name);
  guint n_missing = 0;
  for (guint i = 0; i < debye_session_get_n_files(session); i++) {
    const DebyeSessionFile *file = debye_session_get_file(session, i);
    g_autofree char *difference = debye_session_file_describe(file);
    g_autofree char *file_name = g_filename_display_basename(file->path);
    n_missing += file->state == DEBYE_SESSION_FILE_MISSING;
    if (difference != NULL)
      debye_moved_files_dialog_add(DEBYE_MOVED_FILES_DIALOG(dialog), i, file_name, difference);
  }
  debye_moved_files_dialog_set_possible(DEBYE_MOVED_FILES_DIALOG(dialog),
                                        n_missing < debye_session_get_n_files(session));
  g_object_set_data_full(G_OBJECT(dialog), SESSION_KEY, g_object_ref(session), g_object_unref);
  g_signal_connect_object(dialog, "open", G_CALLBACK(on_open_anyway), self, G_CONNECT_DEFAULT);
  g_signal_connect_object(dialog, "located", G_CALLBACK(on_located), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}

/* --- Looking --- */

static void
on_looked(DebyeJob *job, DebyeWindowOpening *self)
{
  DebyeSession *session = debye_job_get_result(job);
  if (session != NULL && count_differences(session) == 0)
    debye_window_opening_open_checked(self, session);
  else if (session != NULL)
    ask(self, session);
  else if (debye_job_get_state(job) == DEBYE_JOB_FAILED) {
    /* One that is gone is offered no more. */
    if (g_error_matches(debye_job_get_error(job), G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
      debye_preferences_remove_recent(self->preferences, g_object_get_data(G_OBJECT(job), PATH_KEY));
    debye_window_toast_error(debye_window_document_get_window(self->document),
                             debye_job_get_error(job)->message);
  }
}

static void
start_look(DebyeWindowOpening *self, const char *path, DebyeSession *session)
{
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *title = g_strdup_printf(_("Opening %s"), name);
  Looking *looking = g_new0(Looking, 1);
  looking->path = g_strdup(path);
  looking->session = session != NULL ? g_object_ref(session) : NULL;
  g_autoptr(DebyeJob) job = debye_job_new(title, look, looking, looking_free);
  g_object_set_data_full(G_OBJECT(job), PATH_KEY, g_strdup(path), g_free);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_looked), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self->document, job, FALSE);
}

void
debye_window_opening_open_session(DebyeWindowOpening *self, const char *path)
{
  g_return_if_fail(DEBYE_IS_WINDOW_OPENING(self) && path != NULL);
  start_look(self, path, NULL);
}

/* --- Samples --- */

#define GROWN "debye-grown"

static DebyeWindow *
get_window(DebyeWindowOpening *self)
{
  return debye_window_document_get_window(self->document);
}

typedef struct {
  char *path;
  DebyeAggregateRule rule;
} Growth;

static void
growth_free(gpointer data)
{
  Growth *growth = data;
  g_free(growth->path);
  g_free(growth);
}

static gpointer
grow(DebyeJob *job, gpointer data, GError **error)
{
  const Growth *growth = data;
  g_auto(DebyeAggregates) grown = {0};
  debye_job_set_message(job, _("Joining clusters"));
  if (!debye_aggregate_write(&growth->rule, growth->path, debye_job_go_on, job, &grown, error))
    return NULL;
  GFile *file = g_file_new_for_path(growth->path);
  g_object_set_data_full(G_OBJECT(file), GROWN, debye_aggregate_dimension_text(&grown), g_free);
  return file;
}

static void
on_grown(DebyeJob *job, DebyeWindowOpening *self)
{
  GFile *file = debye_job_get_result(job);
  if (file != NULL) {
    g_autofree char *path = g_file_get_path(file);
    g_autofree char *text = g_strdup_printf(_("Mass and radius of the clusters: dimension %s"),
                                            (const char *)g_object_get_data(G_OBJECT(file), GROWN));
    DebyeSample *sample = g_object_get_data(G_OBJECT(job), GROWN);
    debye_window_opening_start(self, (const char *const[]){path, NULL}, sample);
    debye_window_toast_news(get_window(self), text);
  } else if (debye_job_get_state(job) == DEBYE_JOB_FAILED) {
    debye_window_toast_error(get_window(self), debye_job_get_error(job)->message);
  }
}

/* `samples` keeps the sample. */
static void
start_growing(DebyeWindowOpening *self, DebyeSample *sample, GPtrArray *samples)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *name = g_path_get_basename(sample->paths[0]);
  Growth *growth = g_new0(Growth, 1);
  growth->path = g_build_filename(g_get_user_cache_dir(), "debye", "grown", name, NULL);
  if (!debye_aggregate_rule_parse(&growth->rule, sample->grow, &error)) {
    debye_window_toast_error(get_window(self), error->message);
    growth_free(growth);
    return;
  }
  g_autofree char *title = g_strdup_printf(_("Growing %s"), name);
  g_autoptr(DebyeJob) job = debye_job_new(title, grow, growth, growth_free);
  g_object_set_data(G_OBJECT(job), GROWN, sample);
  g_object_set_data_full(G_OBJECT(job), "debye-samples", g_ptr_array_ref(samples),
                         (GDestroyNotify)g_ptr_array_unref);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_grown), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self->document, job, FALSE);
}

void
debye_window_opening_open_sample(DebyeWindowOpening *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_WINDOW_OPENING(self));
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) samples = debye_installation_list_samples(&error);
  for (guint i = 0; samples != NULL && i < samples->len; i++) {
    DebyeSample *sample = g_ptr_array_index(samples, i);
    if (g_strcmp0(sample->name, name) != 0)
      continue;
    if (sample->grow != NULL)
      start_growing(self, sample, samples);
    else
      debye_window_opening_start(self, (const char *const *)sample->paths, sample);
    return;
  }
  g_autofree char *text =
      error != NULL ? g_strdup(error->message) : g_strdup_printf(_("There is no sample “%s”"), name);
  debye_window_toast_error(get_window(self), text);
}

/* --- What opens files, sessions and prepared structures on a thread --- */

static void
opening_free(gpointer data)
{
  DebyeOpening *opening = data;
  g_strfreev(opening->paths);
  g_strfreev(opening->choices);
  g_clear_object(&opening->counted);
  g_clear_object(&opening->order.request);
  g_clear_pointer(&opening->order.states, g_ptr_array_unref);
  g_clear_object(&opening->order.titrated);
  g_clear_pointer(&opening->devices, debye_devices_unref);
  g_clear_object(&opening->preparation);
  g_clear_object(&opening->existing);
  g_clear_object(&opening->session);
  g_clear_pointer(&opening->scene, g_variant_unref);
  g_clear_pointer(&opening->maps, g_ptr_array_unref);
  g_free(opening);
}

gboolean
debye_opening_is_of_preparation(const DebyeOpening *opening)
{
  return opening->order.request != NULL || opening->preparation != NULL || opening->is_unprepared;
}

static DebyeDocument *
prepare(DebyeJob *job, const DebyeOpening *opening, GError **error)
{
  if (opening->is_unprepared)
    return debye_document_without_preparation(opening->existing, error);
  g_autoptr(DebyePreparation) made =
      opening->preparation != NULL ? g_object_ref(opening->preparation)
                                   : debye_prepare_run(job, debye_document_get_origin(opening->existing),
                                                       &opening->order, opening->devices, error);
  return made != NULL ? debye_document_with_preparation(opening->existing, made, error) : NULL;
}

static DebyeDocument *
open_opening(DebyeJob *job, const DebyeOpening *opening, GError **error)
{
  if (opening->choices != NULL)
    return debye_document_with_elements(opening->existing, (const char *const *)opening->choices, error);
  if (opening->counted != NULL)
    return debye_document_with_counted(opening->existing, opening->counted, error);
  if (debye_opening_is_of_preparation(opening))
    return prepare(job, opening, error);
  debye_job_set_message(job, _("Reading"));
  if (opening->session != NULL)
    return debye_document_open_session(opening->session, debye_job_go_on, job, error);
  return debye_document_open((const char *const *)opening->paths, opening->existing, debye_job_go_on, job,
                             error);
}

/* Frames, elements or choices of what counts that join a molecule leave its picture as a person has set it. */
static gpointer
open_document(DebyeJob *job, gpointer data, GError **error)
{
  DebyeOpening *opening = data;
  DebyeDocument *document = open_opening(job, opening, error);
  GPtrArray *layers = document != NULL ? debye_document_get_layers(document) : NULL;
  g_autoptr(GPtrArray) own = layers != NULL ? g_ptr_array_ref(layers) : NULL;
  if (document != NULL && opening->scene != NULL && debye_document_is_continuation(document) &&
      !debye_document_adds_only_maps(document))
    debye_document_restore_scene(document, opening->scene, opening->frame, opening->maps);
  if (own != NULL && debye_opening_is_of_preparation(opening))
    debye_document_fit_layers(document, opening->existing, own);
  return document;
}

DebyeJob *
debye_opening_job_new(const char *title, DebyeOpening *opening)
{
  return debye_job_new(title, open_document, opening, opening_free);
}
