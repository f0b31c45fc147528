/* SPDX-License-Identifier: MIT */
/* Implementation of window_fit.h; called by the window's actions. */
#include "window_fit.h"

#include <glib/gi18n.h>

#include "app/analysis/fit/fit_run.h"
#include "app/analysis/fit/fit_settings.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/widgets/file_question.h"

static gpointer
fit(DebyeJob *job, gpointer data, GError **error)
{
  debye_job_set_message(job, _("Computing"));
  return debye_fit_run(data, NULL, error);
}

static void
on_fitted(DebyeJob *job, DebyeWindowDocument *self)
{
  DebyeResult *result = debye_job_get_result(job);
  if (result != NULL)
    debye_window_document_add_result(self, result);
  else if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(debye_window_document_get_window(self), debye_job_get_error(job)->message);
}

static void
on_chosen(DebyeSettingsDialog *dialog, DebyeWindowDocument *self)
{
  DebyeRequest *request = debye_settings_dialog_get_request(dialog);
  g_autoptr(DebyeJob) job =
      debye_job_new(_("Small-angle fits"), fit, debye_request_copy(request), g_object_unref);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_fitted), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self, job, FALSE);
}

static void
ask(DebyeWindowDocument *self, DebyeRequest *request)
{
  static const char *const left_out[] = {"curve-unit", NULL};
  GtkWidget *dialog =
      debye_settings_dialog_new(GTK_WINDOW(debye_window_document_get_window(self)), request, left_out,
                                _("“auto” finds a range; an empty row leaves its fit out"), _("Fit"));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_chosen), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}

void
debye_window_fit_open(DebyeWindowDocument *self, const char *path)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_fit_table);
  debye_request_set(request, "data", path, NULL);
  debye_request_set(request, "guinier", DEBYE_FIT_FOUND, NULL);
  debye_request_set(request, "kratky", "true", NULL);
  debye_request_set(request, "pr", DEBYE_FIT_FOUND, NULL);
  ask(self, request);
}

static void
on_file_chosen(GtkFileChooser *chooser, gpointer data)
{
  g_autofree char *path = debye_file_question_get_path(chooser);
  if (path != NULL)
    debye_window_fit_open(data, path);
}

/* Of the newest result that is one of a fit; NULL: there is none. */
static DebyeRequest *
find_last_request(DebyeWindowDocument *self)
{
  for (guint i = 0; i < g_list_model_get_n_items(debye_window_document_get_results(self)); i++) {
    g_autoptr(DebyeResult) result = debye_window_document_get_result(self, i);
    DebyeRequest *request = debye_result_get_request(result);
    if (debye_request_get_table(request) == &debye_fit_table)
      return debye_request_copy(request);
  }
  return NULL;
}

void
debye_window_fit_ask(DebyeWindowDocument *self)
{
  g_autoptr(DebyeRequest) last = find_last_request(self);
  if (last != NULL) {
    ask(self, last);
    return;
  }
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
      _("Fit a small-angle curve"), GTK_WINDOW(debye_window_document_get_window(self)),
      GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  debye_file_question_ask(chooser, on_file_chosen, self, NULL);
}
