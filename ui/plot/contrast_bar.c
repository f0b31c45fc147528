/* SPDX-License-Identifier: MIT */
/* The slider between hydrogen and deuterium beside a scattering curve; part of plot_panel.c. */
#include "contrast_bar.h"

#include <glib/gi18n.h>

#include "ui/widgets/number_slider.h"

struct _DebyeContrastBar {
  GtkBox parent_instance;
  DebyeNumberSlider *slider;
  GtkToggleButton *series;
  gboolean updating; /* the widgets follow a result */
};

G_DEFINE_FINAL_TYPE(DebyeContrastBar, debye_contrast_bar, GTK_TYPE_BOX)

static void
on_changed(DebyeContrastBar *self)
{
  if (!self->updating)
    g_signal_emit_by_name(self, "changed");
}

void
debye_contrast_bar_set(DebyeContrastBar *self, double fraction, gboolean series)
{
  g_return_if_fail(DEBYE_IS_CONTRAST_BAR(self));
  self->updating = TRUE;
  debye_number_slider_set_value(self->slider, 100.0 * fraction);
  gtk_toggle_button_set_active(self->series, series);
  self->updating = FALSE;
}

double
debye_contrast_bar_get_fraction(DebyeContrastBar *self)
{
  g_return_val_if_fail(DEBYE_IS_CONTRAST_BAR(self), 0.0);
  /* The entry of the slider takes any number. */
  return CLAMP(debye_number_slider_get_value(self->slider) / 100.0, 0.0, 1.0);
}

gboolean
debye_contrast_bar_get_series(DebyeContrastBar *self)
{
  g_return_val_if_fail(DEBYE_IS_CONTRAST_BAR(self), FALSE);
  return gtk_toggle_button_get_active(self->series);
}

static void
debye_contrast_bar_class_init(DebyeContrastBarClass *class)
{
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
  g_signal_new("changed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_contrast_bar_init(DebyeContrastBar *self)
{
  GtkWidget *label = gtk_label_new(_("D for H"));
  gtk_box_set_spacing(GTK_BOX(self), 6);
  gtk_widget_add_css_class(GTK_WIDGET(self), "plot-bar");
  gtk_widget_add_css_class(label, "caption");
  gtk_widget_set_tooltip_text(
      label, _("Deuterium fraction of the exchangeable hydrogens: those of “H/D exchange”, else all"));
  self->slider = DEBYE_NUMBER_SLIDER(debye_number_slider_new(_("Deuterium for hydrogen"), 0.0, 100.0, "%"));
  gtk_widget_set_hexpand(GTK_WIDGET(self->slider), TRUE);
  self->series = GTK_TOGGLE_BUTTON(gtk_toggle_button_new_with_label(_("Series")));
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->series), _("Also 0, 25, 50, 75 and 100 % deuterium"));
  gtk_widget_add_css_class(GTK_WIDGET(self->series), "flat");
  gtk_box_append(GTK_BOX(self), label);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->slider));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->series));
  g_signal_connect_swapped(self->slider, "notify::value", G_CALLBACK(on_changed), self);
  g_signal_connect_swapped(self->series, "toggled", G_CALLBACK(on_changed), self);
}
