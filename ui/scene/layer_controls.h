/* SPDX-License-Identifier: MIT */
/* The few controls of each kind of layer, as rows for its expander. Each kind has a file of its own. */
#pragma once

#include <adwaita.h>

#include "data/molecule/topology.h"
#include "render/layers/box_layer.h"
#include "render/layers/cartoon_layer.h"
#include "render/layers/alignment_layer.h"
#include "render/layers/clip_layer.h"
#include "render/layers/bin_layer.h"
#include "render/layers/hydrogen_bond_layer.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/label_layer.h"
#include "render/layers/molecular_surface_layer.h"
#include "render/layers/molecule_layer.h"
#include "render/layers/slice_layer.h"

G_BEGIN_DECLS

/* `row` gets the controls that fit the layer's kind. `maps` (of DebyeSceneMap; may be NULL): those that can
 * colour it. */
void debye_layer_controls_fill(AdwExpanderRow *row, DebyeLayer *layer, DebyeTopology *topology,
                               GListModel *maps);

void debye_molecule_controls_fill(AdwExpanderRow *row, DebyeMoleculeLayer *layer, DebyeTopology *topology);
void debye_cartoon_controls_fill(AdwExpanderRow *row, DebyeCartoonLayer *layer, DebyeTopology *topology,
                                 GListModel *maps);
void debye_molecular_surface_controls_fill(AdwExpanderRow *row, DebyeMolecularSurfaceLayer *layer,
                                           DebyeTopology *topology, GListModel *maps);
void debye_box_controls_fill(AdwExpanderRow *row, DebyeBoxLayer *layer);
void debye_alignment_controls_fill(AdwExpanderRow *row, DebyeAlignmentLayer *layer, DebyeTopology *topology);
void debye_clip_controls_fill(AdwExpanderRow *row, DebyeClipLayer *layer);
void debye_label_controls_fill(AdwExpanderRow *row, DebyeLabelLayer *layer, DebyeTopology *topology);
void debye_bin_controls_fill(AdwExpanderRow *row, DebyeBinLayer *layer, DebyeTopology *topology);
void debye_hydrogen_bond_controls_fill(AdwExpanderRow *row, DebyeHydrogenBondLayer *layer,
                                       DebyeTopology *topology);
void debye_isosurface_controls_fill(AdwExpanderRow *row, DebyeIsosurfaceLayer *layer, GListModel *maps);
void debye_slice_controls_fill(AdwExpanderRow *row, DebyeSliceLayer *layer);

/* A label and its control in one line; the label names the control for screen readers too. */
void debye_layer_controls_add_line(AdwExpanderRow *row, const char *label, GtkWidget *control);
/* Binds a property of the control and one of the layer both ways; what the control changes can be undone. */
void debye_layer_controls_bind(DebyeLayer *layer, const char *property, GtkWidget *control,
                               const char *control_property);
/* For other ways back from a control, a GBindingTransformFunc of a binding whose source is the layer: says
 * that a person changes the property. */
void debye_layer_controls_edit(GBinding *binding);
/* The slider for one of the layer's double properties, bound both ways. */
GtkWidget *debye_layer_controls_slider(DebyeLayer *layer, const char *property, const char *name,
                                       double minimum, double maximum, const char *unit);
/* A drop down of items with a text, which is cut where it has no room: names of files don't make the list of
 * layers wider. Takes both. */
GtkWidget *debye_layer_controls_drop_down(GListModel *model, GtkExpression *text);
/* The first items of a drop down that were made by debye_layer_controls_drop_down() are values of the layer's
 * "coloring", `n_colorings` of them: those for which its atoms lack something are greyed out, with the reason
 * below, and can't be chosen. */
void debye_layer_controls_grey_out(GtkWidget *choice, DebyeLayer *layer, guint n_colorings);
/* A drop down for one of the layer's int properties. `labels` NULL-terminated, in the order of the values. */
GtkWidget *debye_layer_controls_choice(DebyeLayer *layer, const char *property, const char *name,
                                       const char *const *labels);

G_END_DECLS
