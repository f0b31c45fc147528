/* SPDX-License-Identifier: MIT */
/* The dialog for the end points of a line through a map; opened by the window's map actions. */
#include "map_line_dialog.h"

#include "ui/widgets/setting_row.h"
#include "ui/widgets/template.h"

/* Widths of entries: "−123.45, −123.45, −123.45" is seen whole. */
#define POINT_CHARS 20
#define NUMBER_CHARS 6

struct _DebyeMapLineDialog {
  AdwWindow parent_instance;
  DebyeRequest *request;
  GtkListBox *rows;
  GtkLabel *hint;
  GtkButton *plot;
};

G_DEFINE_FINAL_TYPE(DebyeMapLineDialog, debye_map_line_dialog, ADW_TYPE_WINDOW)

static void
on_plot_clicked(DebyeMapLineDialog *self)
{
  g_signal_emit_by_name(self, "plot");
  gtk_window_close(GTK_WINDOW(self));
}

/* Two points that are read, and no row that refuses what is typed. */
static void
update(DebyeMapLineDialog *self)
{
  DebyeVec3 point;
  gboolean ready = debye_request_get_vector(self->request, "line-from", &point) &&
                   debye_request_get_vector(self->request, "line-to", &point);
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->rows, i)) != NULL; i++)
    ready = ready && debye_setting_row_get_problem(DEBYE_SETTING_ROW(row)) == NULL;
  gtk_widget_set_sensitive(GTK_WIDGET(self->plot), ready);
}

/* Returns the control. */
static GtkWidget *
add_row(DebyeMapLineDialog *self, const char *key, int width_chars)
{
  const DebyeSetting *setting = debye_setting_table_find(debye_request_get_table(self->request), key);
  GtkWidget *row = debye_setting_row_new(setting, self->request);
  GtkWidget *control = debye_setting_row_get_control(DEBYE_SETTING_ROW(row));
  gtk_editable_set_width_chars(GTK_EDITABLE(control), width_chars);
  gtk_entry_set_activates_default(GTK_ENTRY(control), TRUE);
  /* Tab goes from entry to entry. */
  gtk_widget_set_focusable(row, FALSE);
  g_signal_connect_object(row, "problem", G_CALLBACK(update), self, G_CONNECT_SWAPPED);
  gtk_list_box_append(self->rows, row);
  return control;
}

GtkWidget *
debye_map_line_dialog_new(GtkWindow *parent, DebyeRequest *request, const char *hint)
{
  DebyeMapLineDialog *self = g_object_new(DEBYE_TYPE_MAP_LINE_DIALOG, "transient-for", parent, NULL);
  self->request = g_object_ref(request);
  gtk_label_set_label(self->hint, hint);
  GtkWidget *first = add_row(self, "line-from", POINT_CHARS);
  add_row(self, "line-to", POINT_CHARS);
  add_row(self, "points", NUMBER_CHARS);
  gtk_window_set_focus(GTK_WINDOW(self), first);
  update(self);
  return GTK_WIDGET(self);
}

static void
debye_map_line_dialog_dispose(GObject *object)
{
  g_clear_object(&DEBYE_MAP_LINE_DIALOG(object)->request);
  G_OBJECT_CLASS(debye_map_line_dialog_parent_class)->dispose(object);
}

static void
debye_map_line_dialog_class_init(DebyeMapLineDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = debye_map_line_dialog_dispose;
  g_signal_new("plot", DEBYE_TYPE_MAP_LINE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/map_line_dialog.ui");
  DEBYE_BIND_CHILDREN(class, DebyeMapLineDialog, rows, hint, plot);
  gtk_widget_class_bind_template_callback(widget_class, on_plot_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_map_line_dialog_init(DebyeMapLineDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
