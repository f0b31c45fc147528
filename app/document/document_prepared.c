/* SPDX-License-Identifier: MIT */
/* A document with a prepared structure in place of its files'; called by window_opening.c and document_session.c. */
#include "document_private.h"

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

DebyeDataset *
debye_document_get_origin(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->preparation != NULL ? debye_preparation_get_origin(self->preparation) : self->dataset;
}

void
debye_document_drop_numbered_layers(DebyeDocument *self)
{
  g_return_if_fail(DEBYE_IS_DOCUMENT(self));
  for (guint i = self->layers->len; i-- > 0;) {
    const DebyeLayerKind *kind = debye_layer_kind_of(self->layers->pdata[i]);
    if (kind != NULL && kind->needs == DEBYE_LAYER_NEEDS_MEASURED_ATOMS)
      g_ptr_array_remove_index(self->layers, i);
  }
  /* Of layers that can't be: a prepared structure has no cell, and nobody asked for its edges. */
  g_ptr_array_set_size(self->warnings, 0);
  g_ptr_array_add(self->warnings, NULL);
}
