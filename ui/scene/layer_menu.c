/* SPDX-License-Identifier: MIT */
/* The menu "Add layer" from the list of kinds of layers; shown by layers_panel.c. */
#include "layer_menu.h"

#include <glib/gi18n.h>

#include "render/layers/layer_kinds.h"
#include "ui/widgets/menus.h"

/* NULL: there is none of this number. */
static GMenuModel *
create_section(guint number)
{
  GMenu *section = g_menu_new();
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++) {
    g_autofree char *action = g_strconcat("win." DEBYE_ADD_ACTION, (*kind)->key, NULL);
    if ((*kind)->section == number)
      g_menu_append(section, _((*kind)->title), action);
  }
  if (g_menu_model_get_n_items(G_MENU_MODEL(section)) == 0)
    g_clear_object(&section);
  return G_MENU_MODEL(section);
}

static GMenu *
create(void)
{
  GMenu *menu = g_menu_new();
  GMenuModel *section;
  g_menu_append_section(menu, NULL, debye_menus_get("electrostatic"));
  for (guint number = 1; (section = create_section(number)) != NULL; number++) {
    g_menu_append_section(menu, NULL, section);
    g_object_unref(section);
  }
  g_menu_append_section(menu, NULL, debye_menus_get("measure"));
  return menu;
}

GMenuModel *
debye_layer_menu_get(void)
{
  static GMenu *menu;
  if (menu == NULL)
    menu = create();
  return G_MENU_MODEL(menu);
}
