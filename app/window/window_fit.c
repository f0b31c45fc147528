/* SPDX-License-Identifier: MIT */
/* Implementation of window_fit.h; called by the window's actions. */
#include "window_fit.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>

#include "app/analysis/fit/fit_run.h"
#include "app/analysis/fit/fit_settings.h"
#include "data/files/error.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/plot/plot_panel.h"
#include "ui/widgets/file_question.h"

/* Fits a file that the request names, or the curve of a result. */
typedef struct {
  DebyeRequest *request;
  DebyeResult *curve; /* or NULL */
} Fitting;

static void
fitting_free(gpointer data)
{
  Fitting *fitting = data;
  g_object_unref(fitting->request);
  g_clear_object(&fitting->curve);
  g_free(fitting);
}

static void
remove_curve(gpointer path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_unlink(path);
  g_rmdir(folder);
  g_free(path);
}

/* Fits read files: this one has a folder of its own, for other windows fit meanwhile, and
 * the fit names its curve by the file. NULL with an error. */
static char *
save_curve(DebyeResult *curve, GError **error)
{
  g_autofree char *parent = g_build_filename(g_get_user_cache_dir(), "debye", "fitted", NULL);
  g_autofree char *folder = g_build_filename(parent, "XXXXXX", NULL);
  if (g_mkdir_with_parents(parent, 0777) != 0 || g_mkdtemp(folder) == NULL) {
    debye_error_set(error, DEBYE_ERROR_WRITE, "%s: the folder can't be made", parent);
    return NULL;
  }
  char *path = g_build_filename(folder, "curve.h5", NULL);
  if (debye_result_save(curve, path, NULL, error))
    return path;
  remove_curve(path);
  return NULL;
}

/* The file stays as long as the result, which names it as its input. */
static gpointer
fit(DebyeJob *job, gpointer data, GError **error)
{
  const Fitting *fitting = data;
  debye_job_set_message(job, _("Computing"));
  if (fitting->curve == NULL)
    return debye_fit_run(fitting->request, NULL, error);
  char *path = save_curve(fitting->curve, error);
  if (path == NULL)
    return NULL;
  DebyeResult *result = debye_fit_run(fitting->request, path, error);
  if (result != NULL)
    g_object_set_data_full(G_OBJECT(result), "debye-fitted-curve", path, remove_curve);
  else
    remove_curve(path);
  return result;
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

/* Takes `curve`. */
static void
start_fit(DebyeWindowDocument *self, DebyeRequest *request, DebyeResult *curve)
{
  Fitting *fitting = g_new0(Fitting, 1);
  fitting->request = debye_request_copy(request);
  fitting->curve = curve;
  g_autoptr(DebyeJob) job = debye_job_new(_("Small-angle fits"), fit, fitting, fitting_free);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_fitted), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self, job, FALSE);
}

static void
on_chosen(DebyeSettingsDialog *dialog, DebyeWindowDocument *self)
{
  start_fit(self, debye_settings_dialog_get_request(dialog), NULL);
}

void
debye_window_fit_power_law(DebyeWindowDocument *self, const char *range)
{
  g_autoptr(DebyeRequest) request = debye_request_new(&debye_fit_table);
  DebyeResult *newest = debye_window_document_get_result(self, 0);
  if (newest == NULL)
    return;
  debye_request_set(request, "power-law", range, NULL);
  start_fit(self, request, newest);
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

/* --- A range that is moved --- */

/* Of the fit whose range is tinted, the first of those that are shown: a newer fit may be of another curve, or by another
 * law. */
static DebyeRequest *
find_shown_request(DebyePlotView *view)
{
  GtkWidget *panel = gtk_widget_get_ancestor(GTK_WIDGET(view), DEBYE_TYPE_PLOT_PANEL);
  g_autoptr(GPtrArray) results = debye_plot_panel_list_results(DEBYE_PLOT_PANEL(panel));
  for (guint i = 0; i < results->len; i++) {
    DebyeRequest *request = debye_result_get_request(results->pdata[i]);
    const char *range = debye_request_find_set(request, "guinier");
    if (debye_request_get_table(request) == &debye_fit_table && range != NULL && *range != '\0')
      return debye_request_copy(request);
  }
  return NULL;
}

/* From q². */
static void
on_range_moved(DebyeWindowDocument *self, double from, double to, DebyePlotView *view)
{
  g_autoptr(DebyeRequest) request = find_shown_request(view);
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
  if (request == NULL)
    return;
  g_ascii_formatd(low, sizeof low, "%.4g", sqrt(fmax(from, 0.0)));
  g_ascii_formatd(high, sizeof high, "%.4g", sqrt(fmax(to, 0.0)));
  g_autofree char *range = g_strdup_printf("%s:%s", low, high);
  g_autoptr(GError) error = NULL;
  if (debye_request_set(request, "guinier", range, &error))
    start_fit(self, request, NULL);
  else
    debye_window_toast_error(debye_window_document_get_window(self), error->message);
}

void
debye_window_fit_follow(DebyeWindowDocument *self, DebyePlotView *view)
{
  g_signal_connect_object(view, "range-moved", G_CALLBACK(on_range_moved), self, G_CONNECT_SWAPPED);
}
