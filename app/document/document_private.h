/* SPDX-License-Identifier: MIT */
/* Between a document (document.c), that of files (document_open.c) and that of a session (document_session.c). */
#pragma once

#include "document.h"

struct _DebyeDocument {
  GObject parent_instance;
  DebyeDataset *dataset;
  DebyePreparation *preparation; /* of the dataset; NULL: it is as its files have it */
  DebyeSuggestedAtoms *suggested_atoms;
  DebyeFrame *first_frame;
  DebyeFrame *drawn_frame; /* of the layers; NULL: the first one */
  GPtrArray *layers;
  GPtrArray *maps;
  guint n_earlier_maps, n_restored_maps;
  DebyeSession *session; /* or NULL */
  GVariant *scene;       /* to be restored; or NULL */
  GStrv paths;
  GPtrArray *warnings;  /* char *, with a NULL at the end once opened */
  GPtrArray *left_out;  /* char *, why files are not among the paths; with a NULL at the end once opened */
  GStrv left_out_paths; /* of those files */
  gboolean continuation, only_maps;
};

/* NULL where the frame can't be read. */
DebyeFrame *debye_document_read_frame(DebyeTrajectory *trajectory, gsize number, GError **error);
/* Of its molecules, from the first frame. */
void debye_document_make_layers(DebyeDocument *self);
/* Chains that the cell cuts are drawn whole, as by render, unless there is a map: it shows the frame as the file has it. */
void debye_document_join_chains(DebyeDocument *self);
/* The same with another dataset, and what is drawn made anew. Takes the frame, or NULL. */
DebyeDocument *debye_document_remake(DebyeDocument *self, DebyeDataset *dataset, DebyeFrame *first_frame);
/* The maps of an existing one; NULL: none. */
void debye_document_keep_maps(DebyeDocument *self, DebyeDocument *existing);
/* The files and no others: a result doesn't bring what it was made of. Arguments as of
 * debye_document_open(). */
DebyeDocument *debye_document_open_listed(const char *const *paths, DebyeDocument *existing,
                                          DebyeProgressFunc progress, gpointer data, GError **error);
/* Of files that can't be opened as one molecule those that can: the first with a topology and each that fits
 * it, in their order. The paths of the others go into `left_out`, why, a sentence each, into `reasons`. NULL:
 * there is no such structure, or what went wrong isn't about a file (Stop, memory). */
char **debye_document_find_fitting(const char *const *paths, GPtrArray *left_out, GPtrArray *reasons,
                                   DebyeProgressFunc progress, gpointer data);
