/* SPDX-License-Identifier: MIT */
/* The dialog for alternate locations and the cell; opened by the window's action “counting”. */
#include "counting_dialog.h"

#include <string.h>

#include "data/molecule/altloc.h"
#include "data/trajectory/cell_choice.h"
#include "data/translation/translation.h"
#include "ui/widgets/setting_row.h"

/* "100.5; 100.5; 100.5; 90; 90; 120" is seen whole. */
#define ENTRY_CHARS 20

struct _DebyeCountingDialog {
  AdwWindow parent_instance;
  DebyeRequest *request;
  GtkListBox *rows;
  GtkLabel *hint;
  GtkButton *apply;
};

enum { SIGNAL_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyeCountingDialog, debye_counting_dialog, ADW_TYPE_WINDOW)

static void
on_cancel_clicked(DebyeCountingDialog *self)
{
  gtk_window_close(GTK_WINDOW(self));
}

static void
on_apply_clicked(DebyeCountingDialog *self)
{
  g_signal_emit(self, signals[SIGNAL_CHOSEN], 0);
  gtk_window_close(GTK_WINDOW(self));
}

static gboolean
check(const DebyeSetting *setting, const char *value, GError **error)
{
  DebyeCellChoice cell;
  return strcmp(setting->key, "cell") == 0 ? debye_cell_choice_parse(value, &cell, error)
                                           : debye_altloc_check(value, error);
}

/* What is no choice is said at its row. */
static void
update(DebyeCountingDialog *self)
{
  gboolean ready = TRUE;
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->rows, i)) != NULL; i++) {
    const DebyeSetting *setting = debye_setting_row_get_setting(DEBYE_SETTING_ROW(row));
    g_autoptr(GError) error = NULL;
    const gboolean is_good = check(setting, debye_request_get(self->request, setting->key), &error);
    g_autofree char *problem = is_good ? NULL : debye_translate(error->message);
    debye_setting_row_set_problem(DEBYE_SETTING_ROW(row), problem);
    ready = ready && debye_setting_row_get_problem(DEBYE_SETTING_ROW(row)) == NULL;
  }
  gtk_widget_set_sensitive(GTK_WIDGET(self->apply), ready);
}

static void
add_row(DebyeCountingDialog *self, const DebyeSetting *setting)
{
  GtkWidget *row = debye_setting_row_new(setting, self->request);
  GtkWidget *control = debye_setting_row_get_control(DEBYE_SETTING_ROW(row));
  gtk_editable_set_width_chars(GTK_EDITABLE(control), ENTRY_CHARS);
  gtk_entry_set_activates_default(GTK_ENTRY(control), TRUE);
  /* Tab goes from entry to entry. */
  gtk_widget_set_focusable(row, FALSE);
  g_signal_connect_object(row, "problem", G_CALLBACK(update), self, G_CONNECT_SWAPPED);
  gtk_list_box_append(self->rows, row);
}

GtkWidget *
debye_counting_dialog_new(GtkWindow *parent, DebyeRequest *request, const char *hint)
{
  DebyeCountingDialog *self = g_object_new(DEBYE_TYPE_COUNTING_DIALOG, "transient-for", parent, NULL);
  const DebyeSettingTable *table = debye_request_get_table(request);
  self->request = g_object_ref(request);
  gtk_label_set_label(self->hint, hint);
  for (gsize i = 0; i < table->n_settings; i++)
    add_row(self, &table->settings[i]);
  update(self);
  return GTK_WIDGET(self);
}

DebyeRequest *
debye_counting_dialog_get_request(DebyeCountingDialog *self)
{
  g_return_val_if_fail(DEBYE_IS_COUNTING_DIALOG(self), NULL);
  return self->request;
}

static void
debye_counting_dialog_dispose(GObject *object)
{
  g_clear_object(&DEBYE_COUNTING_DIALOG(object)->request);
  G_OBJECT_CLASS(debye_counting_dialog_parent_class)->dispose(object);
}

static void
debye_counting_dialog_class_init(DebyeCountingDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_counting_dialog_dispose;
  signals[SIGNAL_CHOSEN] = g_signal_new("chosen", DEBYE_TYPE_COUNTING_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/counting_dialog.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeCountingDialog, rows);
  gtk_widget_class_bind_template_child(widget_class, DebyeCountingDialog, hint);
  gtk_widget_class_bind_template_child(widget_class, DebyeCountingDialog, apply);
  gtk_widget_class_bind_template_callback(widget_class, on_cancel_clicked);
  gtk_widget_class_bind_template_callback(widget_class, on_apply_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_counting_dialog_init(DebyeCountingDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
