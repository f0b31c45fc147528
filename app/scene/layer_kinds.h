/* SPDX-License-Identifier: MIT */
/* The kinds of layers: what each is made of, so that it can be made again, from a session or as a copy. What
 * can be set of a layer are its properties. */
#pragma once

#include "data/results/field.h"
#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "render/layers/layer.h"

G_BEGIN_DECLS

typedef enum {
  DEBYE_LAYER_NEEDS_NOTHING,
  DEBYE_LAYER_NEEDS_ATOMS,
  DEBYE_LAYER_NEEDS_MEASURED_ATOMS,
  DEBYE_LAYER_NEEDS_CELL,
  DEBYE_LAYER_NEEDS_MAP,
  DEBYE_LAYER_NEEDS_LINES,
} DebyeLayerNeeds;

/* What one layer is made of; each only where its kind needs it. Nothing of it changes any more, so it may go
 * to another thread. */
typedef struct {
  DebyeTopology *topology;
  DebyeFrame *frame;
  guint32 *atoms; /* NULL: all */
  gsize n_atoms;
  DebyeField *field;
  DebyeCell cell;
  DebyeVec3 cell_origin;
  float *line_ends; /* of lines, see render/layers/pair_layer.h */
  gsize n_lines;
} DebyeLayerContents;

typedef struct {
  const char *name; /* in sessions; NULL: not kept there */
  GType (*get_type)(void);
  DebyeLayerNeeds needs;
  gpointer (*create)(const DebyeLayerContents *contents);
} DebyeLayerKind;

/* NULL: none. */
const DebyeLayerKind *debye_layer_kind_of(DebyeLayer *layer);
const DebyeLayerKind *debye_layer_kind_find(const char *name);

/* Takes references and copies. */
void debye_layer_contents_init(DebyeLayerContents *contents, const DebyeLayerKind *kind, DebyeLayer *layer);
void debye_layer_contents_clear(DebyeLayerContents *contents);

/* Whether a property belongs to what a person has set. */
gboolean debye_layer_kind_keeps(DebyeLayer *layer, const GParamSpec *spec);
/* Of what kinds have in common; NULL: not this one. */
DebyeField *debye_layer_kind_field_of(DebyeLayer *layer);
const char *debye_layer_kind_selection_of(DebyeLayer *layer);
void debye_layer_kind_set_selection(DebyeLayer *layer, const char *text);

G_END_DECLS
