/* SPDX-License-Identifier: MIT */
/* The controls of an isosurface, called by layer_controls.c: its level, how transparent it is, its colour or
 * the map that colours it. */
#include <math.h>

#include "color_controls.h"

#include <glib/gi18n.h>
#include "layer_controls.h"
#include "ui/widgets/number_slider.h"

/* The slider covers what all but this part of the map's points have. */
#define RANGE_PERCENTILE 0.995

static void
set_range(DebyeNumberSlider *slider, DebyeField *field)
{
  double low = debye_field_get_percentile(field, 1.0 - RANGE_PERCENTILE);
  double high = debye_field_get_percentile(field, RANGE_PERCENTILE);
  double reach = fmax(fabs(low), fabs(high));
  if (reach > 0.0 && isfinite(reach))
    debye_number_slider_set_range(slider, low < 0.0 ? -reach : 0.0, high > 0.0 ? reach : 0.0);
}

/* The map grew: its range may have too. */
static void
on_layer_changed(DebyeNumberSlider *slider, DebyeIsosurfaceLayer *layer)
{
  DebyeField *field = debye_isosurface_layer_get_field(layer);
  if (g_object_get_data(G_OBJECT(slider), "field") == field)
    return;
  g_object_set_data_full(G_OBJECT(slider), "field", g_object_ref(field), g_object_unref);
  set_range(slider, field);
}

static GtkWidget *
create_level(DebyeIsosurfaceLayer *layer)
{
  DebyeField *field = debye_isosurface_layer_get_field(layer);
  GtkWidget *slider = debye_layer_controls_slider(DEBYE_LAYER(layer), "level", _("Isosurface level"), 0.0,
                                                  1.0, debye_field_get_unit(field));
  on_layer_changed(DEBYE_NUMBER_SLIDER(slider), layer);
  g_signal_connect_object(layer, "changed", G_CALLBACK(on_layer_changed), slider, G_CONNECT_SWAPPED);
  return slider;
}

static gboolean
color_to_rgba(GBinding *binding G_GNUC_UNUSED, const GValue *from, GValue *to, gpointer data G_GNUC_UNUSED)
{
  guint color = g_value_get_uint(from);
  GdkRGBA rgba = {(float)(color >> 16 & 0xff) / 255.0f, (float)(color >> 8 & 0xff) / 255.0f,
                  (float)(color & 0xff) / 255.0f, 1.0f};
  g_value_set_boxed(to, &rgba);
  return TRUE;
}

static gboolean
rgba_to_color(GBinding *binding, const GValue *from, GValue *to, gpointer data G_GNUC_UNUSED)
{
  const GdkRGBA *rgba = g_value_get_boxed(from);
  guint red = (guint)lroundf(rgba->red * 255.0f), green = (guint)lroundf(rgba->green * 255.0f);
  debye_layer_controls_edit(binding);
  g_value_set_uint(to, red << 16 | green << 8 | (guint)lroundf(rgba->blue * 255.0f));
  return TRUE;
}

static GtkWidget *
create_color(DebyeIsosurfaceLayer *layer)
{
  GtkWidget *button = gtk_color_button_new();
  gtk_widget_set_halign(button, GTK_ALIGN_END);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Colour of the surface"), -1);
  g_object_bind_property_full(layer, "color", button, "rgba", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL,
                              color_to_rgba, rgba_to_color, NULL, NULL);
  return button;
}

static gboolean
is_null(GBinding *binding G_GNUC_UNUSED, const GValue *from, GValue *to, gpointer data G_GNUC_UNUSED)
{
  g_value_set_boolean(to, g_value_get_object(from) == NULL);
  return TRUE;
}

/* Hidden while a map gives the colours. */
static void
add_color(AdwExpanderRow *row, DebyeIsosurfaceLayer *layer)
{
  GtkWidget *color = create_color(layer);
  debye_layer_controls_add_line(row, _("Colour"), color);
  GtkWidget *line = gtk_widget_get_ancestor(color, GTK_TYPE_LIST_BOX_ROW);
  g_object_bind_property_full(layer, "color-field", line, "visible", G_BINDING_SYNC_CREATE, is_null, NULL,
                              NULL, NULL);
}

void
debye_isosurface_controls_fill(AdwExpanderRow *row, DebyeIsosurfaceLayer *layer, GListModel *maps)
{
  static const char *const own[] = {N_("One colour"), NULL};
  DebyeMeshLayer *mesh = DEBYE_MESH_LAYER(layer);
  debye_layer_controls_add_line(row, _("Level"), create_level(layer));
  debye_layer_controls_add_line(
      row, _("Opacity"),
      debye_layer_controls_slider(DEBYE_LAYER(layer), "opacity", _("Opacity"), 0.0, 1.0, NULL));
  debye_layer_controls_add_line(row, _("Colour by"), debye_color_choice_new(mesh, own, maps));
  debye_color_controls_add_limits(row, mesh);
  add_color(row, layer);
}
