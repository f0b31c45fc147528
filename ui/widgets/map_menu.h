/* SPDX-License-Identifier: MIT */
/* What can be made of a map: profiles, a line, a difference. The entries are the window's actions map-profile
 * (ui: the map's number in the list, the axis), map-line (u) and map-subtract (u), or, of the map of a
 * result, result-profile, result-line and result-subtract, with the result's place in the list. */
#pragma once

#include <gtk/gtk.h>

#include "data/results/field.h"
#include "render/layers/layer.h"

/* Whose maps are numbered. */
typedef enum { DEBYE_MAP_MENU_SCENE, DEBYE_MAP_MENU_RESULT } DebyeMapMenuSource;

/* (transfer full) */
GMenuModel *debye_map_menu_create(DebyeMapMenuSource source, guint number);
/* A button with the menu of a layer's map. `maps` (of DebyeSceneMap): those of the scene. */
GtkWidget *debye_map_menu_new(DebyeLayer *layer, GListModel *maps);
