/* SPDX-License-Identifier: MIT */
/* What a window shows: a dataset, its first frame and the layers made of them; and maps from files. There is
 * one of both at least. Opened on a worker thread, immutable afterwards. */
#pragma once

#include "data/settings/request.h"
#include "data/trajectory/dataset.h"
#include "preparation.h"
#include "session.h"
#include "suggested_atoms.h"

#define DEBYE_TYPE_DOCUMENT (debye_document_get_type())
G_DECLARE_FINAL_TYPE(DebyeDocument, debye_document, DEBYE, DOCUMENT, GObject)

/* `existing`: what a window shows already, or NULL. What the files add to that becomes one document with it:
 * maps always; coordinates alone, as further frames of its molecule; a molecule, where it has none. Of a
 * structure with files that don't fit it the structure is opened, with those that do. */
DebyeDocument *debye_document_open(const char *const *paths, DebyeDocument *existing,
                                   DebyeProgressFunc progress, gpointer data, GError **error);
/* What a session says, of those of its files that are there: debye_session_check() was called before. */
DebyeDocument *debye_document_open_session(DebyeSession *session, DebyeProgressFunc progress, gpointer data,
                                           GError **error);
/* The layers of its session's scene again, as they are with the atoms of frame `number`: placed, superposed and chosen anew.
 * The document was opened by the function above. */
void debye_document_restore_frame(DebyeDocument *self, gint64 number);
/* Its scene is to be as `scene`, of session_scene.h, says, whose maps are numbered as in `maps`, with the
 * atoms of frame `number`. Before the document is handed over. */
void debye_document_restore_scene(DebyeDocument *self, GVariant *scene, gint64 number, GPtrArray *maps);
/* The same with another dataset of the same atoms: frames have come. What is drawn is shared. */
DebyeDocument *debye_document_with_dataset(DebyeDocument *self, DebyeDataset *dataset);
/* The same with other elements, and what is drawn made anew. A prepared one is as its files have it again, as of the next. */
DebyeDocument *debye_document_with_elements(DebyeDocument *self, const char *const *choices, GError **error);
/* The same with other alternate locations, another cell or unit of length in force, see dataset_choice.h. */
DebyeDocument *debye_document_with_counted(DebyeDocument *self, DebyeRequest *choice, GError **error);
/* The same with the prepared structure in place of the files', or with the files' again, and what is drawn made anew. */
DebyeDocument *debye_document_with_preparation(DebyeDocument *self, DebyePreparation *preparation,
                                               GError **error);
DebyeDocument *debye_document_without_preparation(DebyeDocument *self, GError **error);
/* Of the dataset; NULL: it is as its files have it. */
DebyePreparation *debye_document_get_preparation(DebyeDocument *self);
/* The dataset as its files have it, also of a prepared one. */
DebyeDataset *debye_document_get_origin(DebyeDocument *self);
/* After the scene was restored: takes out the layers that name atoms by their numbers, which are others now, and those of
 * atoms that are gone, as waters, and the remarks on layers that could not be made again. Of its `own`, that it had
 * before, those come back whose atoms or cell the document `before` had not. */
void debye_document_fit_layers(DebyeDocument *self, DebyeDocument *before, GPtrArray *own);
/* NULL where there are only maps. */
DebyeDataset *debye_document_get_dataset(DebyeDocument *self);
DebyeTopology *debye_document_get_topology(DebyeDocument *self);
/* NULL where there are only maps. */
const DebyeSuggestedAtoms *debye_document_get_suggested_atoms(DebyeDocument *self);
/* NULL where the files hold no coordinates. */
DebyeFrame *debye_document_get_first_frame(DebyeDocument *self);
/* What its layers show: the first frame, or the one of the restored scene with its molecules placed. */
DebyeFrame *debye_document_get_drawn_frame(DebyeDocument *self);
/* Molecules and box, back to front. (element-type DebyeLayer) */
GPtrArray *debye_document_get_layers(DebyeDocument *self);
/* The one it was opened from; NULL: none. */
DebyeSession *debye_document_get_session(DebyeDocument *self);
/* What the scene is to be like, of session_scene.h; its layers, those of maps too, are among the document's.
 * NULL: as a new one. */
GVariant *debye_document_get_scene(DebyeDocument *self);
/* So many maps at the beginning have their layers already, as the scene was restored. */
guint debye_document_get_n_restored_maps(DebyeDocument *self);
/* Each a DebyeField or a DebyeResult; those of the existing document first. (element-type GObject) */
GPtrArray *debye_document_get_maps(DebyeDocument *self);
guint debye_document_get_n_earlier_maps(DebyeDocument *self);
/* All files, in an order in which they can be opened again. */
const char *const *debye_document_get_paths(DebyeDocument *self);
/* One sentence each, NULL-terminated; those of an existing document are not repeated. */
const char *const *debye_document_get_warnings(DebyeDocument *self);

/* Why files that were to be opened are not part of it, as a trajectory of other atoms: one sentence each,
 * NULL-terminated. */
const char *const *debye_document_get_left_out(DebyeDocument *self);
/* Those files, NULL-terminated: a session keeps them, since what is wrong with them may pass. */
const char *const *debye_document_get_left_out_paths(DebyeDocument *self);

/* TRUE where it continues the one that was given to debye_document_open(). */
gboolean debye_document_is_continuation(DebyeDocument *self);
/* TRUE where, moreover, only maps were added: the molecule and its layers are the same objects. */
gboolean debye_document_adds_only_maps(DebyeDocument *self);

/* For a title bar: "helix.psf + helix.xtc", "fas2.dx". */
char *debye_document_get_title(DebyeDocument *self);
/* "12,345 atoms · 501 frames · 62.2 × 62.2 × 62.2 Å"; of a map alone its points, extent and unit. */
char *debye_document_describe(DebyeDocument *self);
