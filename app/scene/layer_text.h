/* SPDX-License-Identifier: MIT */
/* A layer as one line: what it is made of, how it is drawn and what else is set of it, as in “protein: cartoon, chain,
 * opacity 0.5”. The option --layer of debye-cli render is such lines.
 *
 *     [ATOMS:] ITEM, ITEM, …
 *
 * ATOMS is a selection; of a layer that needs none it is left out. An item is a word or a property with its value,
 * “opacity 0.5” or “opacity=0.5”. Words are: a style of atoms (spheres, ball-and-stick, sticks, lines), another kind of layer
 * (cartoon, surface, isosurface, slice, labels …), a value of a property with choices (chain, excluded), a property that
 * can be on (flipped), a colour (#3366cc, red), a number (the opacity). After a kind stands what its option has:
 * “isosurface 4”, “slice z:12.5”, “labels atom”. Values in double quotes may hold commas and colons. Labels after another
 * kind are a second layer, of the same atoms. */
#pragma once

#include "render/layers/layer_kinds.h"
#include "scene_builder.h"

typedef struct _DebyeLayerText DebyeLayerText;

/* Reads the file of a map that colours a layer (color-field); NULL with an error. */
typedef DebyeField *(*DebyeLayerTextLoad)(const char *path, gpointer data, GError **error);

/* What layers of a text are made with. */
typedef struct {
  DebyeSceneSource source;
  DebyeLayerTextLoad load; /* NULL: no files are read */
  gpointer data;           /* of load */
} DebyeLayerTextContext;

/* Only the form is checked. NULL with DEBYE_ERROR_SETTING. */
DebyeLayerText *debye_layer_text_parse(const char *text, GError **error);
void debye_layer_text_free(DebyeLayerText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeLayerText, debye_layer_text_free)

/* What stands before the colon: atoms, or the name of a layer; NULL: nothing. */
const char *debye_layer_text_get_subject(const DebyeLayerText *self);
/* The kind that its words name; NULL: they name none, or the text names only labels of it. */
const DebyeLayerKind *debye_layer_text_find_kind(const DebyeLayerText *self);

/* Adds the files of maps that colour it. */
void debye_layer_text_list_files(const DebyeLayerText *self, GStrvBuilder *files);

/* One layer, or two with labels, back to front. NULL with an error that says which item of which text is wrong, what was
 * expected and what is possible. (element-type DebyeLayer) */
GPtrArray *debye_layer_text_build(const DebyeLayerText *self, const DebyeLayerTextContext *context,
                                  GError **error);
/* Changes a layer that is there; its kind stays. */
gboolean debye_layer_text_apply(const DebyeLayerText *self, DebyeLayer *layer,
                                const DebyeLayerTextContext *context, GError **error);
