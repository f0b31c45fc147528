/* SPDX-License-Identifier: MIT */
/* What can be made of the map of a layer, as a menu button: profiles, a line, a difference. Its entries are
 * the window's actions map-profile (ui: the map's number in the list, the axis), map-line (u) and
 * map-subtract (u). */
#pragma once

#include <gtk/gtk.h>

#include "data/field.h"
#include "render/layer.h"

G_BEGIN_DECLS

/* `maps` (of DebyeSceneMap): those of the scene. */
GtkWidget *debye_map_menu_new(DebyeLayer *layer, GListModel *maps);
/* The map that a layer shows; NULL: it shows none. */
DebyeField *debye_map_menu_find_field(DebyeLayer *layer);

G_END_DECLS
