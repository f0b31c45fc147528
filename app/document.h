/* SPDX-License-Identifier: MIT */
/* What a window shows: a dataset, its first frame, and the layers made of them. Opened on a worker thread,
 * immutable afterwards. */
#pragma once

#include "data/dataset.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_DOCUMENT (debye_document_get_type())
G_DECLARE_FINAL_TYPE(DebyeDocument, debye_document, DEBYE, DOCUMENT, GObject)

/* `existing`: what a window shows already, or NULL. Where every new file has only coordinates, they are
 * further frames of that, and the document holds both. */
DebyeDocument *debye_document_open(const char *const *paths, DebyeDocument *existing,
                                   DebyeProgressFunc progress, gpointer data, GError **error);
DebyeDataset *debye_document_get_dataset(DebyeDocument *self);
/* NULL where the files hold no coordinates. */
DebyeFrame *debye_document_get_first_frame(DebyeDocument *self);
/* Molecules and box, back to front. (element-type DebyeLayer) */
GPtrArray *debye_document_get_layers(DebyeDocument *self);
/* TRUE where it continues the one that was given to debye_document_open(). */
gboolean debye_document_is_continuation(DebyeDocument *self);
/* "12,345 atoms · 501 frames · 62.2 × 62.2 × 62.2 Å" */
char *debye_document_describe(DebyeDocument *self);

G_END_DECLS
