/* SPDX-License-Identifier: MIT */
/* The plot of one window: measured curves, exports and pairs at a distance; added by window_controller.c. */
#include "window_plots.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/files/replace_file.h"
#include "render/plot/plot_cairo.h"
#include "app/document/result_command.h"
#include "app/measured/measured_curves.h"
#include "ui/plot/plot_content.h"
#include "ui/widgets/dragged_file.h"
#include "ui/widgets/file_question.h"
#include "ui/widgets/result_labels.h"
#include "window_exports.h"
#include "window_fit.h"
#include "window_residue.h"
#include "window_shell.h"

#define KEY "debye-window-plots"

/* Kept with the document. */
typedef struct {
  DebyeWindowShell *shell; /* the pairs shown in 3-D; NULL: none */
  DebyeMeasuredCurves *measured;
} Plots;

static void
plots_free(gpointer data)
{
  Plots *plots = data;
  g_clear_object(&plots->shell);
  g_clear_object(&plots->measured);
  g_free(plots);
}

static Plots *
get_plots(DebyeWindowDocument *self)
{
  return g_object_get_data(G_OBJECT(self), KEY);
}

static DebyePlotPanel *
get_panel(DebyeWindowDocument *self)
{
  return debye_window_get_plot_panel(debye_window_document_get_window(self));
}

/* --- Pairs in 3-D --- */

void
debye_window_plots_forget(DebyeWindowDocument *self)
{
  Plots *plots = get_plots(self);
  if (plots->shell != NULL)
    debye_window_shell_close(plots->shell);
  g_clear_object(&plots->shell);
  debye_plot_panel_set_shell(get_panel(self), NULL, 0.0, 0.0);
}

static void
on_shell_found(DebyeWindowDocument *self, const char *text)
{
  DebyeWindowShell *shell = get_plots(self)->shell;
  double from, to;
  if (shell == NULL)
    return;
  debye_window_shell_get_range(shell, &from, &to);
  debye_plot_panel_set_shell(get_panel(self), text, from, to);
}

static void
on_shell_failed(DebyeWindowDocument *self, const char *reason)
{
  debye_window_toast_error(debye_window_document_get_window(self), reason);
  debye_window_plots_forget(self);
}

/* Another frame is shown. */
static void
follow(DebyeWindowDocument *self)
{
  DebyeFrame *frame = debye_window_document_get_frame(self);
  DebyeWindowShell *shell = get_plots(self)->shell;
  if (shell != NULL && frame != NULL)
    debye_window_shell_set_frame(shell, frame);
}

static void
on_shell_activated(DebyeWindowDocument *self, DebyeResult *result, const char *pair, double from, double to)
{
  DebyeDataset *dataset = debye_window_document_get_dataset(self);
  debye_window_plots_forget(self);
  if (result == NULL)
    return;
  if (dataset == NULL || debye_window_document_get_frame(self) == NULL) {
    debye_window_toast(debye_window_document_get_window(self),
                       _("To show pairs, open the molecule's files first"));
    return;
  }
  DebyeScene *scene = debye_window_scene_get_scene(debye_window_document_get_scene(self));
  DebyeWindowShell *shell =
      debye_window_shell_new(dataset, scene, debye_result_get_request(result), pair, from, to);
  get_plots(self)->shell = shell;
  g_signal_connect_object(shell, "found", G_CALLBACK(on_shell_found), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(shell, "failed", G_CALLBACK(on_shell_failed), self, G_CONNECT_SWAPPED);
  follow(self);
}

/* --- Measured curves --- */

static void
on_measured_loaded(DebyeJob *job, DebyeWindowDocument *self)
{
  DebyeCurve *curve = debye_job_get_result(job);
  if (curve != NULL) {
    const char *const *warnings = debye_curve_get_warnings(curve);
    if (warnings[0] != NULL)
      debye_window_toast_remarks(debye_window_document_get_window(self), warnings[0]);
  } else if (debye_job_get_state(job) == DEBYE_JOB_FAILED) {
    debye_window_toast_error(debye_window_document_get_window(self), debye_job_get_error(job)->message);
  }
}

static void
add_reading(DebyeWindowDocument *self, DebyeJob *job)
{
  g_signal_connect_object(job, "finished", G_CALLBACK(on_measured_loaded), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self, job, FALSE);
}

void
debye_window_plots_open_measured(DebyeWindowDocument *self, const char *path)
{
  g_autoptr(DebyeJob) job = debye_measured_curves_read(get_plots(self)->measured, path);
  add_reading(self, job);
}

void
debye_window_plots_save_measured(DebyeWindowDocument *self, GVariantDict *values, const char *folder)
{
  debye_measured_curves_save(get_plots(self)->measured, values, folder);
}

void
debye_window_plots_restore_measured(DebyeWindowDocument *self, GVariant *values, const char *folder)
{
  g_autoptr(GPtrArray) jobs = debye_measured_curves_restore(get_plots(self)->measured, values, folder);
  for (guint i = 0; i < jobs->len; i++)
    add_reading(self, jobs->pdata[i]);
}

static void
on_measured_chosen(GtkFileChooser *chooser, gpointer data)
{
  g_autofree char *path = debye_file_question_get_path(chooser);
  if (path != NULL)
    debye_window_plots_open_measured(data, path);
}

void
debye_window_plots_add_measured(DebyeWindowDocument *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
      _("Add a measured curve: rows of x, y, error"), GTK_WINDOW(debye_window_document_get_window(self)),
      GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  debye_file_question_ask(chooser, on_measured_chosen, self, NULL);
}

/* --- Styles, read and written on a thread --- */

static gpointer
load_style(DebyeJob *job, gpointer data, GError **error)
{
  debye_job_set_message(job, _("Reading"));
  return debye_style_load(data, error);
}

static void
on_style_loaded(DebyeJob *job, DebyeWindowDocument *self)
{
  DebyeRequest *style = debye_job_get_result(job);
  if (style != NULL)
    debye_result_look_use(debye_plot_panel_get_look(get_panel(self)), style);
  else if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(debye_window_document_get_window(self), debye_job_get_error(job)->message);
}

void
debye_window_plots_use_style(DebyeWindowDocument *self, const char *path)
{
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *title = g_strdup_printf(_("Reading %s"), name);
  g_autoptr(DebyeJob) job = debye_job_new(title, load_style, g_strdup(path), g_free);
  g_signal_connect_object(job, "finished", G_CALLBACK(on_style_loaded), self, G_CONNECT_DEFAULT);
  debye_window_document_add_job(self, job, FALSE);
}

typedef struct {
  DebyeRequest *style;
  char *path;
} Style;

static void
style_free(gpointer data)
{
  Style *style = data;
  g_object_unref(style->style);
  g_free(style->path);
  g_free(style);
}

static gpointer
write_style(DebyeJob *job, gpointer data, GError **error)
{
  const Style *style = data;
  debye_job_set_message(job, _("Writing"));
  debye_style_save(style->style, style->path, error);
  return NULL;
}

void
debye_window_plots_save_style(DebyeWindowDocument *self, const char *path)
{
  Style *style = g_new(Style, 1);
  *style =
      (Style){debye_result_look_create_style(debye_plot_panel_get_look(get_panel(self))), g_strdup(path)};
  g_autoptr(DebyeJob) job = debye_window_exports_job_new(path, write_style, style, style_free);
  debye_window_exports_add(self, job);
}

static void
on_style_chosen(GtkFileChooser *chooser, gpointer data)
{
  g_autofree char *path = debye_file_question_get_path(chooser);
  if (path != NULL)
    debye_window_plots_use_style(data, path);
}

static void
ask_for_style(DebyeWindowDocument *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
      _("Use the style of a plot"), GTK_WINDOW(debye_window_document_get_window(self)),
      GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  debye_file_question_ask(chooser, on_style_chosen, self, NULL);
}

static void
on_style_path(const char *path, gpointer data)
{
  debye_window_plots_save_style(data, path);
}

static void
ask_where_style_goes(DebyeWindowDocument *self)
{
  static const char *const suffixes[] = {"ini", N_("Style of a plot"), NULL};
  debye_window_exports_choose_path(debye_window_document_get_window(self), _("Save the style of the plot"),
                                   "plot-style.ini", suffixes, on_style_path, self, NULL);
}

/* --- Exports --- */

/* The plot as it was seen when it was asked for; the one on the screen goes on. */
typedef struct {
  DebyePlot *plot;
  DebyeTable *table; /* whose numbers a table has; NULL: the plot's */
  DebyePlotPage page;
  GPtrArray *results;         /* whose numbers are written; NULL: those of the curves, or a picture */
  DebyePictureOrigin *origin; /* of the one result that a picture shows; or NULL */
  char **inputs;
  char *path;
} Writing;

static void
writing_free(gpointer data)
{
  Writing *writing = data;
  g_object_unref(writing->plot);
  g_clear_object(&writing->table);
  g_clear_pointer(&writing->results, g_ptr_array_unref);
  debye_picture_origin_free(writing->origin);
  g_strfreev(writing->inputs);
  g_free(writing->path);
  g_free(writing);
}

/* How each of several was made, under the name that its curves have. */
static char **
describe_several(const Writing *writing)
{
  GStrvBuilder *lines = g_strv_builder_new();
  g_auto(GStrv) labels = debye_result_labels(writing->results);
  for (guint i = 0; i < writing->results->len; i++) {
    DebyeResult *result = writing->results->pdata[i];
    g_autofree char *command = debye_result_command(result, NULL);
    g_autofree char *name = g_strdup_printf("result: %s", labels[i]);
    g_auto(GStrv) story =
        debye_request_describe(debye_result_get_request(result), command, debye_result_is_partial(result));
    g_strv_builder_add(lines, name);
    g_strv_builder_addv(lines, (const char **)story);
  }
  char **header = g_strv_builder_end(lines);
  g_strv_builder_unref(lines);
  return header;
}

static void
write_several(const Writing *writing, DebyeTable *table, GError **error)
{
  g_auto(GStrv) header = writing->results != NULL ? describe_several(writing) : NULL;
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(writing->path, error);
  if (file != NULL && debye_table_save_csv(table, (const char *const *)header, ',',
                                           debye_replace_file_get_stream(file), error))
    debye_replace_file_commit(g_steal_pointer(&file), error);
}

static void
write_numbers(const Writing *writing, GError **error)
{
  g_autoptr(DebyeTable) table =
      writing->table != NULL ? g_object_ref(writing->table) : debye_plot_create_table(writing->plot);
  if (writing->results == NULL || writing->results->len > 1) {
    write_several(writing, table, error);
    return;
  }
  DebyeResult *result = writing->results->pdata[0];
  g_autofree char *command = debye_result_command(result, writing->path);
  debye_result_save_table(result, table, writing->path, command, error);
}

static gboolean
write_picture(gpointer data, const char *path, GError **error)
{
  Writing *writing = data;
  if (writing->origin != NULL)
    debye_window_exports_find_inputs(writing->origin, (const char *const *)writing->inputs);
  writing->page.origin = writing->origin;
  return debye_plot_save(writing->plot, &writing->page, path, error);
}

static gpointer
write_plot(DebyeJob *job, gpointer data, GError **error)
{
  Writing *writing = data;
  debye_job_set_message(job, _("Writing"));
  if (debye_plot_can_save(writing->path))
    write_picture(writing, writing->path, error);
  else
    write_numbers(writing, error);
  return NULL;
}

static Writing *
writing_new(DebyePlotView *view, GPtrArray *results, DebyeResult *shown, DebyeTable *table, const char *path)
{
  Writing *writing = g_new0(Writing, 1);
  writing->plot = debye_plot_copy(debye_plot_view_get_plot(view));
  writing->results = results != NULL ? g_ptr_array_ref(results) : NULL;
  writing->table = table != NULL ? g_object_ref(table) : NULL;
  writing->path = g_strdup(path);
  debye_plot_view_get_page(view, &writing->page);
  if (shown != NULL) {
    g_autofree char *command = debye_result_command_of_names(shown);
    writing->origin = debye_picture_origin_new(NULL, command);
    writing->inputs = g_strdupv((char **)debye_result_get_inputs(shown));
  }
  return writing;
}

static void
save_plot(DebyeWindowDocument *self, DebyePlotView *view, GPtrArray *results, DebyeResult *shown,
          DebyeTable *table, const char *path)
{
  Writing *writing = writing_new(view, results, shown, table, path);
  g_autoptr(DebyeJob) job = debye_window_exports_job_new(path, write_plot, writing, writing_free);
  debye_window_exports_add(self, job);
}

void
debye_window_plots_save(DebyeWindowDocument *self, DebyePlotView *view, const char *path)
{
  save_plot(self, view, NULL, NULL, NULL, path);
}

/* A table of what was found: all but that of weights. */
static DebyeTable *
find_table(DebyeResult *result)
{
  GListModel *tables = debye_result_get_tables(result);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (strcmp(debye_table_get_name(table), DEBYE_TABLE_OF_WEIGHTS) != 0)
      return g_steal_pointer(&table);
  }
  return NULL;
}

/* Results that are shown and have something of the quantity: others have no curves in the plot. */
static GPtrArray *
list_shown(DebyeWindowDocument *self, const DebyeQuantity *quantity)
{
  GPtrArray *results = debye_plot_panel_list_results(get_panel(self));
  for (guint i = results->len; quantity != NULL && i-- > 0;)
    if (!debye_result_plot_has_curves(results->pdata[i], quantity->name))
      g_ptr_array_remove_index(results, i);
  return results;
}

/* Columns are named after quantities, "A-B.g" where there are several pairs. TRUE without a table: then the
 * curves are the result's numbers. */
static gboolean
has_column(DebyeResult *result, const char *quantity)
{
  g_autoptr(DebyeTable) table = find_table(result);
  g_autofree char *ending = g_strconcat(".", quantity, NULL);
  for (gsize i = 0; table != NULL && i < debye_table_get_n_columns(table); i++) {
    const char *name = debye_table_get_quantity(table, i)->name;
    if (strcmp(name, quantity) == 0 || g_str_has_suffix(name, ending))
      return TRUE;
  }
  return table == NULL;
}

void
debye_window_plots_save_shown(DebyeWindowDocument *self, const char *path)
{
  DebyeResult *result = debye_plot_panel_get_result(get_panel(self));
  const DebyeQuantity *quantity = debye_plot_panel_get_quantity(get_panel(self));
  g_autofree char *lower = g_ascii_strdown(path, -1);
  g_autoptr(GPtrArray) shown = list_shown(self, quantity);
  DebyePlotView *view = debye_plot_panel_get_view(get_panel(self));
  /* Of several results the plot's numbers are what they share. */
  DebyeTable *table = shown->len == 1 ? debye_plot_panel_find_table(get_panel(self)) : NULL;
  if (debye_plot_can_save(path))
    save_plot(self, view, NULL, shown->len == 1 ? shown->pdata[0] : NULL, NULL, path);
  else if (shown->len > 0 && quantity != NULL && g_str_has_suffix(lower, ".csv") &&
           (table != NULL || shown->len > 1 || !has_column(shown->pdata[0], quantity->name)))
    save_plot(self, view, shown, NULL, table, path);
  else if (result != NULL)
    debye_window_exports_save_result(self, result, path);
}

static GdkContentProvider *
on_plot_dragged(gpointer data)
{
  DebyeWindowDocument *self = data;
  DebyePlotView *view = debye_plot_panel_get_view(get_panel(self));
  g_autoptr(GPtrArray) shown = list_shown(self, debye_plot_panel_get_quantity(get_panel(self)));
  g_autofree char *name = debye_window_document_suggest_name(self, "-plot.svg");
  DebyePlotPage page;
  debye_plot_view_get_page(view, &page);
  Writing *writing = writing_new(view, NULL, shown->len == 1 ? shown->pdata[0] : NULL, NULL, name);
  GdkContentProvider *both[] = {
      debye_dragged_file_new(name, "image/svg+xml", write_picture, writing, writing_free),
      debye_plot_content_new(writing->plot, &page)};
  g_signal_connect_object(both[0], "failed", G_CALLBACK(debye_window_toast_error),
                          debye_window_document_get_window(self), G_CONNECT_SWAPPED);
  return gdk_content_provider_new_union(both, G_N_ELEMENTS(both));
}

static void
on_path(const char *path, gpointer data)
{
  debye_window_plots_save_shown(data, path);
}

void
debye_window_plots_export(DebyeWindowDocument *self)
{
  static const char *const of_one = N_("HDF5, with all settings"),
                           *const of_several = N_("HDF5, the newest result with all settings");
  g_autoptr(GPtrArray) shown = list_shown(self, debye_plot_panel_get_quantity(get_panel(self)));
  const char *const suffixes[] = {"svg", N_("SVG, as shown"),
                                  "pdf", N_("PDF, as shown"),
                                  "png", N_("PNG, as shown"),
                                  "csv", N_("CSV, numbers"),
                                  "h5",  shown->len > 1 ? of_several : of_one,
                                  NULL};
  g_autofree char *name = debye_window_document_suggest_name(self, "-plot.svg");
  debye_window_exports_choose_path(debye_window_document_get_window(self), _("Export plot"), name, suffixes,
                                   on_path, self, NULL);
}

/* --- Actions --- */

void
debye_window_plots_compare(DebyeWindowDocument *self, guint position)
{
  g_autoptr(DebyeResult) result = debye_window_document_get_result(self, position);
  if (result != NULL)
    debye_plot_panel_keep(get_panel(self), result);
}

void
debye_window_plots_add(DebyeWindowDocument *self, DebyeWindowFrames *frames)
{
  DebyePlotPanel *panel = get_panel(self);
  Plots *plots = g_new0(Plots, 1);
  plots->measured = debye_measured_curves_new(debye_plot_panel_get_choices(panel));
  g_object_set_data_full(G_OBJECT(self), KEY, plots, plots_free);
  g_signal_connect_object(frames, "shown", G_CALLBACK(follow), self, G_CONNECT_SWAPPED);
  debye_plot_panel_set_results(panel, debye_window_document_get_results(self));
  debye_window_fit_follow(self, debye_plot_panel_get_view(panel));
  g_signal_connect_object(panel, "shell-activated", G_CALLBACK(on_shell_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(panel, "export", G_CALLBACK(debye_window_plots_export), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(panel, "add-measured", G_CALLBACK(debye_window_plots_add_measured), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(debye_plot_panel_get_numbers(panel), "residue-chosen",
                          G_CALLBACK(debye_window_residue_show_of_atom), self, G_CONNECT_SWAPPED);
  DebyeLookPanel *look = debye_plot_panel_get_look_panel(panel);
  g_signal_connect_object(look, "use-style", G_CALLBACK(ask_for_style), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(look, "save-style", G_CALLBACK(ask_where_style_goes), self, G_CONNECT_SWAPPED);
  GObject *button = gtk_widget_get_template_child(GTK_WIDGET(panel), DEBYE_TYPE_PLOT_PANEL, "export");
  debye_dragged_file_add_source(GTK_WIDGET(button), on_plot_dragged, self);
}
