/* SPDX-License-Identifier: MIT */
/* The menu "Add layer". */
#pragma once

#include <gtk/gtk.h>

/* The window's action for a kind of layer is this and the kind's key. */
#define DEBYE_ADD_ACTION "add-"

/* The electrostatic surface, kinds of layers, then what is measured; as
 * debye_menus_get() does, one for all windows. (transfer none) */
GMenuModel *debye_layer_menu_get(void);
