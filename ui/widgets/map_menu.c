/* SPDX-License-Identifier: MIT */
/* The menu of a map: profiles, a line, a difference; part of layer rows and of the list of results. */
#include "map_menu.h"

#include <glib/gi18n.h>

#include "render/scene/scene_map.h"

#define LAYER_KEY "debye-layer"

/* FALSE where it is not listed. */
static gboolean
find_number(GListModel *maps, DebyeField *field, guint *number)
{
  for (*number = 0; *number < g_list_model_get_n_items(maps); (*number)++) {
    g_autoptr(DebyeSceneMap) map = g_list_model_get_item(maps, *number);
    if (field != NULL && debye_scene_map_get_field(map) == field)
      return TRUE;
  }
  return FALSE;
}

static void
add_entry(GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr(GMenuItem) item = g_menu_item_new(label, NULL);
  g_menu_item_set_action_and_target_value(item, action, target);
  g_menu_append_item(menu, item);
}

GMenuModel *
debye_map_menu_create(DebyeMapMenuSource source, guint number)
{
  static const char *const actions[][3] = {
      [DEBYE_MAP_MENU_SCENE] = {"win.map-profile", "win.map-line", "win.map-subtract"},
      [DEBYE_MAP_MENU_RESULT] = {"win.result-profile", "win.result-line", "win.result-subtract"},
  };
  static const char *const profiles[] = {N_("Profile along x"), N_("Profile along y"), N_("Profile along z")};
  g_autoptr(GMenu) plots = g_menu_new();
  g_autoptr(GMenu) maps = g_menu_new();
  GMenu *menu = g_menu_new();
  for (int axis = 0; axis < 3; axis++)
    add_entry(plots, _(profiles[axis]), actions[source][0], g_variant_new("(ui)", number, axis));
  add_entry(plots, _("Values along a line…"), actions[source][1], g_variant_new_uint32(number));
  add_entry(maps, _("Subtract another map…"), actions[source][2], g_variant_new_uint32(number));
  g_menu_append_section(menu, NULL, G_MENU_MODEL(plots));
  g_menu_append_section(menu, NULL, G_MENU_MODEL(maps));
  return G_MENU_MODEL(menu);
}

/* Of a surface: what a click on one of its blobs lists, of all of them. */
static void
add_blobs(GMenu *menu, DebyeLayer *layer, guint number)
{
  double level = 0.0;
  if (!debye_layer_has(layer, "level"))
    return;
  g_autoptr(GMenu) section = g_menu_new();
  g_object_get(layer, "level", &level, NULL);
  add_entry(section, _("List residues in the blobs"), "win.map-blobs", g_variant_new("(ud)", number, level));
  g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
}

/* Made when it is opened: a layer takes over newer maps, and their numbers change. */
static void
fill(GtkMenuButton *button, gpointer data)
{
  DebyeLayer *layer = g_object_get_data(G_OBJECT(button), LAYER_KEY);
  guint number;
  g_autoptr(GMenuModel) menu = find_number(data, debye_layer_get_field(layer), &number)
                                   ? debye_map_menu_create(DEBYE_MAP_MENU_SCENE, number)
                                   : NULL;
  if (menu != NULL)
    add_blobs(G_MENU(menu), layer, number);
  gtk_menu_button_set_menu_model(button, menu);
}

GtkWidget *
debye_map_menu_new(DebyeLayer *layer, GListModel *maps)
{
  GtkWidget *button = gtk_menu_button_new();
  g_object_set_data_full(G_OBJECT(button), LAYER_KEY, g_object_ref(layer), g_object_unref);
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), _("Plot or compare"));
  gtk_menu_button_set_create_popup_func(GTK_MENU_BUTTON(button), fill, g_object_ref(maps), g_object_unref);
  gtk_widget_set_tooltip_text(button,
                              _("Profiles of this map, values along a line, the difference to another map"));
  gtk_widget_add_css_class(button, "flat");
  return button;
}
