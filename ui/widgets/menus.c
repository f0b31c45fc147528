/* SPDX-License-Identifier: MIT */
/* Implementation of menus.h: loads the menus of windows and plots for their widgets. */
#include "menus.h"

/* One for all windows, not one in each window's template: a popover of GTK 4.8 keeps a reference to every
 * section that it has shown, so that each closed window would leave its menus behind, some 20 kB. */
GMenuModel *
debye_menus_get(const char *id)
{
  static GtkBuilder *builder;
  if (builder == NULL)
    builder = gtk_builder_new_from_resource("/org/debye/Debye/menus.ui");
  GObject *menu = gtk_builder_get_object(builder, id);
  g_return_val_if_fail(G_IS_MENU_MODEL(menu), NULL);
  return G_MENU_MODEL(menu);
}
