/* SPDX-License-Identifier: MIT */
/* Implementation of settings_dialog.h; opened by the window's actions “counting” and “export-coordinates”. */
#include "settings_dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/molecule/altloc.h"
#include "data/trajectory/cell_choice.h"
#include "data/trajectory/length_unit.h"
#include "ui/widgets/setting_row.h"
#include "ui/widgets/template.h"

/* "100.5; 100.5; 100.5; 90; 90; 120" is seen whole. */
#define ENTRY_CHARS 20
#define MOST_WHOLE_ROWS 4
#define SCROLLED_HEIGHT 480

struct _DebyeSettingsDialog {
  AdwWindow parent_instance;
  DebyeRequest *request;
  GtkBox *content;
  GtkListBox *rows;
  GtkLabel *hint;
  GtkButton *apply;
};

G_DEFINE_FINAL_TYPE(DebyeSettingsDialog, debye_settings_dialog, ADW_TYPE_WINDOW)

static void
on_apply_clicked(DebyeSettingsDialog *self)
{
  g_signal_emit_by_name(self, "chosen");
  gtk_window_close(GTK_WINDOW(self));
}

static gboolean
check(const DebyeSetting *setting, const char *value, GError **error)
{
  DebyeCellChoice cell;
  double angstrom;
  if (value == NULL)
    return TRUE;
  if (strcmp(setting->key, "cell") == 0)
    return debye_cell_choice_parse(value, &cell, error);
  if (strcmp(setting->key, "altloc") == 0)
    return debye_altloc_check(value, error);
  return strcmp(setting->key, "length-unit") != 0 || debye_length_unit_parse(value, &angstrom, error);
}

/* What is no choice is said at its row. */
static void
update(DebyeSettingsDialog *self)
{
  gboolean ready = TRUE;
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->rows, i)) != NULL; i++) {
    const DebyeSetting *setting = debye_setting_row_get_setting(DEBYE_SETTING_ROW(row));
    g_autoptr(GError) error = NULL;
    const gboolean is_good = check(setting, debye_request_get(self->request, setting->key), &error);
    const char *problem = is_good ? NULL : error->message;
    debye_setting_row_set_problem(DEBYE_SETTING_ROW(row), problem);
    ready = ready && debye_setting_row_get_problem(DEBYE_SETTING_ROW(row)) == NULL;
  }
  gtk_widget_set_sensitive(GTK_WIDGET(self->apply), ready);
}

static void
add_row(DebyeSettingsDialog *self, const DebyeSetting *setting)
{
  GtkWidget *row = debye_setting_row_new(setting, self->request);
  GtkWidget *control = debye_setting_row_get_control(DEBYE_SETTING_ROW(row));
  if (GTK_IS_ENTRY(control) && setting->kind == DEBYE_SETTING_TEXT) {
    gtk_editable_set_width_chars(GTK_EDITABLE(control), ENTRY_CHARS);
    gtk_entry_set_activates_default(GTK_ENTRY(control), TRUE);
  }
  /* Tab goes from entry to entry. */
  gtk_widget_set_focusable(row, FALSE);
  g_signal_connect_object(row, "problem", G_CALLBACK(update), self, G_CONNECT_SWAPPED);
  gtk_list_box_append(self->rows, row);
}

/* Many rows only: one that can scroll doesn't ask for the height that a few have with texts of several lines. */
static void
let_scroll(DebyeSettingsDialog *self)
{
  g_autoptr(GtkWidget) rows = g_object_ref(GTK_WIDGET(self->rows));
  GtkWidget *scrolled = gtk_scrolled_window_new();
  gtk_box_remove(self->content, rows);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scrolled), SCROLLED_HEIGHT);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), rows);
  gtk_box_append(self->content, scrolled);
}

GtkWidget *
debye_settings_dialog_new(GtkWindow *parent, DebyeRequest *request, const char *const *left_out,
                          const char *hint, const char *answer)
{
  DebyeSettingsDialog *self = g_object_new(DEBYE_TYPE_SETTINGS_DIALOG, "transient-for", parent, NULL);
  const DebyeSettingTable *table = debye_request_get_table(request);
  self->request = g_object_ref(request);
  gtk_window_set_title(GTK_WINDOW(self), _(table->title));
  gtk_label_set_label(self->hint, hint != NULL ? hint : "");
  gtk_widget_set_visible(GTK_WIDGET(self->hint), hint != NULL);
  gtk_button_set_label(self->apply, answer);
  for (gsize i = 0; i < table->n_settings; i++)
    if (left_out == NULL || !g_strv_contains(left_out, table->settings[i].key))
      add_row(self, &table->settings[i]);
  if (gtk_list_box_get_row_at_index(self->rows, MOST_WHOLE_ROWS) != NULL)
    let_scroll(self);
  update(self);
  return GTK_WIDGET(self);
}

void
debye_settings_dialog_set_system(DebyeSettingsDialog *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_SETTINGS_DIALOG(self));
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->rows, i)) != NULL; i++)
    debye_setting_row_set_system(DEBYE_SETTING_ROW(row), topology, frame);
}

DebyeRequest *
debye_settings_dialog_get_request(DebyeSettingsDialog *self)
{
  g_return_val_if_fail(DEBYE_IS_SETTINGS_DIALOG(self), NULL);
  return self->request;
}

static void
debye_settings_dialog_dispose(GObject *object)
{
  g_clear_object(&DEBYE_SETTINGS_DIALOG(object)->request);
  G_OBJECT_CLASS(debye_settings_dialog_parent_class)->dispose(object);
}

static void
debye_settings_dialog_class_init(DebyeSettingsDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_settings_dialog_dispose;
  g_signal_new("chosen", DEBYE_TYPE_SETTINGS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/settings_dialog.ui");
  DEBYE_BIND_CHILDREN(class, DebyeSettingsDialog, content, rows, hint, apply);
  gtk_widget_class_bind_template_callback(widget_class, on_apply_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_settings_dialog_init(DebyeSettingsDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
