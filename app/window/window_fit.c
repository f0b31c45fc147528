/* SPDX-License-Identifier: MIT */
/* Implementation of window_fit.h; called by the window's actions. */
#include "window_fit.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/analysis/fit/fit_run.h"
#include "app/analysis/fit/fit_settings.h"
#include "data/files/error.h"
#include "data/results/fit_range.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/plot/plot_panel.h"
#include "ui/widgets/file_question.h"

#define FILE_KEY "debye-fitted-curve"
#define MOVES_KEY "debye-moved-fits"
#define MOVED_KEY "debye-was-moved" /* of a result that a moved range has made */
#define MAX_MOVES 100               /* that can be undone */

/* Fits a file that the request names, the curve of a result, or what an earlier fit has read. */
typedef struct {
  DebyeRequest *request;
  DebyeResult *curve;   /* or NULL */
  DebyeResult *earlier; /* or NULL */
} Fitting;

static void
fitting_free(gpointer data)
{
  Fitting *fitting = data;
  g_object_unref(fitting->request);
  g_clear_object(&fitting->curve);
  g_clear_object(&fitting->earlier);
  g_free(fitting);
}

/* --- Files of curves that have none: a path in a counted box, as fits of the same curve share it --- */

static void
remove_file(gpointer path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_unlink(path);
  g_rmdir(folder);
}

static void
release_file(gpointer path)
{
  g_atomic_rc_box_release_full(path, remove_file);
}

static gpointer
acquire_file(gpointer path, gpointer data G_GNUC_UNUSED)
{
  return path != NULL ? g_atomic_rc_box_acquire(path) : NULL;
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
  g_autofree char *path = g_build_filename(folder, "curve.h5", NULL);
  char *file = g_atomic_rc_box_dup(strlen(path) + 1, path);
  if (debye_result_save(curve, path, NULL, error))
    return file;
  release_file(file);
  return NULL;
}

/* The curve that an earlier fit was of, from what it shows: a session outlives the file. NULL: it has none. */
static DebyeResult *
rebuild_curve(DebyeResult *earlier)
{
  GListModel *curves = debye_result_get_curves(earlier);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (g_strcmp0(debye_curve_get_y_quantity(curve)->name, "intensity") != 0)
      continue;
    DebyeResult *result = debye_result_new(debye_result_get_request(earlier), debye_fit_table.title);
    debye_result_add_curve(result, curve);
    return result;
  }
  return NULL;
}

/* The curve of a result is in Å⁻¹, whatever its file was in. */
static void
forget_units(DebyeRequest *request)
{
  static const char *const of_file[] = {"data-unit", "curve-unit", "data-columns"};
  for (gsize i = 0; i < G_N_ELEMENTS(of_file); i++)
    if (debye_request_find_set(request, of_file[i]) != NULL)
      debye_request_set(request, of_file[i], NULL, NULL);
}

/* To be released; NULL without an error where what is fitted has a file already: *path, or NULL. */
static char *
make_file(const Fitting *fitting, const char **path, GError **error)
{
  *path = NULL;
  if (fitting->curve != NULL)
    return save_curve(fitting->curve, error);
  if (fitting->earlier == NULL)
    return NULL;
  char *file = g_object_dup_data(G_OBJECT(fitting->earlier), FILE_KEY, acquire_file, NULL);
  const char *const *inputs = debye_result_get_inputs(fitting->earlier);
  *path = inputs != NULL ? inputs[0] : NULL;
  if (file != NULL || *path == NULL || g_file_test(*path, G_FILE_TEST_EXISTS))
    return file;
  g_autoptr(DebyeResult) curve = rebuild_curve(fitting->earlier);
  forget_units(fitting->request);
  return curve != NULL ? save_curve(curve, error) : NULL;
}

/* --- The job --- */

/* A file made for it stays as long as the result, which names it as its input. */
static gpointer
fit(DebyeJob *job, gpointer data, GError **error)
{
  const Fitting *fitting = data;
  const char *path;
  g_autoptr(GError) problem = NULL;
  debye_job_set_message(job, _("Computing"));
  char *file = make_file(fitting, &path, &problem);
  if (problem != NULL) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
  }
  DebyeResult *result = debye_fit_run(fitting->request, file != NULL ? file : path, error);
  if (result != NULL && file != NULL)
    g_object_set_data_full(G_OBJECT(result), FILE_KEY, file, release_file);
  else if (file != NULL)
    release_file(file);
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

static DebyeJob *
create_job(DebyeRequest *request, DebyeResult *curve, DebyeResult *earlier)
{
  Fitting *fitting = g_new0(Fitting, 1);
  fitting->request = debye_request_copy(request);
  fitting->curve = curve != NULL ? g_object_ref(curve) : NULL;
  fitting->earlier = earlier != NULL ? g_object_ref(earlier) : NULL;
  return debye_job_new(_("Small-angle fits"), fit, fitting, fitting_free);
}

static void
start_fit(DebyeWindowDocument *self, DebyeRequest *request, DebyeResult *curve)
{
  g_autoptr(DebyeJob) job = create_job(request, curve, NULL);
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
  g_autoptr(DebyeResult) newest = debye_window_document_get_result(self, 0);
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

/* `before` was shown, its range was moved, and `after` was fitted. */
typedef struct {
  DebyeResult *before, *after;
} Move;

typedef struct {
  DebyePlotView *view;
  GPtrArray *moves, *undone; /* of Move, the next to be taken last */
  DebyeJob *job;             /* the newest fit while it is at work; or NULL */
  DebyeRequest *request;     /* what that one fits … */
  DebyeResult *before;       /* … anew */
} Moves;

static void
move_free(gpointer data)
{
  Move *move = data;
  g_object_unref(move->before);
  g_object_unref(move->after);
  g_free(move);
}

static void
forget_job(Moves *moves)
{
  g_clear_object(&moves->job);
  g_clear_object(&moves->request);
  g_clear_object(&moves->before);
}

static void
moves_free(gpointer data)
{
  Moves *moves = data;
  forget_job(moves);
  g_ptr_array_unref(moves->moves);
  g_ptr_array_unref(moves->undone);
  g_free(moves);
}

static Moves *
get_moves(DebyeWindowDocument *self)
{
  return g_object_get_data(G_OBJECT(self), MOVES_KEY);
}

static gboolean
find_result(DebyeWindowDocument *self, DebyeResult *result, guint *position)
{
  return g_list_store_find(G_LIST_STORE(debye_window_document_get_results(self)), result, position);
}

/* `wanted` is shown in the place of `shown`. What a moved range has made leaves the list with that, and what was asked for
 * otherwise stays there. */
static void
exchange(DebyeWindowDocument *self, DebyeResult *shown, DebyeResult *wanted)
{
  guint position;
  if (find_result(self, wanted, &position))
    debye_window_document_remove_results(self, position, 1);
  debye_window_document_add_result(self, wanted);
  if (g_object_get_data(G_OBJECT(shown), MOVED_KEY) != NULL && find_result(self, shown, &position))
    debye_window_document_remove_results(self, position, 1);
}

static void
add_move(DebyeWindowDocument *self, DebyeResult *before, DebyeResult *after)
{
  Moves *moves = get_moves(self);
  Move *move = g_new0(Move, 1);
  move->before = g_object_ref(before);
  move->after = g_object_ref(after);
  g_object_set_data(G_OBJECT(after), MOVED_KEY, moves);
  g_ptr_array_set_size(moves->undone, 0);
  if (moves->moves->len == MAX_MOVES)
    g_ptr_array_remove_index(moves->moves, 0);
  g_ptr_array_add(moves->moves, move);
  exchange(self, before, after);
}

/* Only the newest counts: one that was moved again meanwhile is not shown any more. */
static void
on_moved_fitted(DebyeJob *job, DebyeWindowDocument *self)
{
  Moves *moves = get_moves(self);
  if (job != moves->job)
    return;
  g_autoptr(DebyeResult) before = g_object_ref(moves->before);
  const DebyeJobState state = debye_job_get_state(job);
  DebyeResult *result = debye_job_get_result(job);
  g_autofree char *problem = state == DEBYE_JOB_FAILED ? g_strdup(debye_job_get_error(job)->message) : NULL;
  forget_job(moves);
  if (state == DEBYE_JOB_DONE && result != NULL) {
    add_move(self, before, result);
    return;
  }
  debye_plot_reset_range(debye_plot_view_get_plot(moves->view));
  if (problem != NULL)
    debye_window_toast_error(debye_window_document_get_window(self), problem);
}

/* Of the results shown, newest first, the one with the range that the plot was given; a newer one may be of another curve, or
 * by another law. */
static DebyeResult *
find_fitted(DebyePlotView *view, const DebyeFitRangeKind *kind)
{
  double from, to, own_from, own_to;
  GtkWidget *panel = gtk_widget_get_ancestor(GTK_WIDGET(view), DEBYE_TYPE_PLOT_PANEL);
  g_autoptr(GPtrArray) results = debye_plot_panel_list_results(DEBYE_PLOT_PANEL(panel));
  if (!debye_plot_get_set_range(debye_plot_view_get_plot(view), &from, &to))
    return NULL;
  for (guint i = 0; i < results->len; i++) {
    DebyeResult *result = results->pdata[i];
    if (debye_request_get_table(debye_result_get_request(result)) == &debye_fit_table &&
        debye_fit_range_get(kind, result, &own_from, &own_to) && own_from == from && own_to == to)
      return g_object_ref(result);
  }
  return NULL;
}

/* With what was moved a moment ago and is not fitted yet. */
static DebyeRequest *
copy_request(const Moves *moves, DebyeResult *before)
{
  return debye_request_copy(moves->before == before ? moves->request : debye_result_get_request(before));
}

static void
start_moved(DebyeWindowDocument *self, DebyeRequest *request, DebyeResult *before)
{
  Moves *moves = get_moves(self);
  g_autoptr(DebyeJob) job = create_job(request, NULL, before);
  g_autoptr(DebyeJob) replaced = g_steal_pointer(&moves->job);
  forget_job(moves);
  moves->job = g_object_ref(job);
  moves->request = g_object_ref(request);
  moves->before = g_object_ref(before);
  if (replaced != NULL)
    debye_job_stop(replaced);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_moved_fitted), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self, job, FALSE);
}

static void
on_range_moved(DebyeWindowDocument *self, double from, double to, DebyePlotView *view)
{
  GtkWidget *panel = gtk_widget_get_ancestor(GTK_WIDGET(view), DEBYE_TYPE_PLOT_PANEL);
  const DebyeQuantity *shown = debye_plot_panel_get_quantity(DEBYE_PLOT_PANEL(panel));
  const DebyeFitRangeKind *kind = debye_fit_range_find_kind(shown != NULL ? shown->name : NULL);
  g_autoptr(DebyeResult) before = kind != NULL ? find_fitted(view, kind) : NULL;
  g_autoptr(GError) error = NULL;
  if (before == NULL) {
    debye_plot_reset_range(debye_plot_view_get_plot(view));
    return;
  }
  g_autoptr(DebyeRequest) request = copy_request(get_moves(self), before);
  g_autofree char *range = debye_fit_range_format(kind, before, from, to);
  if (debye_request_set(request, kind->setting, range, &error)) {
    start_moved(self, request, before);
  } else {
    debye_plot_reset_range(debye_plot_view_get_plot(view));
    debye_window_toast_error(debye_window_document_get_window(self), error->message);
  }
}

/* --- Undo --- */

/* The last move one way or the other whose result is still in the list. */
static gboolean
take_move(DebyeWindowDocument *self, GPtrArray *from, GPtrArray *to, gboolean back)
{
  guint position;
  while (from->len > 0) {
    Move *move = g_ptr_array_steal_index(from, from->len - 1);
    DebyeResult *shown = back ? move->after : move->before;
    if (!find_result(self, shown, &position)) {
      move_free(move);
      continue;
    }
    g_ptr_array_add(to, move);
    exchange(self, shown, back ? move->before : move->after);
    return GDK_EVENT_STOP;
  }
  return GDK_EVENT_PROPAGATE;
}

static gboolean
undo(GtkWidget *view G_GNUC_UNUSED, GVariant *arguments G_GNUC_UNUSED, gpointer document)
{
  Moves *moves = get_moves(document);
  return take_move(document, moves->moves, moves->undone, TRUE);
}

static gboolean
redo(GtkWidget *view G_GNUC_UNUSED, GVariant *arguments G_GNUC_UNUSED, gpointer document)
{
  Moves *moves = get_moves(document);
  return take_move(document, moves->undone, moves->moves, FALSE);
}

static void
add_key(GtkShortcutController *keys, GdkModifierType modifiers, GtkShortcutFunc function,
        DebyeWindowDocument *self)
{
  gtk_shortcut_controller_add_shortcut(keys, gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_z, modifiers),
                                                              gtk_callback_action_new(function, self, NULL)));
}

void
debye_window_fit_follow(DebyeWindowDocument *self, DebyePlotView *view)
{
  Moves *moves = g_new0(Moves, 1);
  GtkEventController *keys = gtk_shortcut_controller_new();
  moves->view = view;
  moves->moves = g_ptr_array_new_with_free_func(move_free);
  moves->undone = g_ptr_array_new_with_free_func(move_free);
  g_object_set_data_full(G_OBJECT(self), MOVES_KEY, moves, moves_free);
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  add_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_CONTROL_MASK, undo, self);
  add_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_CONTROL_MASK | GDK_SHIFT_MASK, redo, self);
  gtk_widget_add_controller(GTK_WIDGET(view), keys);
  g_signal_connect_object(view, "range-moved", G_CALLBACK(on_range_moved), self, G_CONNECT_SWAPPED);
}
