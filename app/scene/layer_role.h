/* SPDX-License-Identifier: MIT */
/* What a layer that the program added by itself stands for, so that it is found again under any name. Used by the window and
 * by sessions. */
#pragma once

#include "render/layers/layer.h"

typedef enum {
  DEBYE_LAYER_ROLE_NONE,      /* a layer like any other */
  DEBYE_LAYER_ROLE_RESIDUE,   /* the chosen residue */
  DEBYE_LAYER_ROLE_NEAR,      /* what lies near that */
  DEBYE_LAYER_ROLE_REFERENCE, /* of a spatial distribution */
  DEBYE_LAYER_ROLE_BLOB,      /* the marked one */
  DEBYE_LAYER_N_ROLES
} DebyeLayerRole;

/* With the role's usual name, which may be another one later. */
void debye_layer_role_give(DebyeLayer *layer, DebyeLayerRole role);
DebyeLayerRole debye_layer_role_get(DebyeLayer *layer);

/* For sessions: the word that stands for the layer's role; NULL: none has to be written. */
const char *debye_layer_role_save(DebyeLayer *layer);
/* The role of a word; NULL: a session from before roles. Nothing else of the layer changes. */
void debye_layer_role_load(DebyeLayer *layer, const char *word);
