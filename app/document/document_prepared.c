/* SPDX-License-Identifier: MIT */
/* A document with a prepared structure in place of its files'; called by window_opening.c and document_session.c. */
#include "document_private.h"

#include "data/selection/selection.h"
#include "render/layers/layer_kinds.h"

static DebyeDocument *
exchange(DebyeDocument *self, DebyeDataset *dataset, DebyePreparation *preparation, GError **error)
{
  g_autoptr(DebyeFrame) first_frame =
      debye_document_read_frame(debye_dataset_get_trajectory(dataset), 0, error);
  if (first_frame == NULL)
    return NULL;
  DebyeDocument *document = debye_document_remake(self, dataset, g_steal_pointer(&first_frame));
  g_set_object(&document->preparation, preparation);
  return document;
}

DebyeDocument *
debye_document_with_preparation(DebyeDocument *self, DebyePreparation *preparation, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self) && DEBYE_IS_PREPARATION(preparation), NULL);
  return exchange(self, debye_preparation_get_dataset(preparation), preparation, error);
}

DebyeDocument *
debye_document_without_preparation(DebyeDocument *self, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self) && self->preparation != NULL, NULL);
  return exchange(self, debye_preparation_get_origin(self->preparation), NULL, error);
}

DebyePreparation *
debye_document_get_preparation(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->preparation;
}

/* Of atoms that there are none of, as waters that were left out. */
static gboolean
is_empty(DebyeLayer *layer)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  g_auto(DebyeLayerContents) contents;
  debye_layer_contents_init(&contents, layer);
  return kind != NULL && kind->needs == DEBYE_LAYER_NEEDS_ATOMS && contents.selection != NULL &&
         contents.n_atoms == 0;
}

static gboolean
has_atoms(DebyeDocument *self, const char *text)
{
  DebyeTopology *topology = debye_document_get_topology(self);
  DebyeFrame *frame = debye_document_get_first_frame(self);
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, NULL);
  g_autoptr(GArray) atoms = selection != NULL && topology != NULL && frame != NULL
                                ? debye_selection_evaluate(selection, topology, frame, NULL)
                                : NULL;
  return atoms != NULL && atoms->len > 0;
}

static gboolean
has_cell(DebyeDocument *self)
{
  DebyeFrame *frame = debye_document_get_first_frame(self);
  return frame != NULL && frame->has_cell;
}

/* Whether there was what the layer shows: the atoms of a selection, or the cell. */
static gboolean
could_show(DebyeDocument *self, const DebyeLayerKind *kind, const DebyeLayerContents *contents)
{
  return contents->selection != NULL ? has_atoms(self, contents->selection)
                                     : kind->needs != DEBYE_LAYER_NEEDS_CELL || has_cell(self);
}

/* One that the structure before could not have, and nothing shows. */
static gboolean
is_new(DebyeDocument *self, DebyeDocument *before, DebyeLayer *layer)
{
  const DebyeLayerKind *kind = debye_layer_kind_of(layer);
  g_auto(DebyeLayerContents) contents;
  debye_layer_contents_init(&contents, layer);
  if (kind == NULL || could_show(before, kind, &contents))
    return FALSE;
  for (guint i = 0; i < self->layers->len; i++) {
    g_auto(DebyeLayerContents) other;
    debye_layer_contents_init(&other, self->layers->pdata[i]);
    if (contents.selection != NULL ? g_strcmp0(other.selection, contents.selection) == 0
                                   : debye_layer_kind_of(self->layers->pdata[i]) == kind)
      return FALSE;
  }
  return TRUE;
}

void
debye_document_fit_layers(DebyeDocument *self, DebyeDocument *before, GPtrArray *own)
{
  g_return_if_fail(DEBYE_IS_DOCUMENT(self));
  for (guint i = self->layers->len; i-- > 0;) {
    const DebyeLayerKind *kind = debye_layer_kind_of(self->layers->pdata[i]);
    if ((kind != NULL && kind->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS) || is_empty(self->layers->pdata[i]))
      g_ptr_array_remove_index(self->layers, i);
  }
  for (guint i = 0; i < own->len; i++)
    if (is_new(self, before, own->pdata[i]))
      g_ptr_array_add(self->layers, g_object_ref(own->pdata[i]));
  /* Of layers that can't be: a prepared structure has no cell, and nobody asked for its edges. */
  g_ptr_array_set_size(self->warnings, 0);
  g_ptr_array_add(self->warnings, NULL);
}
