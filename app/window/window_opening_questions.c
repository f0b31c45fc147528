/* SPDX-License-Identifier: MIT */
/* Asks for files and for what counts of them; called by the window's actions. */
#include "window_opening_private.h"

#include <glib/gi18n.h>

#include "app/analysis/driver/dataset_choice.h"
#include "data/messages/message.h"
#include "data/trajectory/length_unit.h"
#include "ui/dialogs/elements_dialog.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/widgets/file_question.h"
#include "ui/widgets/number_text.h"

static GtkWindow *
get_window(DebyeWindowOpening *self)
{
  return GTK_WINDOW(debye_window_document_get_window(self->document));
}

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
    debye_window_opening_open(data, (const char *const *)paths);
}

void
debye_window_opening_ask_for_files(DebyeWindowOpening *self)
{
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new(_("Open a structure, trajectories or maps"), get_window(self),
                                  GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(chooser), TRUE);
  debye_file_question_ask(chooser, on_files_chosen, self, NULL);
}

static void
on_elements_chosen(DebyeWindowOpening *self, char **choices)
{
  debye_window_opening_choose_elements(self, (const char *const *)choices);
}

void
debye_window_opening_ask_elements(DebyeWindowOpening *self)
{
  DebyeDataset *dataset = debye_document_get_origin(debye_window_document_get_document(self->document));
  GtkWidget *dialog =
      debye_elements_dialog_new(get_window(self), debye_dataset_get_topology_of_files(dataset),
                                debye_dataset_get_element_choices(dataset));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_elements_chosen), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_counting_chosen(DebyeSettingsDialog *dialog, DebyeWindowOpening *self)
{
  debye_window_opening_choose_counted(self, debye_settings_dialog_get_request(dialog));
}

/* Describes the alternate locations of the files. */
static char *
describe_alternates(DebyeDataset *dataset)
{
  g_autofree char *sentence = debye_dataset_describe_altloc(dataset);
  return sentence != NULL ? debye_message_translate(sentence)
                          : g_strdup(_("These files have no alternate locations."));
}

void
debye_window_opening_ask_counting(DebyeWindowOpening *self)
{
  DebyeDataset *dataset = debye_document_get_origin(debye_window_document_get_document(self->document));
  g_autoptr(DebyeRequest) request = debye_dataset_choice_request(dataset);
  g_autofree char *alternates = describe_alternates(dataset);
  g_autofree char *hint = debye_sentence_case(alternates);
  GtkWidget *dialog = debye_settings_dialog_new(get_window(self), request, NULL, hint, _("Apply"));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_counting_chosen), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}

static void
on_unit_chosen(DebyeSettingsDialog *dialog, DebyeWindowOpening *self)
{
  DebyeRequest *request = debye_settings_dialog_get_request(dialog);
  debye_window_opening_choose_counted(self, request);
  debye_window_opening_ask_elements(self);
}

void
debye_window_opening_ask_unit(DebyeWindowOpening *self)
{
  static const char *const left_out[] = {"altloc", "cell", NULL};
  g_autoptr(DebyeRequest) request =
      debye_dataset_choice_request(debye_window_document_get_dataset(self->document));
  debye_request_set(request, "length-unit", DEBYE_LENGTH_UNIT_DEFAULT, NULL);
  GtkWidget *dialog = debye_settings_dialog_new(
      get_window(self), request, left_out,
      _("This file states neither its unit of length nor its elements. Choose them next."), _("Apply"));
  gtk_window_set_title(GTK_WINDOW(dialog), _("Unit of length"));
  g_signal_connect_object(dialog, "chosen", G_CALLBACK(on_unit_chosen), self, G_CONNECT_DEFAULT);
  gtk_window_present(GTK_WINDOW(dialog));
}
