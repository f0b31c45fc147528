/* SPDX-License-Identifier: MIT */
/* What can be set of a slice: which plane, where, and the limits of its colours. */
#include "layer_controls.h"
#include "number_slider.h"
#include "number_text.h"

static void
show_limits(DebyeSliceLayer *layer, GtkWidget *low, GtkWidget *high)
{
  double minimum, maximum;
  debye_slice_layer_get_limits(layer, &minimum, &maximum);
  g_autofree char *low_text = debye_number_text(minimum, 4);
  g_autofree char *high_text = debye_number_text(maximum, 4);
  gtk_editable_set_text(GTK_EDITABLE(low), low_text);
  gtk_editable_set_text(GTK_EDITABLE(high), high_text);
}

static void
on_limits_changed(GtkWidget *box, GParamSpec *spec G_GNUC_UNUSED, DebyeSliceLayer *layer)
{
  GtkWidget *low = gtk_widget_get_first_child(box);
  show_limits(layer, low, gtk_widget_get_next_sibling(low));
}

static void
on_limit_entered(GtkEntry *entry, DebyeSliceLayer *layer)
{
  double minimum, maximum, value = 0.0;
  gboolean is_low = gtk_widget_get_prev_sibling(GTK_WIDGET(entry)) == NULL;
  debye_slice_layer_get_limits(layer, &minimum, &maximum);
  gboolean valid = debye_number_parse(gtk_editable_get_text(GTK_EDITABLE(entry)), &value) &&
                   (is_low ? value < maximum : value > minimum);
  if (!valid) {
    gtk_widget_add_css_class(GTK_WIDGET(entry), "error");
    return;
  }
  gtk_widget_remove_css_class(GTK_WIDGET(entry), "error");
  debye_slice_layer_set_limits(layer, is_low ? value : minimum, is_low ? maximum : value);
}

static void
on_reset(GtkButton *button G_GNUC_UNUSED, DebyeSliceLayer *layer)
{
  debye_slice_layer_reset_limits(layer);
}

static GtkWidget *
create_limit(DebyeSliceLayer *layer, const char *name)
{
  GtkWidget *entry = gtk_entry_new();
  gtk_editable_set_width_chars(GTK_EDITABLE(entry), 6);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), 6);
  gtk_entry_set_alignment(GTK_ENTRY(entry), 1.0f);
  gtk_widget_set_hexpand(entry, TRUE);
  gtk_widget_add_css_class(entry, "numeric");
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object(entry, "activate", G_CALLBACK(on_limit_entered), layer, G_CONNECT_DEFAULT);
  return entry;
}

static GtkWidget *
create_limits(DebyeSliceLayer *layer)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
  gtk_box_append(GTK_BOX(box), create_limit(layer, "Lower limit of the colours"));
  gtk_box_append(GTK_BOX(box), create_limit(layer, "Upper limit of the colours"));
  GtkWidget *unit = gtk_label_new(debye_field_get_unit(debye_slice_layer_get_field(layer)));
  gtk_widget_add_css_class(unit, "dim-label");
  gtk_widget_add_css_class(unit, "caption");
  gtk_box_append(GTK_BOX(box), unit);
  gtk_box_append(GTK_BOX(box), reset);
  gtk_widget_add_css_class(reset, "flat");
  gtk_widget_set_tooltip_text(reset, "Back to the map's own range");
  gtk_accessible_update_property(GTK_ACCESSIBLE(reset), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Back to the map's own range", -1);
  g_signal_connect_object(reset, "clicked", G_CALLBACK(on_reset), layer, G_CONNECT_DEFAULT);
  g_signal_connect_object(layer, "notify::minimum", G_CALLBACK(on_limits_changed), box, G_CONNECT_SWAPPED);
  g_signal_connect_object(layer, "notify::maximum", G_CALLBACK(on_limits_changed), box, G_CONNECT_SWAPPED);
  on_limits_changed(box, NULL, layer);
  return box;
}

/* --- Where --- */

/* Another plane, another map, or a place that was typed beyond the map's end: what the layer says counts. */
static void
show_distance(DebyeNumberSlider *slider, GParamSpec *spec G_GNUC_UNUSED, DebyeSliceLayer *layer)
{
  double low, high;
  debye_slice_layer_get_reach(layer, &low, &high);
  g_signal_handlers_block_matched(slider, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, layer);
  debye_number_slider_set_range(slider, low, high);
  debye_number_slider_set_value(slider, debye_slice_layer_get_distance(layer));
  g_signal_handlers_unblock_matched(slider, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, layer);
}

static void
on_distance(DebyeNumberSlider *slider, GParamSpec *spec G_GNUC_UNUSED, DebyeSliceLayer *layer)
{
  debye_slice_layer_set_distance(layer, debye_number_slider_get_value(slider));
  show_distance(slider, NULL, layer);
}

static GtkWidget *
create_position(DebyeSliceLayer *layer)
{
  GtkWidget *slider = debye_number_slider_new("Position of the slice in ångström", 0.0, 1.0, "Å");
  g_signal_connect_object(slider, "notify::value", G_CALLBACK(on_distance), layer, G_CONNECT_DEFAULT);
  g_signal_connect_object(layer, "notify::distance", G_CALLBACK(show_distance), slider, G_CONNECT_SWAPPED);
  show_distance(DEBYE_NUMBER_SLIDER(slider), NULL, layer);
  return slider;
}

void
debye_slice_controls_fill(AdwExpanderRow *row, DebyeSliceLayer *layer)
{
  static const char *const axes[] = {"Across x", "Across y", "Across z", NULL};
  DebyeLayer *base = DEBYE_LAYER(layer);
  debye_layer_controls_add_line(row, "Plane", debye_layer_controls_choice(base, "axis", "Plane", axes));
  debye_layer_controls_add_line(row, "Position", create_position(layer));
  debye_layer_controls_add_line(row, "Limits", create_limits(layer));
  debye_layer_controls_add_line(row, "Opacity",
                                debye_layer_controls_slider(base, "opacity", "Opacity", 0.0, 1.0, NULL));
}
