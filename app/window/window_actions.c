/* SPDX-License-Identifier: MIT */
/* The window's actions that menus, buttons, keys and D-Bus call; added by window_controller.c. */
#include "app/analysis/driver/dataset_choice.h"
#include "data/translation/translation.h"
#include "ui/dialogs/settings_dialog.h"
#include "data/trajectory/length_unit.h"
#include "ui/dialogs/elements_dialog.h"
#include "ui/widgets/number_text.h"

#include <glib/gi18n.h>

#include "ui/widgets/file_question.h"
#include "window_controller_private.h"

/* --- files --- */

static void
on_files_chosen(GtkFileChooser *chooser, gpointer data)
{
  g_autoptr(GListModel) files = gtk_file_chooser_get_files(chooser);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (guint i = 0; i < g_list_model_get_n_items(files); i++) {
    g_autoptr(GFile) file = g_list_model_get_item(files, i);
    g_autofree char *path = g_file_get_path(file);
    if (path != NULL)
      g_strv_builder_add(builder, path);
  }
  g_auto(GStrv) paths = g_strv_builder_end(builder);
  if (paths[0] != NULL)
    debye_window_controller_open(data, (const char *const *)paths);
}

static void
on_open(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new(_("Open a structure, its trajectory, maps"), GTK_WINDOW(self->window),
                                  GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(chooser), TRUE);
  debye_file_question_ask(chooser, on_files_chosen, self, NULL);
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
ask_elements(DebyeWindowController *self)
{
  DebyeDataset *dataset = debye_document_get_dataset(self->document);
  GtkWidget *dialog =
      debye_elements_dialog_new(GTK_WINDOW(self->window), debye_dataset_get_topology_of_files(dataset),
                                debye_dataset_get_element_choices(dataset));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_elements_chosen), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_elements(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  ask_elements(data);
}

static void
on_counting_chosen(DebyeSettingsDialog *dialog, DebyeWindowController *self)
{
  DebyeRequest *request = debye_settings_dialog_get_request(dialog);
  debye_window_controller_choose_counted(self, request);
}

/* What the files have. */
static char *
describe_alternates(DebyeDataset *dataset)
{
  g_autofree char *sentence = debye_dataset_describe_altloc(dataset);
  return sentence != NULL ? debye_translate(sentence)
                          : g_strdup(_("These files have no alternate locations."));
}

static void
on_counting(GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  DebyeWindowController *self = data;
  DebyeDataset *dataset = debye_document_get_dataset(self->document);
  g_autoptr(DebyeRequest) request = debye_dataset_choice_request(dataset);
  g_autofree char *alternates = describe_alternates(dataset);
  g_autofree char *hint = debye_sentence_case(alternates);
  GtkWidget *dialog = debye_settings_dialog_new(GTK_WINDOW(self->window), request, NULL, hint, _("Apply"));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_counting_chosen), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_unit_chosen(DebyeSettingsDialog *dialog, DebyeWindowController *self)
{
  DebyeRequest *request = debye_settings_dialog_get_request(dialog);
  debye_window_controller_choose_counted(self, request);
  ask_elements(self);
}

void
debye_window_controller_ask_unit(DebyeWindowController *self)
{
  static const char *const left_out[] = {"altloc", "cell", NULL};
  g_autoptr(DebyeRequest) request = debye_dataset_choice_request(debye_document_get_dataset(self->document));
  debye_request_set(request, "length-unit", DEBYE_LENGTH_UNIT_DEFAULT, NULL);
  GtkWidget *dialog = debye_settings_dialog_new(
      GTK_WINDOW(self->window), request, left_out,
      _("This file says neither its unit of length nor its elements, which are asked for next."), _("Apply"));
  gtk_window_set_title(GTK_WINDOW(dialog), _("Unit of length"));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_unit_chosen), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
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

static const GActionEntry entries[] = {
    {.name = "open", .activate = on_open},
    {.name = "open-files", .activate = on_open_files, .parameter_type = "as"},
    {.name = "open-sample", .activate = on_open_sample, .parameter_type = "s"},
    {.name = "elements", .activate = on_elements},
    {.name = "counting", .activate = on_counting},
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
};

void
debye_window_actions_add(DebyeWindowController *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self->window), entries, G_N_ELEMENTS(entries), self);
  debye_window_export_actions_add(self);
  debye_window_layer_actions_add(self);
}
