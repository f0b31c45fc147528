/* SPDX-License-Identifier: MIT */
/* Layers as values of a session and back. What can be set of a layer are its properties, so a new property, or
 * a new kind of layer, is saved without a line here. */
#pragma once

#include "data/results/result.h"
#include "data/molecule/topology.h"
#include "data/molecule/frame.h"
#include "render/scene/scene.h"

/* What layers are made of. */
typedef struct {
  DebyeTopology *topology; /* NULL: there are only maps */
  DebyeFrame *frame;       /* NULL: no coordinates */
  GPtrArray *maps; /* DebyeField or DebyeResult, by their numbers in the session; NULL where one is missing */
} DebyeSessionSource;

/* An array (av), back to front. Layers of other maps than `maps`, and of kinds that are computed and not set
 * by hand (pairs), are left out. (transfer floating) */
GVariant *debye_session_layers_save(GPtrArray *layers, GPtrArray *maps);
/* Never NULL. What can't be made anew, as its map or its atoms are not there, is left out and told in
 * `warnings` (char *), one sentence each. (element-type DebyeLayer) */
GPtrArray *debye_session_layers_load(GVariant *list, const DebyeSessionSource *source, GPtrArray *warnings);
