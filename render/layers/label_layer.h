/* SPDX-License-Identifier: MIT */
/* Texts at atoms or residues. They are drawn over the picture, at most DEBYE_MAX_LABELS of them. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "layer.h"

#define DEBYE_TYPE_LABEL_LAYER (debye_label_layer_get_type())
extern const DebyeLayerKind debye_label_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeLabelLayer, debye_label_layer, DEBYE, LABEL_LAYER, DebyeLayer)

#define DEBYE_MAX_LABELS 400

/* What a label says. */
typedef enum { DEBYE_LABEL_RESIDUE, DEBYE_LABEL_ATOM, DEBYE_LABEL_INDEX, DEBYE_LABEL_TEXT } DebyeLabelContent;

/* Properties: "content" int (DebyeLabelContent): "LYS 13" once a residue, at its trace or first atom; "NZ";
 * the 0-based index of the atom; one's own "text" once for all atoms, in their middle, or once a residue where the text has
 * its {residue} (the name), {number}, {chain} or {atom}. "leaders" boolean: labels stand aside, each with a line to its place.
 * "has-own-text" boolean, to be read. "choice" (atom_choice.h): atoms and selection together, notified only when
 * set so. */
DebyeLabelLayer *debye_label_layer_new(DebyeTopology *topology);
/* An error names a word in braces that stands for nothing. */
gboolean debye_label_layer_check_text(const char *text, GError **error);
