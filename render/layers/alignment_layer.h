/* SPDX-License-Identifier: MIT */
/* Says that the frames of the scene are superposed, and by what. It draws nothing itself: while it is visible,
 * whoever brings frames to the scene superposes them. The first of several counts. */
#pragma once

#include <gio/gio.h>

#include "layer.h"

#define DEBYE_TYPE_ALIGNMENT_LAYER (debye_alignment_layer_get_type())
extern const DebyeLayerKind debye_alignment_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeAlignmentLayer, debye_alignment_layer, DEBYE, ALIGNMENT_LAYER, DebyeLayer)

/* Properties: "atoms" string, the selection that is laid on the reference, "solute" at first; "reference"
 * string as the setting of that name has it ("frame:0" at first); "by-mass" boolean: atoms count by their
 * masses. "choice" (atom_choice.h): "atoms" again, for controls; its atoms are left aside. */
DebyeAlignmentLayer *debye_alignment_layer_new(void);
const char *debye_alignment_layer_get_atoms(DebyeAlignmentLayer *self);
const char *debye_alignment_layer_get_reference(DebyeAlignmentLayer *self);
gboolean debye_alignment_layer_get_by_mass(DebyeAlignmentLayer *self);

/* The first alignment, visible or not; NULL: none. (transfer none) */
DebyeAlignmentLayer *debye_alignment_layer_find(GListModel *layers);
/* The first that is visible. (transfer none) */
DebyeAlignmentLayer *debye_alignment_layer_find_visible(GListModel *layers);
