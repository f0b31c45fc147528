/* SPDX-License-Identifier: MIT */
/* The dialog for a picture's size and background; opened by the window's export action. */
#include "export_dialog.h"

/* The choices of export_dialog.ui, in their order. 0: in proportion to the view. */
static const struct {
  int width, height, times;
} presets[] = {{0, 0, 1}, {0, 0, 2}, {1050, 0, 0}, {2100, 0, 0}, {1920, 1080, 0}, {3840, 2160, 0}};

struct _DebyeExportDialog {
  AdwWindow parent_instance;
  AdwComboRow *preset;
  GtkSpinButton *width, *height;
  GtkSwitch *transparent;
  GtkButton *export;
  int view_width, view_height;
  gboolean updating;
};

enum { SIGNAL_EXPORT, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyeExportDialog, debye_export_dialog, ADW_TYPE_WINDOW)

static void
set_size(DebyeExportDialog *self, int width, int height)
{
  self->updating = TRUE;
  gtk_spin_button_set_value(self->width, width);
  gtk_spin_button_set_value(self->height, height);
  self->updating = FALSE;
}

static void
on_preset_selected(DebyeExportDialog *self)
{
  guint i = adw_combo_row_get_selected(self->preset);
  if (i >= G_N_ELEMENTS(presets))
    return;
  if (presets[i].times > 0)
    set_size(self, presets[i].times * self->view_width, presets[i].times * self->view_height);
  else if (presets[i].height > 0)
    set_size(self, presets[i].width, presets[i].height);
  else
    set_size(self, presets[i].width, presets[i].width * self->view_height / MAX(self->view_width, 1));
}

static void
on_size_changed(DebyeExportDialog *self)
{
  if (!self->updating)
    adw_combo_row_set_selected(self->preset, G_N_ELEMENTS(presets));
}

static void
on_cancel_clicked(DebyeExportDialog *self)
{
  gtk_window_close(GTK_WINDOW(self));
}

static void
on_export_clicked(DebyeExportDialog *self)
{
  g_signal_emit(self, signals[SIGNAL_EXPORT], 0, gtk_spin_button_get_value_as_int(self->width),
                gtk_spin_button_get_value_as_int(self->height), gtk_switch_get_active(self->transparent));
  gtk_window_close(GTK_WINDOW(self));
}

GtkWidget *
debye_export_dialog_new(GtkWindow *parent, int width, int height)
{
  DebyeExportDialog *self = g_object_new(DEBYE_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  self->view_width = width;
  self->view_height = height;
  set_size(self, width, height);
  return GTK_WIDGET(self);
}

static void
debye_export_dialog_class_init(DebyeExportDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  signals[SIGNAL_EXPORT] = g_signal_new("export", DEBYE_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 3, G_TYPE_INT, G_TYPE_INT, G_TYPE_BOOLEAN);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/export_dialog.ui");
  gtk_widget_class_bind_template_child(widget_class, DebyeExportDialog, preset);
  gtk_widget_class_bind_template_child(widget_class, DebyeExportDialog, width);
  gtk_widget_class_bind_template_child(widget_class, DebyeExportDialog, height);
  gtk_widget_class_bind_template_child(widget_class, DebyeExportDialog, transparent);
  gtk_widget_class_bind_template_child(widget_class, DebyeExportDialog, export);
  gtk_widget_class_bind_template_callback(widget_class, on_preset_selected);
  gtk_widget_class_bind_template_callback(widget_class, on_size_changed);
  gtk_widget_class_bind_template_callback(widget_class, on_cancel_clicked);
  gtk_widget_class_bind_template_callback(widget_class, on_export_clicked);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
debye_export_dialog_init(DebyeExportDialog *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
