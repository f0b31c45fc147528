/* SPDX-License-Identifier: MIT */
/* Makes the lines of a layer's row from the settings of its kind; called by layer_row.c. The type of a property
 * decides its control: see render/layers/layer_kind.h. */
#include "layer_settings.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/messages/count_text.h"
#include "color_controls.h"
#include "color_map_control.h"
#include "layer_choice_controls.h"
#include "layer_controls.h"
#include "ui/widgets/number_slider.h"

/* A line in the making. */
typedef struct {
  const DebyeLayerSetting *setting;
  DebyeLayer *layer;
  DebyeTopology *topology;
  GListModel *maps;
  const char *name; /* in the user's language */
} Line;

static void
set_name(GtkWidget *control, const char *name)
{
  gtk_accessible_update_property(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* --- Numbers --- */

/* Another map, or a value beyond the map's end: what the layer says counts. */
static void
show_within_range(DebyeNumberSlider *slider, DebyeLayer *layer)
{
  const DebyeLayerSetting *setting = g_object_get_data(G_OBJECT(slider), "setting");
  double low = 0.0, high = 1.0, value = 0.0;
  const char *unit;
  setting->get_range(layer, &low, &high, &unit);
  g_object_get(layer, setting->property, &value, NULL);
  g_signal_handlers_block_matched(slider, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, layer);
  debye_number_slider_set_range(slider, low, high);
  debye_number_slider_set_value(slider, value);
  g_signal_handlers_unblock_matched(slider, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, layer);
}

static void
on_value(DebyeNumberSlider *slider, GParamSpec *spec G_GNUC_UNUSED, DebyeLayer *layer)
{
  const DebyeLayerSetting *setting = g_object_get_data(G_OBJECT(slider), "setting");
  debye_layer_edit(layer, setting->property);
  g_object_set(layer, setting->property, debye_number_slider_get_value(slider), NULL);
  show_within_range(slider, layer);
}

static GtkWidget *
create_slider(const Line *line, const GParamSpecDouble *spec)
{
  const DebyeLayerSetting *setting = line->setting;
  const char *unit = setting->unit;
  double low = setting->low, high = setting->high;
  if (setting->get_range != NULL) {
    setting->get_range(line->layer, &low, &high, &unit);
  } else if (!(high > low)) {
    low = spec->minimum;
    high = spec->maximum;
  }
  GtkWidget *slider = debye_number_slider_new(line->name, low, high, unit);
  if (setting->get_range == NULL) {
    debye_layer_controls_bind(line->layer, setting->property, slider, "value");
    return slider;
  }
  g_object_set_data(G_OBJECT(slider), "setting", (gpointer)setting);
  g_signal_connect_object(slider, "notify::value", G_CALLBACK(on_value), line->layer, G_CONNECT_DEFAULT);
  g_signal_connect_object(line->layer, "changed", G_CALLBACK(show_within_range), slider, G_CONNECT_SWAPPED);
  show_within_range(DEBYE_NUMBER_SLIDER(slider), line->layer);
  return slider;
}

static GtkWidget *
create_count(const Line *line, const GParamSpecInt *spec)
{
  GtkWidget *spin = gtk_spin_button_new_with_range(spec->minimum, spec->maximum, 1.0);
  set_name(spin, line->name);
  gtk_widget_set_tooltip_text(spin, line->name);
  debye_layer_controls_bind(line->layer, line->setting->property, spin, "value");
  return spin;
}

static gboolean
count_to_text(GBinding *binding G_GNUC_UNUSED, const GValue *from, GValue *to, gpointer data G_GNUC_UNUSED)
{
  const guint n_atoms = g_value_get_uint(from);
  g_autofree char *count = debye_count_text(n_atoms);
  g_value_take_string(to, g_strdup_printf(ngettext("%s atom", "%s atoms", n_atoms), count));
  return TRUE;
}

static GtkWidget *
create_note(const Line *line)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0.0f);
  g_object_bind_property_full(line->layer, line->setting->property, label, "label", G_BINDING_SYNC_CREATE,
                              count_to_text, NULL, NULL, NULL);
  return label;
}

/* --- Others --- */

static GtkWidget *
create_switch(const Line *line)
{
  GtkWidget *control = gtk_switch_new();
  gtk_widget_set_halign(control, GTK_ALIGN_END);
  set_name(control, line->name);
  debye_layer_controls_bind(line->layer, line->setting->property, control, "active");
  return control;
}

/* Half a name is no file: Enter takes it, or leaving the entry. */
static void
take_text(DebyeLayer *layer, GtkWidget *entry)
{
  const char *property = g_object_get_data(G_OBJECT(entry), "property");
  const char *text = gtk_editable_get_text(GTK_EDITABLE(entry));
  g_autofree char *known = NULL;
  g_object_get(layer, property, &known, NULL);
  if (g_strcmp0(text, known) == 0)
    return;
  debye_layer_edit(layer, property);
  g_object_set(layer, property, text, NULL);
}

static void
on_activated(GtkWidget *entry, DebyeLayer *layer)
{
  take_text(layer, entry);
}

static void
on_left(GtkEventController *focus, DebyeLayer *layer)
{
  take_text(layer, gtk_event_controller_get_widget(focus));
}

static GtkWidget *
create_text(const Line *line)
{
  GtkWidget *entry = gtk_entry_new();
  GtkEventController *focus = gtk_event_controller_focus_new();
  set_name(entry, line->name);
  g_object_set_data(G_OBJECT(entry), "property", (gpointer)line->setting->property);
  g_object_bind_property(line->layer, line->setting->property, entry, "text", G_BINDING_SYNC_CREATE);
  g_signal_connect_object(entry, "activate", G_CALLBACK(on_activated), line->layer, G_CONNECT_DEFAULT);
  g_signal_connect_object(focus, "leave", G_CALLBACK(on_left), line->layer, G_CONNECT_DEFAULT);
  gtk_widget_add_controller(entry, focus);
  return entry;
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
create_color(const Line *line)
{
  GtkWidget *button = gtk_color_button_new();
  gtk_widget_set_halign(button, GTK_ALIGN_END);
  set_name(button, line->name);
  g_object_bind_property_full(line->layer, line->setting->property, button, "rgba",
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, color_to_rgba, rgba_to_color,
                              NULL, NULL);
  return button;
}

/* --- Lines --- */

static GtkWidget *
create_control(const Line *line)
{
  const DebyeLayerSetting *setting = line->setting;
  GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(line->layer), setting->property);
  g_return_val_if_fail(spec != NULL, NULL);
  if (spec->value_type == DEBYE_TYPE_FIELD)
    return debye_color_choice_new(DEBYE_MESH_LAYER(line->layer), line->maps);
  if (g_str_equal(setting->property, "color-map"))
    return debye_color_map_control_new(line->layer, line->name);
  if (g_str_equal(setting->property, "minimum"))
    return debye_color_limits_new(line->layer);
  switch (spec->value_type) {
  case G_TYPE_VARIANT:
    return debye_layer_choice_controls_new(line->layer, line->name, line->topology);
  case G_TYPE_BOOLEAN:
    return create_switch(line);
  case G_TYPE_INT:
    return setting->choices != NULL
               ? debye_layer_controls_choice(line->layer, setting->property, line->name, setting->choices)
               : create_count(line, G_PARAM_SPEC_INT(spec));
  case G_TYPE_UINT:
    return (spec->flags & G_PARAM_WRITABLE) != 0 ? create_color(line) : create_note(line);
  case G_TYPE_STRING:
    return create_text(line);
  default:
    return create_slider(line, G_PARAM_SPEC_DOUBLE(spec));
  }
}

static gboolean
has_map(GBinding *binding G_GNUC_UNUSED, const GValue *from, GValue *to, gpointer data G_GNUC_UNUSED)
{
  g_value_set_boolean(to, g_value_get_object(from) != NULL);
  return TRUE;
}

/* The position of the colouring by one colour; -1: the layer has no colourings. */
static int
find_one_color(DebyeLayer *layer)
{
  const DebyeLayerSetting *coloring = debye_layer_kind_find_setting(debye_layer_kind_of(layer), "coloring");
  for (int i = 0; coloring != NULL && coloring->choices[i].value != NULL; i++)
    if (g_str_equal(coloring->choices[i].value, "uniform"))
      return i;
  return -1;
}

static void
show_color(GtkWidget *item, GParamSpec *spec G_GNUC_UNUSED, DebyeLayer *layer)
{
  const int one_color = find_one_color(layer);
  int coloring = one_color;
  if (one_color >= 0)
    g_object_get(layer, "coloring", &coloring, NULL);
  gtk_widget_set_visible(item, debye_layer_get_color_field(layer) == NULL && coloring == one_color);
}

/* Limits of colours and where they are read are for those of a map, one colour for without. */
static void
show_when_it_counts(const Line *line, GtkWidget *item)
{
  const char *property = line->setting->property;
  if (line->setting->shown_with != NULL)
    g_object_bind_property(line->layer, line->setting->shown_with, item, "visible", G_BINDING_SYNC_CREATE);
  gboolean is_of_map = g_str_equal(property, "minimum") || g_str_equal(property, "sample-distance");
  if (debye_layer_has(line->layer, "color-field") && is_of_map)
    g_object_bind_property_full(line->layer, "color-field", item, "visible", G_BINDING_SYNC_CREATE, has_map,
                                NULL, NULL, NULL);
  if (!g_str_equal(property, "color"))
    return;
  g_signal_connect_object(line->layer, "notify::color-field", G_CALLBACK(show_color), item,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(line->layer, "notify::coloring", G_CALLBACK(show_color), item, G_CONNECT_SWAPPED);
  show_color(item, NULL, line->layer);
}

/* Whether the choice of another property is one with which the setting counts. */
static gboolean
is_needed(GBinding *binding G_GNUC_UNUSED, const GValue *from, GValue *to, gpointer setting)
{
  g_value_set_boolean(to, (((const DebyeLayerSetting *)setting)->needed >> g_value_get_int(from) & 1) != 0);
  return TRUE;
}

/* Its colourings stand before the maps. */
static gboolean
is_in_color_choice(const Line *line)
{
  return g_str_equal(line->setting->property, "coloring") && debye_layer_has(line->layer, "color-field");
}

void
debye_layer_settings_fill(AdwExpanderRow *row, DebyeLayer *layer, DebyeTopology *topology, GListModel *maps)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  for (gsize i = 0; kind != NULL && i < kind->n_settings; i++) {
    const DebyeLayerSetting *setting = &kind->settings[i];
    Line line = {.setting = setting, .layer = layer, .topology = topology, .maps = maps};
    if (setting->label == NULL || is_in_color_choice(&line))
      continue;
    line.name = _(setting->name != NULL ? setting->name : setting->label);
    GtkWidget *control = create_control(&line);
    if (setting->tooltip != NULL)
      gtk_widget_set_tooltip_text(control, _(setting->tooltip));
    if (setting->needs != NULL)
      g_object_bind_property_full(layer, setting->needs, control, "sensitive", G_BINDING_SYNC_CREATE,
                                  setting->needed != 0 ? is_needed : NULL, NULL, (gpointer)setting, NULL);
    show_when_it_counts(&line, debye_layer_controls_add_line(row, _(setting->label), control));
  }
}
