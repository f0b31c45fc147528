/* SPDX-License-Identifier: MIT */
/* The controls of a slice, called by layer_controls.c: which plane, where, and the limits of its colours. */
#include "color_controls.h"

#include <glib/gi18n.h>
#include "layer_controls.h"
#include "ui/widgets/number_slider.h"

static const char *
get_unit(DebyeLayer *layer)
{
  return debye_field_get_unit(debye_slice_layer_get_field(DEBYE_SLICE_LAYER(layer)));
}

static void
reset_limits(DebyeLayer *layer)
{
  debye_slice_layer_reset_limits(DEBYE_SLICE_LAYER(layer));
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
  debye_layer_edit(DEBYE_LAYER(layer), "distance");
  debye_slice_layer_set_distance(layer, debye_number_slider_get_value(slider));
  show_distance(slider, NULL, layer);
}

static GtkWidget *
create_position(DebyeSliceLayer *layer)
{
  const char *unit = debye_field_get_length_unit(debye_slice_layer_get_field(layer));
  GtkWidget *slider = debye_number_slider_new(g_str_equal(unit, "Å") ? _("Position of the slice in ångström")
                                                                     : _("Position of the slice"),
                                              0.0, 1.0, unit);
  g_signal_connect_object(slider, "notify::value", G_CALLBACK(on_distance), layer, G_CONNECT_DEFAULT);
  g_signal_connect_object(layer, "notify::distance", G_CALLBACK(show_distance), slider, G_CONNECT_SWAPPED);
  show_distance(DEBYE_NUMBER_SLIDER(slider), NULL, layer);
  return slider;
}

void
debye_slice_controls_fill(AdwExpanderRow *row, DebyeSliceLayer *layer)
{
  static const char *const axes[] = {N_("Across x"), N_("Across y"), N_("Across z"), NULL};
  DebyeLayer *base = DEBYE_LAYER(layer);
  debye_layer_controls_add_line(row, _("Plane"), debye_layer_controls_choice(base, "axis", _("Plane"), axes));
  debye_layer_controls_add_line(row, _("Position"), create_position(layer));
  debye_layer_controls_add_line(row, _("Limits"), debye_color_limits_new(base, get_unit, reset_limits));
  debye_layer_controls_add_line(row, _("Opacity"),
                                debye_layer_controls_slider(base, "opacity", _("Opacity"), 0.0, 1.0, NULL));
}
