/* SPDX-License-Identifier: MIT */
/* The list of all kinds of layers and functions for any kind; used by menus, sessions, options and scenes. */
#pragma once

#include "layer.h"

/* All kinds, NULL-terminated, in the order of the menu. */
const DebyeLayerKind *const *debye_layer_kinds(void);
/* For tests: a kind more, before any other use of the list. */
void debye_layer_kind_register(const DebyeLayerKind *kind);
/* NULL: none. */
const DebyeLayerKind *debye_layer_kind_of(DebyeLayer *layer);
const DebyeLayerKind *debye_layer_kind_find(const char *key);

/* A layer of these contents, without a name. (transfer full) */
DebyeLayer *debye_layer_kind_create(const DebyeLayerKind *kind, const DebyeLayerContents *contents);
/* Before a layer joins those of a scene (DebyeLayer): if it is called by its kind, as one of them of the same file is, its
 * name gets a number, "Slice 2". */
void debye_layer_kind_tell_apart(DebyeLayer *layer, GListModel *others);
/* Sets the name's number by the name: of a session that was written before layers had one. */
void debye_layer_kind_recognise_name(DebyeLayer *layer);
/* What a layer is made of, to be cleared. */
void debye_layer_contents_init(DebyeLayerContents *contents, DebyeLayer *layer);
/* Whether a property belongs to what a person has set, which sessions keep. */
gboolean debye_layer_keeps(DebyeLayer *layer, const GParamSpec *spec);
