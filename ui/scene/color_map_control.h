/* SPDX-License-Identifier: MIT */
/* The choice of a layer's colour map: those that there are, or a file's. */
#pragma once

#include <gtk/gtk.h>

#include "render/layers/layer.h"

/* For the property "color-map" of a layer that has it. */
GtkWidget *debye_color_map_control_new(DebyeLayer *layer, const char *name);
