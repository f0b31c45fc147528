/* SPDX-License-Identifier: MIT */
/* Which atoms a layer shows, as an entry for a selection that the window's undo knows. */
#pragma once

#include "data/molecule/topology.h"
#include "render/layers/layer.h"
#include <gtk/gtk.h>

/* A DebyeSelectionEntry for a layer with the property "choice" (render/layers/atom_choice.h): what is typed
 * chooses the layer's atoms, what undo brings back stands in the entry. Ctrl+Z takes back a text that the
 * layer doesn't have, or not yet, and goes on to the window else. `name`: for who hears the screen. */
GtkWidget *debye_layer_choice_controls_new(DebyeLayer *layer, const char *name, DebyeTopology *topology);
