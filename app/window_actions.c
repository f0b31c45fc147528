/* SPDX-License-Identifier: MIT */
/* The window's actions: what menus, buttons, keys and D-Bus can ask for. */
#include <string.h>

#include "data/error.h"
#include "ui/elements_dialog.h"
#include "ui/export_dialog.h"
#include "window_controller_private.h"
#include "window_exports.h"
#include "window_film.h"

/* --- files --- */

static void
on_files_chosen(GtkNativeDialog *dialog, int response, gpointer data)
{
  DebyeWindowController *self = data;
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GListModel) files = gtk_file_chooser_get_files(GTK_FILE_CHOOSER(dialog));
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (guint i = 0; i < g_list_model_get_n_items(files); i++) {
      g_autoptr(GFile) file = g_list_model_get_item(files, i);
      g_autofree char *path = g_file_get_path(file);
      if (path != NULL)
        g_strv_builder_add(builder, path);
    }
    g_auto(GStrv) paths = g_strv_builder_end(builder);
    if (paths[0] != NULL)
      debye_window_controller_open(self, (const char *const *)paths);
  }
  g_object_unref(dialog);
}

static void
on_open(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new("Open a structure, its trajectory, maps", GTK_WINDOW(self->window),
                                  GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(dialog), TRUE);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_files_chosen), self, G_CONNECT_DEFAULT);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void
on_open_files(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  g_autofree const char **paths = g_variant_get_strv(parameter, NULL);
  if (paths[0] != NULL)
    debye_window_controller_open(data, paths);
}

static void
on_open_sample(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  debye_window_controller_open_sample(data, g_variant_get_string(parameter, NULL));
}

static void
on_elements_chosen(DebyeWindowController *self, char **choices)
{
  debye_window_controller_choose_elements(self, (const char *const *)choices);
}

static void
on_elements(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  DebyeDataset *dataset = debye_document_get_dataset(self->document);
  GtkWidget *dialog =
      debye_elements_dialog_new(GTK_WINDOW(self->window), debye_dataset_get_topology_of_files(dataset),
                                debye_dataset_get_element_choices(dataset));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_elements_chosen), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}

/* --- pictures and maps --- */

static void
on_exported(DebyeJob *job, DebyeWindowController *self)
{
  g_autofree char *done = g_strdup_printf("%s is written", debye_job_get_title(job) + strlen("Writing "));
  if (debye_job_get_state(job) == DEBYE_JOB_FAILED)
    debye_window_toast_error(self->window, debye_job_get_error(job)->message);
  else
    debye_window_toast(self->window, done);
  debye_window_controller_update_actions(self);
}

static void
add_export_job(DebyeWindowController *self, DebyeJob *job)
{
  g_signal_connect_object(job, "finished", G_CALLBACK(on_exported), self, G_CONNECT_DEFAULT);
  debye_window_controller_add_job(self, job, FALSE);
}

static void
save_picture(DebyeWindowController *self, const char *path, int width, int height, gboolean transparent)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeJob) job =
      debye_window_exports_create_picture_job(self->window, path, width, height, transparent, &error);
  if (job != NULL)
    add_export_job(self, job);
  else
    debye_window_toast_error(self->window, error->message);
}

typedef struct {
  DebyeWindowController *controller;
  int width, height;
  gboolean transparent;
} PictureWish;

static void
on_picture_path(const char *path, gpointer data)
{
  PictureWish *wish = data;
  save_picture(wish->controller, path, wish->width, wish->height, wish->transparent);
}

/* "fas2.png" for the structure fas2.pqr. */
char *
debye_window_controller_suggest_name(DebyeWindowController *self, const char *ending)
{
  const char *path = debye_document_get_paths(self->document)[0];
  g_autofree char *name = g_path_get_basename(path);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat(name, ending, NULL);
}

static void
on_picture_size(DebyeWindowController *self, int width, int height, gboolean transparent)
{
  static const char *const suffixes[] = {"png", "Picture (PNG)", NULL};
  g_autofree char *name = debye_window_controller_suggest_name(self, ".png");
  PictureWish *wish = g_new(PictureWish, 1);
  *wish = (PictureWish){.controller = self, .width = width, .height = height, .transparent = transparent};
  g_object_set_data_full(G_OBJECT(self), "picture-wish", wish, g_free);
  debye_window_exports_choose_path(self->window, "Export picture", name, suffixes, on_picture_path, wish);
}

static void
view_size(DebyeWindowController *self, int *width, int *height)
{
  GtkWidget *view = GTK_WIDGET(debye_window_get_view(self->window));
  int scale = gtk_widget_get_scale_factor(view);
  *width = MAX(16, gtk_widget_get_width(view) * scale);
  *height = MAX(16, gtk_widget_get_height(view) * scale);
}

static void
on_export_picture(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  int width, height;
  view_size(self, &width, &height);
  GtkWidget *dialog = debye_export_dialog_new(GTK_WINDOW(self->window), width, height);
  g_signal_connect_object(dialog, "export", G_CALLBACK(on_picture_size), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_save_picture(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  const char *path;
  int width, height;
  gboolean transparent;
  g_variant_get(parameter, "(&siib)", &path, &width, &height, &transparent);
  save_picture(self, path, width, height, transparent);
}

static void
on_export_film(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_window_film_ask(data);
}

static void
on_save_film(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  const char *path;
  DebyeFilmWish wish;
  g_variant_get(parameter, "(&sbdiiii)", &path, &wish.frames, &wish.degrees, &wish.n_pictures, &wish.rate,
                &wish.width, &wish.height);
  debye_window_film_write(data, path, &wish);
}

static char *
command_of(DebyeResult *result, const char *output)
{
  return debye_request_to_command(debye_result_get_request(result), debye_result_get_inputs(result), output);
}

void
debye_window_controller_save_result(DebyeWindowController *self, DebyeResult *result, const char *path)
{
  g_autofree char *command = command_of(result, path);
  g_autoptr(DebyeJob) job = debye_window_exports_create_map_job(result, path, command);
  g_object_set_data_full(G_OBJECT(result), "path", g_strdup(path), g_free);
  add_export_job(self, job);
}

static void
on_map_path(const char *path, gpointer data)
{
  DebyeWindowController *self = data;
  DebyeResult *result = g_object_get_data(G_OBJECT(self), "exported-result");
  debye_window_controller_save_result(self, result, path);
}

/* A map is its potential; what has curves is called after its analysis. */
static char *
result_name(DebyeWindowController *self, DebyeRequest *request)
{
  const char *id = debye_request_get_table(request)->id;
  g_autofree char *ending =
      g_strcmp0(id, "map") == 0 ? g_strdup("-potential.h5") : g_strdup_printf("-%s.h5", id);
  return debye_window_controller_suggest_name(self, ending);
}

static void
export_result(DebyeWindowController *self, guint position)
{
  static const char *const suffixes[] = {"h5",   "HDF5, with all settings",
                                         "dx",   "OpenDX",
                                         "cube", "Gaussian cube",
                                         "ccp4", "CCP4 / MRC",
                                         "csv",  "CSV",
                                         NULL};
  static const char *const of_curves[] = {"h5", "HDF5, with all settings", "csv", "CSV", NULL};
  DebyeResult *result = debye_window_controller_get_result(self, position);
  if (result == NULL)
    return;
  gboolean is_map = g_list_model_get_n_items(debye_result_get_fields(result)) > 0;
  g_autofree char *name = result_name(self, debye_result_get_request(result));
  g_object_set_data_full(G_OBJECT(self), "exported-result", result, g_object_unref);
  debye_window_exports_choose_path(self->window, is_map ? "Export map" : "Export data", name,
                                   is_map ? suffixes : of_curves, on_map_path, self);
}

static void
on_export_map(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  export_result(data, 0);
}

static void
on_save_map(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  g_autoptr(DebyeResult) result = debye_window_controller_get_result(self, 0);
  if (result != NULL)
    debye_window_controller_save_result(self, result, g_variant_get_string(parameter, NULL));
}

static void
copy_text(DebyeWindowController *self, const char *text)
{
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self->window)), text);
  debye_window_toast(self->window, "Command copied");
}

static void
copy_result_command(DebyeWindowController *self, DebyeResult *result)
{
  const char *path = g_object_get_data(G_OBJECT(result), "path");
  g_autofree char *name = result_name(self, debye_result_get_request(result));
  g_autofree char *command = command_of(result, path != NULL ? path : name);
  copy_text(self, command);
}

/* Of the newest result; before there is one, of the form as it stands. */
static void
on_copy_command(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  g_autoptr(DebyeResult) result = debye_window_controller_get_result(self, 0);
  DebyeAnalysisForm *form = debye_analysis_panel_get_form(debye_window_get_analysis_panel(self->window));
  if (result != NULL) {
    copy_result_command(self, result);
  } else if (form != NULL) {
    g_autofree char *name = result_name(self, debye_analysis_form_get_request(form));
    g_autoptr(DebyeRequest) request =
        debye_window_analyses_complete_request(self->analyses, debye_analysis_form_get_request(form));
    g_autofree char *command = debye_request_to_command(
        request, debye_dataset_get_paths(debye_document_get_dataset(self->document)), name);
    copy_text(self, command);
  }
}

/* --- results --- */

static void
on_result_run_again(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  g_autoptr(DebyeResult) result = debye_window_controller_get_result(self, g_variant_get_uint32(parameter));
  if (result != NULL)
    debye_window_controller_run_request(self, debye_result_get_request(result));
}

static void
on_result_copy_command(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  g_autoptr(DebyeResult) result = debye_window_controller_get_result(self, g_variant_get_uint32(parameter));
  if (result != NULL)
    copy_result_command(self, result);
}

static void
on_result_export(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  export_result(data, g_variant_get_uint32(parameter));
}

static void
on_result_remove(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  guint position = g_variant_get_uint32(parameter);
  if (position < g_list_model_get_n_items(G_LIST_MODEL(self->results)))
    g_list_store_remove(self->results, position);
  debye_window_controller_update_actions(self);
}

/* --- running, playing, looking --- */

static void
on_run(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  debye_window_controller_run_form(
      self, debye_analysis_panel_get_form(debye_window_get_analysis_panel(self->window)));
}

static void
on_stop(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_job_queue_stop_all(DEBYE_WINDOW_CONTROLLER(data)->jobs);
}

static void
on_change_play(GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(DEBYE_WINDOW_CONTROLLER(data)->window);
  debye_playback_bar_set_playing(bar, g_variant_get_boolean(value));
}

static void
on_change_measure(GSimpleAction *action, GVariant *value, gpointer data)
{
  debye_window_controller_set_measuring(data, g_variant_get_boolean(value));
  g_simple_action_set_state(action, value);
}

static void
on_plot_measurements(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_window_controller_plot_measurements(data);
}

static void
on_change_live(GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  debye_window_controller_set_live(data, g_variant_get_boolean(value));
}

static void
on_change_follow(GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(DEBYE_WINDOW_CONTROLLER(data)->window);
  debye_playback_bar_set_following(bar, g_variant_get_boolean(value));
}

static void
on_change_frame(GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(DEBYE_WINDOW_CONTROLLER(data)->window);
  debye_playback_bar_seek(bar, (guint)MAX(g_variant_get_int32(value), 0));
}

static void
on_step(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyePlaybackBar *bar = debye_window_get_playback_bar(DEBYE_WINDOW_CONTROLLER(data)->window);
  debye_playback_bar_step(bar, g_variant_get_int32(parameter));
}

static void
on_view_all(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_view_3d_view_all(debye_window_get_view(DEBYE_WINDOW_CONTROLLER(data)->window));
}

static void
on_look_along(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  int axis = CLAMP(g_variant_get_int32(parameter), 0, 2);
  debye_view_3d_look_along(debye_window_get_view(DEBYE_WINDOW_CONTROLLER(data)->window), axis);
}

static void
on_zoom_in(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_view_3d_zoom(debye_window_get_view(DEBYE_WINDOW_CONTROLLER(data)->window), 1.25);
}

static void
on_zoom_out(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_view_3d_zoom(debye_window_get_view(DEBYE_WINDOW_CONTROLLER(data)->window), 0.8);
}

static void
on_toggle_sidebar(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  debye_window_toggle_sidebar(DEBYE_WINDOW_CONTROLLER(data)->window);
}

static void
on_show_page(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  debye_window_show_page(DEBYE_WINDOW_CONTROLLER(data)->window, g_variant_get_string(parameter, NULL));
}

static void
on_show_analysis(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  DebyeWindowController *self = data;
  DebyeAnalysisForm *form =
      debye_window_analyses_find_form(self->analyses, g_variant_get_string(parameter, NULL));
  if (form == NULL)
    return;
  debye_window_show_page(self->window, "analyse");
  debye_analysis_panel_show_form(debye_window_get_analysis_panel(self->window), form);
  debye_window_controller_update_actions(self);
}

/* --- layers --- */

static void
show_added(DebyeWindowController *self, DebyeLayer *layer)
{
  if (layer != NULL)
    debye_layers_panel_expand(debye_window_get_layers_panel(self->window), layer);
  else
    debye_window_toast(self->window, "There is nothing to make this layer of");
}

static void
on_add_atoms(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_atoms(self->scene));
}

static void
on_add_cartoon(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_cartoon(self->scene));
}

static void
on_add_molecular_surface(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED,
                         gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_molecular_surface(self->scene));
}

static void
on_add_hydrogen_bonds(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_hydrogen_bonds(self->scene));
}

static void
on_add_bins(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_bins(self->scene));
}

static void
on_add_labels(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_labels(self->scene));
}

static void
on_add_clipping_plane(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_clipping_plane(self->scene));
}

static void
on_add_surface(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_surface(self->scene));
}

static void
on_add_slice(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_slice(self->scene));
}

static void
on_add_box(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  show_added(self, debye_window_scene_add_box(self->scene));
}

static void
on_undo(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  debye_scene_history_undo(debye_window_scene_get_history(self->scene));
}

static const GActionEntry entries[] = {
    {.name = "open", .activate = on_open},
    {.name = "open-files", .activate = on_open_files, .parameter_type = "as"},
    {.name = "open-sample", .activate = on_open_sample, .parameter_type = "s"},
    {.name = "elements", .activate = on_elements},
    {.name = "export-picture", .activate = on_export_picture},
    {.name = "save-picture", .activate = on_save_picture, .parameter_type = "(siib)"},
    {.name = "export-film", .activate = on_export_film},
    {.name = "save-film", .activate = on_save_film, .parameter_type = "(sbdiiii)"},
    {.name = "export-map", .activate = on_export_map},
    {.name = "save-map", .activate = on_save_map, .parameter_type = "s"},
    {.name = "copy-command", .activate = on_copy_command},
    {.name = "result-run-again", .activate = on_result_run_again, .parameter_type = "u"},
    {.name = "result-copy-command", .activate = on_result_copy_command, .parameter_type = "u"},
    {.name = "result-export", .activate = on_result_export, .parameter_type = "u"},
    {.name = "result-remove", .activate = on_result_remove, .parameter_type = "u"},
    {.name = "run", .activate = on_run},
    {.name = "stop", .activate = on_stop},
    {.name = "play", .state = "false", .change_state = on_change_play},
    {.name = "live", .state = "false", .change_state = on_change_live},
    {.name = "follow", .state = "false", .change_state = on_change_follow},
    {.name = "frame", .parameter_type = "i", .state = "0", .change_state = on_change_frame},
    {.name = "step", .activate = on_step, .parameter_type = "i"},
    {.name = "view-all", .activate = on_view_all},
    {.name = "look-along", .activate = on_look_along, .parameter_type = "i"},
    {.name = "zoom-in", .activate = on_zoom_in},
    {.name = "zoom-out", .activate = on_zoom_out},
    {.name = "toggle-sidebar", .activate = on_toggle_sidebar},
    {.name = "show-analysis", .activate = on_show_analysis, .parameter_type = "s"},
    {.name = "show-page", .activate = on_show_page, .parameter_type = "s"},
    {.name = "measure", .state = "false", .change_state = on_change_measure},
    {.name = "plot-measurements", .activate = on_plot_measurements},
    {.name = "add-atoms", .activate = on_add_atoms},
    {.name = "add-cartoon", .activate = on_add_cartoon},
    {.name = "add-molecular-surface", .activate = on_add_molecular_surface},
    {.name = "add-surface", .activate = on_add_surface},
    {.name = "add-hydrogen-bonds", .activate = on_add_hydrogen_bonds},
    {.name = "add-bins", .activate = on_add_bins},
    {.name = "add-labels", .activate = on_add_labels},
    {.name = "add-clipping-plane", .activate = on_add_clipping_plane},
    {.name = "add-slice", .activate = on_add_slice},
    {.name = "add-box", .activate = on_add_box},
    {.name = "undo", .activate = on_undo},
};

void
debye_window_actions_add(DebyeWindowController *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self->window), entries, G_N_ELEMENTS(entries), self);
}
