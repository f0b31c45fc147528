/* SPDX-License-Identifier: MIT */
/* The widgets that the rows of layers are made of. */
#pragma once

#include <adwaita.h>

#include "render/layers/layer_kinds.h"

/* A label and its control in one line; the label names the control for screen readers too. The line. */
GtkWidget *debye_layer_controls_add_line(AdwExpanderRow *row, const char *label, GtkWidget *control);
/* Binds a property of the control and one of the layer both ways; what the control changes can be undone. */
void debye_layer_controls_bind(DebyeLayer *layer, const char *property, GtkWidget *control,
                               const char *control_property);
/* For other ways back from a control, a GBindingTransformFunc of a binding whose source is the layer: says
 * that a person changes the property. */
void debye_layer_controls_edit(GBinding *binding);
/* A drop down of items with a text, which is cut where it has no room: names of files don't make the list of
 * layers wider. Takes both. */
GtkWidget *debye_layer_controls_drop_down(GListModel *model, GtkExpression *text);
/* The first items of a drop down that were made by debye_layer_controls_drop_down() are values of the layer's
 * "coloring", `n_colorings` of them: those for which its atoms lack something are greyed out, with the reason
 * below, and can't be chosen. */
void debye_layer_controls_grey_out(GtkWidget *choice, DebyeLayer *layer, guint n_colorings);
/* How many of the choices are values of the property. */
guint debye_layer_controls_count_choices(DebyeLayer *layer, const char *property, const DebyeChoice *choices);
/* A drop down for one of the layer's int properties; of "coloring" with what is lacking greyed out. */
GtkWidget *debye_layer_controls_choice(DebyeLayer *layer, const char *property, const char *name,
                                       const DebyeChoice *choices);
