/* SPDX-License-Identifier: MIT */
/* Controls for the colouring of a layer and the limits of a map's colours; used by the controls of several
 * layers. */
#include "color_controls.h"

#include <glib/gi18n.h>

#include "data/tables/unit_text.h"
#include "layer_controls.h"
#include "ui/widgets/number_entry.h"
#include "ui/widgets/number_text.h"
#include "render/scene/scene_map.h"

#define LIMIT_DIGITS 4

/* For as long as the widget lives, which owns `data`. */
static void
show_on(gpointer layer, const char *signal, GtkWidget *widget, GCallback show, gpointer data)
{
  GClosure *closure = g_cclosure_new_swap(show, data, NULL);
  g_object_watch_closure(G_OBJECT(widget), closure);
  g_signal_connect_closure(layer, signal, closure, FALSE);
}

/* --- By what --- */

typedef struct {
  DebyeMeshLayer *layer; /* borrowed: signals go with it */
  GtkDropDown *choice;
  guint n_own;
  gboolean has_coloring;
  gulong selected;
} Choice;

static guint
find_position(const Choice *choice)
{
  DebyeField *field = debye_mesh_layer_get_color_field(choice->layer);
  GListModel *model = gtk_drop_down_get_model(choice->choice);
  int own = 0;
  if (field == NULL && choice->has_coloring)
    g_object_get(choice->layer, "coloring", &own, NULL);
  if (field == NULL)
    return (guint)own;
  for (guint i = choice->n_own; i < g_list_model_get_n_items(model); i++) {
    g_autoptr(DebyeSceneMap) map = g_list_model_get_item(model, i);
    if (debye_scene_map_get_field(map) == field)
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

static void
show_choice(Choice *choice)
{
  g_signal_handler_block(choice->choice, choice->selected);
  gtk_drop_down_set_selected(choice->choice, find_position(choice));
  g_signal_handler_unblock(choice->choice, choice->selected);
}

static void
on_selected(Choice *choice)
{
  guint position = gtk_drop_down_get_selected(choice->choice);
  DebyeSceneMap *map = gtk_drop_down_get_selected_item(choice->choice);
  if (map == NULL)
    return;
  if (position < choice->n_own && choice->has_coloring &&
      debye_layer_find_coloring_lack(DEBYE_LAYER(choice->layer), (int)position) != NULL) {
    show_choice(choice);
    return;
  }
  debye_layer_edit(DEBYE_LAYER(choice->layer), "color-field");
  debye_mesh_layer_set_color_field(choice->layer, debye_scene_map_get_field(map));
  if (position < choice->n_own && choice->has_coloring) {
    debye_layer_edit(DEBYE_LAYER(choice->layer), "coloring");
    g_object_set(choice->layer, "coloring", (int)position, NULL);
  }
}

/* The layer's own colourings: those of "coloring", or the one that it has. */
static const DebyeChoice *
find_own(DebyeLayer *layer)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  const DebyeLayerSetting *setting = debye_layer_kind_find_setting(kind, "coloring");
  return setting != NULL ? setting->choices : debye_layer_kind_find_setting(kind, "color-field")->choices;
}

static GListModel *
list_all(const DebyeChoice *own, guint n_own, GListModel *maps)
{
  g_autoptr(GListStore) first = g_list_store_new(DEBYE_TYPE_SCENE_MAP);
  GListStore *both = g_list_store_new(G_TYPE_LIST_MODEL);
  for (guint i = 0; i < n_own; i++) {
    g_autoptr(DebyeSceneMap) entry = debye_scene_map_new(_(own[i].label), NULL);
    g_list_store_append(first, entry);
  }
  g_list_store_append(both, first);
  if (maps != NULL)
    g_list_store_append(both, maps);
  return G_LIST_MODEL(gtk_flatten_list_model_new(G_LIST_MODEL(both)));
}

GtkWidget *
debye_color_choice_new(DebyeMeshLayer *layer, GListModel *maps)
{
  GtkExpression *name = gtk_property_expression_new(DEBYE_TYPE_SCENE_MAP, NULL, "name");
  const DebyeChoice *own = find_own(DEBYE_LAYER(layer));
  const guint n_own = debye_layer_controls_count_choices(DEBYE_LAYER(layer), "coloring", own);
  GtkWidget *widget = debye_layer_controls_drop_down(list_all(own, n_own, maps), name);
  Choice *choice = g_new0(Choice, 1);
  choice->layer = layer;
  choice->choice = GTK_DROP_DOWN(widget);
  choice->n_own = n_own;
  choice->has_coloring = debye_layer_has(DEBYE_LAYER(layer), "coloring");
  g_object_set_data_full(G_OBJECT(widget), "debye-color-choice", choice, g_free);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Colour by"), -1);
  choice->selected = g_signal_connect_swapped(widget, "notify::selected", G_CALLBACK(on_selected), choice);
  if (choice->has_coloring)
    debye_layer_controls_grey_out(widget, DEBYE_LAYER(layer), choice->n_own);
  show_on(layer, "notify::color-field", widget, G_CALLBACK(show_choice), choice);
  show_on(layer, "notify::coloring", widget, G_CALLBACK(show_choice), choice);
  show_choice(choice);
  return widget;
}

/* --- From where to where --- */

typedef struct {
  DebyeLayer *layer; /* borrowed: signals go with it */
  GtkWidget *low, *high, *unit;
} Limits;

static void
show_limits(Limits *limits)
{
  DebyeField *field = debye_layer_get_color_field(limits->layer);
  double minimum, maximum;
  g_object_get(limits->layer, "minimum", &minimum, "maximum", &maximum, NULL);
  g_autofree char *low = debye_number_text(minimum, LIMIT_DIGITS);
  g_autofree char *high = debye_number_text(maximum, LIMIT_DIGITS);
  gtk_editable_set_text(GTK_EDITABLE(limits->low), low);
  gtk_editable_set_text(GTK_EDITABLE(limits->high), high);
  g_autofree char *unit = debye_unit_to_text(field != NULL ? debye_field_get_unit(field) : NULL);
  gtk_label_set_text(GTK_LABEL(limits->unit), unit);
}

static void
on_entered(GtkEntry *entry, Limits *limits)
{
  double minimum, maximum, value = 0.0;
  gboolean is_low = GTK_WIDGET(entry) == limits->low;
  g_object_get(limits->layer, "minimum", &minimum, "maximum", &maximum, NULL);
  gboolean valid = debye_number_parse(gtk_editable_get_text(GTK_EDITABLE(entry)), &value) &&
                   (is_low ? value < maximum : value > minimum);
  if (!valid) {
    gtk_widget_add_css_class(GTK_WIDGET(entry), "error");
    return;
  }
  gtk_widget_remove_css_class(GTK_WIDGET(entry), "error");
  debye_layer_edit(limits->layer, is_low ? "minimum" : "maximum");
  g_object_set(limits->layer, is_low ? "minimum" : "maximum", value, NULL);
}

static void
on_reset(GtkButton *button G_GNUC_UNUSED, Limits *limits)
{
  debye_layer_edit(limits->layer, "minimum");
  debye_layer_edit(limits->layer, "maximum");
  debye_layer_reset_limits(limits->layer);
}

static GtkWidget *
create_limit(Limits *limits, const char *name)
{
  GtkWidget *entry = debye_number_entry_new(5);
  gtk_widget_set_hexpand(entry, TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect(entry, "activate", G_CALLBACK(on_entered), limits);
  return entry;
}

static GtkWidget *
create_reset(Limits *limits)
{
  GtkWidget *reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
  gtk_widget_add_css_class(reset, "flat");
  gtk_widget_set_tooltip_text(reset, _("Reset to the map's own range"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(reset), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Reset to the map's own range"), -1);
  g_signal_connect(reset, "clicked", G_CALLBACK(on_reset), limits);
  return reset;
}

/* Sharing again gives up the layer's own limits, which undo brings back with the rest. */
static void
on_share_toggled(GtkToggleButton *button, Limits *limits)
{
  const gboolean shares = gtk_toggle_button_get_active(button);
  if (debye_layer_get_shares_limits(limits->layer) == shares)
    return;
  if (shares)
    debye_layer_edit(limits->layer, "minimum");
  if (shares)
    debye_layer_edit(limits->layer, "maximum");
  debye_layer_edit(limits->layer, "shares-limits");
  debye_layer_set_shares_limits(limits->layer, shares);
}

static GtkWidget *
create_share(Limits *limits)
{
  const char *text = _("Same limits for all layers of this quantity");
  GtkWidget *share = gtk_toggle_button_new();
  gtk_button_set_icon_name(GTK_BUTTON(share), "insert-link-symbolic");
  gtk_widget_add_css_class(share, "flat");
  gtk_widget_set_tooltip_text(share, text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(share), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_bind_property(limits->layer, "shares-limits", share, "active", G_BINDING_SYNC_CREATE);
  g_signal_connect(share, "toggled", G_CALLBACK(on_share_toggled), limits);
  return share;
}

GtkWidget *
debye_color_limits_new(DebyeLayer *layer)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 3);
  Limits *limits = g_new(Limits, 1);
  *limits = (Limits){.layer = layer};
  g_object_set_data_full(G_OBJECT(box), "debye-color-limits", limits, g_free);
  limits->low = create_limit(limits, _("Lower limit of the colours"));
  limits->high = create_limit(limits, _("Upper limit of the colours"));
  limits->unit = gtk_label_new(NULL);
  gtk_widget_add_css_class(limits->unit, "dim-label");
  gtk_widget_add_css_class(limits->unit, "caption");
  gtk_box_append(GTK_BOX(box), limits->low);
  gtk_box_append(GTK_BOX(box), limits->high);
  gtk_box_append(GTK_BOX(box), limits->unit);
  gtk_box_append(GTK_BOX(box), create_share(limits));
  gtk_box_append(GTK_BOX(box), create_reset(limits));
  show_on(layer, "notify::minimum", box, G_CALLBACK(show_limits), limits);
  show_on(layer, "notify::maximum", box, G_CALLBACK(show_limits), limits);
  show_on(layer, "notify::color-field", box, G_CALLBACK(show_limits), limits);
  show_limits(limits);
  return box;
}
