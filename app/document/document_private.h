/* SPDX-License-Identifier: MIT */
/* Between a document of files (document.c) and one of a session (document_session.c). */
#pragma once

#include "document.h"

G_BEGIN_DECLS

struct _DebyeDocument {
  GObject parent_instance;
  DebyeDataset *dataset;
  DebyeSuggestedAtoms *suggested_atoms;
  DebyeFrame *first_frame;
  DebyeFrame *drawn_frame; /* of the layers; NULL: the first one */
  GPtrArray *layers;
  GPtrArray *maps;
  guint n_earlier_maps, n_restored_maps;
  DebyeSession *session; /* or NULL */
  GVariant *scene;       /* to be restored; or NULL */
  GStrv paths;
  GPtrArray *warnings; /* char *, with a NULL at the end once opened */
  gboolean continuation, only_maps;
};

/* NULL where the frame can't be read. */
DebyeFrame *debye_document_read_frame(DebyeTrajectory *trajectory, gsize number, GError **error);
/* The files and no others: a result doesn't bring what it was made of. Arguments as of
 * debye_document_open(). */
DebyeDocument *debye_document_open_listed(const char *const *paths, DebyeDocument *existing,
                                          DebyeProgressFunc progress, gpointer data, GError **error);

G_END_DECLS
