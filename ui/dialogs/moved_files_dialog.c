/* SPDX-License-Identifier: MIT */
/* The dialog for files of a session that moved or changed; opened when a session is loaded. */
#include "moved_files_dialog.h"

#include <glib/gi18n.h>

#include "ui/widgets/file_question.h"
#include "ui/widgets/template.h"

#define INDEX_KEY "debye-file-index"

struct _DebyeMovedFilesDialog {
  AdwWindow parent_instance;
  AdwPreferencesGroup *files;
  GtkButton *open;
  gboolean has_files;
};

G_DEFINE_FINAL_TYPE(DebyeMovedFilesDialog, debye_moved_files_dialog, ADW_TYPE_WINDOW)

static void
on_open_clicked(DebyeMovedFilesDialog *self)
{
  g_signal_emit_by_name(self, "open");
  gtk_window_close(GTK_WINDOW(self));
}

/* --- Locating --- */

static void
on_chosen(GtkFileChooser *chooser, gpointer data)
{
  DebyeMovedFilesDialog *self = data;
  guint index = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(chooser), INDEX_KEY));
  g_autofree char *path = debye_file_question_get_path(chooser);
  if (path == NULL)
    return;
  g_signal_emit_by_name(self, "located", index, path);
  gtk_window_close(GTK_WINDOW(self));
}

static void
on_locate_clicked(GtkButton *button, DebyeMovedFilesDialog *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(_("Locate the file"), GTK_WINDOW(self),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  g_object_set_data(G_OBJECT(chooser), INDEX_KEY, g_object_get_data(G_OBJECT(button), INDEX_KEY));
  debye_file_question_ask(chooser, on_chosen, self, NULL);
}

void
debye_moved_files_dialog_add(DebyeMovedFilesDialog *self, guint index, const char *name,
                             const char *difference)
{
  g_return_if_fail(DEBYE_IS_MOVED_FILES_DIALOG(self));
  GtkWidget *row = adw_action_row_new();
  GtkWidget *button = gtk_button_new_with_label(_("Locate…"));
  g_autofree char *label = g_strdup_printf(_("Locate %s"), name);
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), name);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), difference);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_object_set_data(G_OBJECT(button), INDEX_KEY, GUINT_TO_POINTER(index));
  g_signal_connect_object(button, "clicked", G_CALLBACK(on_locate_clicked), self, G_CONNECT_DEFAULT);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), button);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), button);
  adw_preferences_group_add(self->files, row);
  if (!self->has_files)
    gtk_window_set_focus(GTK_WINDOW(self), button);
  self->has_files = TRUE;
}

void
debye_moved_files_dialog_set_possible(DebyeMovedFilesDialog *self, gboolean possible)
{
  g_return_if_fail(DEBYE_IS_MOVED_FILES_DIALOG(self));
  gtk_widget_set_sensitive(GTK_WIDGET(self->open), possible);
}

/* --- The object --- */

GtkWidget *
debye_moved_files_dialog_new(GtkWindow *parent, const char *session)
{
  g_autofree char *title = g_strdup_printf(_("Files of %s"), session);
  DebyeMovedFilesDialog *self = g_object_new(DEBYE_TYPE_MOVED_FILES_DIALOG, "transient-for", parent, "modal",
                                             TRUE, "title", title, NULL);
  adw_preferences_group_set_title(self->files,
                                  _("These files have moved or changed since the session was saved"));
  return GTK_WIDGET(self);
}

static void
debye_moved_files_dialog_class_init(DebyeMovedFilesDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/moved_files_dialog.ui");
  DEBYE_BIND_CHILDREN(class, DebyeMovedFilesDialog, files, open);
  DEBYE_BIND_CALLBACKS(class, on_open_clicked, gtk_window_close);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  g_signal_new("located", DEBYE_TYPE_MOVED_FILES_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
               2, G_TYPE_UINT, G_TYPE_STRING);
  g_signal_new("open", DEBYE_TYPE_MOVED_FILES_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_moved_files_dialog_init(DebyeMovedFilesDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
