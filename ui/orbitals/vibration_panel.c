/* SPDX-License-Identifier: MIT */
/* The page of normal modes in the side bar; filled by the window's vibration_page.c. */
#include "vibration_panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "orbital_columns.h"
#include "vibration_item.h"
#include "ui/widgets/template.h"

struct _DebyeVibrationPanel {
  AdwBin parent_instance;
  GtkLabel *title, *frequency, *amplitude_text, *imaginary;
  GtkAdjustment *amplitude;
  GtkColumnView *list;
  GtkWidget *stop;
  GtkSingleSelection *selection; /* NULL until there are modes */
  guint awaited;                 /* number of the mode to choose once there are modes; 0: none */
};

G_DEFINE_FINAL_TYPE(DebyeVibrationPanel, debye_vibration_panel, ADW_TYPE_BIN)

static DebyeVibrationItem *
get_selected(DebyeVibrationPanel *self)
{
  return self->selection != NULL ? gtk_single_selection_get_selected_item(self->selection) : NULL;
}

static void
show_title(DebyeVibrationPanel *self)
{
  DebyeVibrationItem *item = get_selected(self);
  g_autofree char *number = item != NULL ? debye_vibration_item_number_text(item) : NULL;
  g_autofree char *frequency = item != NULL ? debye_vibration_item_frequency_text(item) : NULL;
  g_autofree char *title =
      item != NULL ? g_strdup_printf(_("Mode %s"), number) : g_strdup(_("No mode is shown"));
  g_autofree char *value = item != NULL ? g_strconcat(frequency, " cm⁻¹", NULL) : g_strdup("");
  gtk_label_set_label(self->title, title);
  gtk_label_set_label(self->frequency, value);
  gtk_widget_set_visible(GTK_WIDGET(self->imaginary),
                         item != NULL && debye_vibration_item_get(item)->frequency < 0.0);
  gtk_widget_set_sensitive(self->stop, item != NULL);
}

static void
on_selected(DebyeVibrationPanel *self)
{
  show_title(self);
  if (get_selected(self) != NULL)
    g_signal_emit_by_name(self, "chosen", gtk_single_selection_get_selected(self->selection));
}

void
debye_vibration_panel_choose(DebyeVibrationPanel *self, guint number)
{
  g_return_if_fail(DEBYE_IS_VIBRATION_PANEL(self));
  const guint n = self->selection != NULL ? g_list_model_get_n_items(G_LIST_MODEL(self->selection)) : 0;
  for (guint i = 0; i < n; i++) {
    g_autoptr(DebyeVibrationItem) item = g_list_model_get_item(G_LIST_MODEL(self->selection), i);
    if (debye_vibration_item_get(item)->number == number)
      gtk_single_selection_set_selected(self->selection, i);
  }
}

void
debye_vibration_panel_wait_for(DebyeVibrationPanel *self, guint number)
{
  g_return_if_fail(DEBYE_IS_VIBRATION_PANEL(self));
  self->awaited = number;
}

guint
debye_vibration_panel_get_chosen(DebyeVibrationPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_VIBRATION_PANEL(self), 0);
  DebyeVibrationItem *item = get_selected(self);
  return self->awaited > 0 ? self->awaited : item != NULL ? debye_vibration_item_get(item)->number : 0;
}

static void
on_stop_clicked(DebyeVibrationPanel *self)
{
  gtk_single_selection_set_selected(self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_emit_by_name(self, "stopped");
}

static void
on_amplitude(DebyeVibrationPanel *self)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const double amplitude = debye_vibration_panel_get_amplitude(self);
  g_autofree char *text = g_strconcat(g_ascii_formatd(number, sizeof number, "%.2f", amplitude), " Å", NULL);
  gtk_label_set_label(self->amplitude_text, text);
  g_signal_emit_by_name(self, "amplitude-changed");
}

double
debye_vibration_panel_get_amplitude(DebyeVibrationPanel *self)
{
  g_return_val_if_fail(DEBYE_IS_VIBRATION_PANEL(self), 0.0);
  return gtk_adjustment_get_value(self->amplitude);
}

void
debye_vibration_panel_set_amplitude(DebyeVibrationPanel *self, double amplitude)
{
  g_return_if_fail(DEBYE_IS_VIBRATION_PANEL(self));
  gtk_adjustment_set_value(self->amplitude, amplitude);
}

/* Whether one of the modes has what a column shows. */
static void
find_columns(GListModel *modes, gboolean *has_intensity, gboolean *has_mass)
{
  *has_intensity = *has_mass = FALSE;
  for (guint i = 0; i < g_list_model_get_n_items(modes); i++) {
    g_autoptr(DebyeVibrationItem) item = g_list_model_get_item(modes, i);
    *has_intensity |= isfinite(debye_vibration_item_get(item)->intensity);
    *has_mass |= isfinite(debye_vibration_item_get(item)->reduced_mass);
  }
}

void
debye_vibration_panel_set_modes(DebyeVibrationPanel *self, GListModel *modes)
{
  g_return_if_fail(DEBYE_IS_VIBRATION_PANEL(self) && (modes == NULL || G_IS_LIST_MODEL(modes)));
  const guint awaited = self->awaited;
  gboolean has_intensity, has_mass;
  g_clear_object(&self->selection);
  gtk_column_view_set_model(self->list, NULL);
  if (modes == NULL) {
    show_title(self);
    return;
  }
  find_columns(modes, &has_intensity, &has_mass);
  debye_vibration_columns_set(self->list, has_intensity, has_mass);
  self->selection = g_object_new(GTK_TYPE_SINGLE_SELECTION, "autoselect", FALSE, "can-unselect", TRUE,
                                 "model", modes, NULL);
  gtk_single_selection_set_selected(self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect_object(self->selection, "notify::selected", G_CALLBACK(on_selected), self,
                          G_CONNECT_SWAPPED);
  gtk_column_view_set_model(self->list, GTK_SELECTION_MODEL(self->selection));
  show_title(self);
  self->awaited = 0;
  debye_vibration_panel_choose(self, awaited);
}

/* --- The object --- */

static void
debye_vibration_panel_finalize(GObject *object)
{
  g_clear_object(&DEBYE_VIBRATION_PANEL(object)->selection);
  G_OBJECT_CLASS(debye_vibration_panel_parent_class)->finalize(object);
}

static void
debye_vibration_panel_class_init(DebyeVibrationPanelClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  const GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = debye_vibration_panel_finalize;
  g_signal_new("chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  g_signal_new("amplitude-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("stopped", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/debye/Debye/vibration_panel.ui");
  DEBYE_BIND_CHILDREN(class, DebyeVibrationPanel, title, frequency, list, amplitude, amplitude_text,
                      imaginary, stop);
  gtk_widget_class_bind_template_callback(widget_class, on_stop_clicked);
}

static void
debye_vibration_panel_init(DebyeVibrationPanel *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  g_signal_connect_object(self->amplitude, "value-changed", G_CALLBACK(on_amplitude), self,
                          G_CONNECT_SWAPPED);
  on_amplitude(self);
  show_title(self);
}
