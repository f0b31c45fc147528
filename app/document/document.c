/* SPDX-License-Identifier: MIT */
/* What a window shows: a dataset with maps, layers and what was said of the files; called by the window. Files are opened in
 * document_open.c. */
#include "document_private.h"

#include <string.h>

#include "app/analysis/driver/dataset_choice.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/molecule/backbone.h"
#include "app/scene/scene_builder.h"
#include "render/layers/box_layer.h"

G_DEFINE_FINAL_TYPE(DebyeDocument, debye_document, G_TYPE_OBJECT)

/* --- What all documents have --- */

DebyeFrame *
debye_document_read_frame(DebyeTrajectory *trajectory, gsize number, GError **error)
{
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, error);
  if (reader == NULL)
    return NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  if (frame == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "Not enough memory for one frame of %zu atoms",
                    debye_trajectory_get_n_atoms(trajectory));
    return NULL;
  }
  if (!debye_trajectory_reader_read(reader, number, frame, error))
    return NULL;
  return g_steal_pointer(&frame);
}

void
debye_document_make_layers(DebyeDocument *self)
{
  self->layers = debye_scene_builder_molecules(debye_document_get_topology(self), self->first_frame);
  const DebyeSceneSource source = {.frame = self->first_frame};
  DebyeLayer *box = debye_scene_builder_layer(&debye_box_layer_kind, &source, NULL, 0);
  if (box == NULL)
    return;
  debye_layer_set_visible(box, FALSE);
  g_ptr_array_add(self->layers, box);
}

void
debye_document_join_chains(DebyeDocument *self)
{
  if (self->layers == NULL || self->layers->len == 0 || self->maps->len > 0)
    return;
  DebyeLayer *last = self->layers->pdata[self->layers->len - 1];
  if (DEBYE_IS_BOX_LAYER(last) && debye_backbone_is_cut(debye_document_get_topology(self), self->first_frame))
    g_object_set(last, "molecules", DEBYE_PLACING_WHOLE, NULL);
}

void
debye_document_keep_maps(DebyeDocument *self, DebyeDocument *existing)
{
  for (guint i = 0; i < existing->maps->len; i++)
    g_ptr_array_add(self->maps, g_object_ref(existing->maps->pdata[i]));
  self->n_earlier_maps = self->maps->len;
}

/* --- The same with something else --- */

DebyeDocument *
debye_document_with_dataset(DebyeDocument *self, DebyeDataset *dataset)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self) && DEBYE_IS_DATASET(dataset), NULL);
  DebyeDocument *copy = g_object_new(DEBYE_TYPE_DOCUMENT, NULL);
  copy->dataset = g_object_ref(dataset);
  g_set_object(&copy->preparation, self->preparation);
  copy->suggested_atoms = debye_suggested_atoms_copy(self->suggested_atoms);
  copy->first_frame = self->first_frame != NULL ? debye_frame_ref(self->first_frame) : NULL;
  copy->drawn_frame = self->drawn_frame != NULL ? debye_frame_ref(self->drawn_frame) : NULL;
  copy->layers = self->layers != NULL ? g_ptr_array_ref(self->layers) : NULL;
  debye_document_keep_maps(copy, self);
  copy->paths = g_strdupv(self->paths);
  copy->left_out_paths = g_strdupv(self->left_out_paths);
  g_ptr_array_add(copy->warnings, NULL);
  g_ptr_array_add(copy->left_out, NULL);
  return copy;
}

DebyeDocument *
debye_document_remake(DebyeDocument *self, DebyeDataset *dataset, DebyeFrame *first_frame)
{
  DebyeDocument *copy = g_object_new(DEBYE_TYPE_DOCUMENT, NULL);
  copy->continuation = TRUE;
  copy->dataset = g_object_ref(dataset);
  copy->suggested_atoms = debye_suggested_atoms_new(debye_document_get_topology(copy));
  copy->first_frame = first_frame;
  if (copy->first_frame != NULL)
    debye_document_make_layers(copy);
  debye_document_keep_maps(copy, self);
  debye_document_join_chains(copy);
  copy->paths = g_strdupv(self->paths);
  copy->left_out_paths = g_strdupv(self->left_out_paths);
  g_ptr_array_add(copy->warnings, NULL);
  g_ptr_array_add(copy->left_out, NULL);
  return copy;
}

/* NULL without an error: the files hold no coordinates. */
static gboolean
read_first_frame(DebyeDocument *self, DebyeDataset *dataset, DebyeFrame **frame, GError **error)
{
  *frame = self->first_frame != NULL
               ? debye_document_read_frame(debye_dataset_get_trajectory(dataset), 0, error)
               : NULL;
  return self->first_frame == NULL || *frame != NULL;
}

DebyeDocument *
debye_document_with_elements(DebyeDocument *self, const char *const *choices, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self) && self->dataset != NULL, NULL);
  g_autoptr(DebyeFrame) first_frame = NULL;
  g_autoptr(DebyeDataset) dataset =
      debye_dataset_with_elements(debye_document_get_origin(self), choices, error);
  if (dataset == NULL)
    return NULL;
  if (self->preparation == NULL && self->first_frame != NULL)
    first_frame = debye_frame_ref(self->first_frame);
  else if (!read_first_frame(self, dataset, &first_frame, error))
    return NULL;
  return debye_document_remake(self, dataset, g_steal_pointer(&first_frame));
}

/* The first frame is read again: it may have another cell. */
DebyeDocument *
debye_document_with_counted(DebyeDocument *self, DebyeRequest *choice, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self) && self->dataset != NULL, NULL);
  DebyeDataset *origin = debye_document_get_origin(self);
  g_autoptr(DebyeFrame) first_frame = NULL;
  g_autoptr(DebyeDataset) dataset = debye_dataset_choose(origin, choice, NULL, error);
  if (dataset == NULL || !read_first_frame(self, dataset, &first_frame, error))
    return NULL;
  DebyeDocument *document = debye_document_remake(self, dataset, g_steal_pointer(&first_frame));
  const gboolean is_other = strcmp(debye_dataset_get_altloc(dataset), debye_dataset_get_altloc(origin)) != 0;
  g_autofree char *message = is_other ? debye_dataset_describe_altloc(dataset) : NULL;
  if (message != NULL)
    g_ptr_array_insert(document->warnings, 0, debye_message_translate(message));
  return document;
}

/* --- What it holds --- */

DebyeDataset *
debye_document_get_dataset(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->dataset;
}

DebyeDataset *
debye_document_get_origin(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->preparation != NULL ? debye_preparation_get_origin(self->preparation) : self->dataset;
}

DebyeTopology *
debye_document_get_topology(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->dataset != NULL ? debye_dataset_get_topology(self->dataset) : NULL;
}

const DebyeSuggestedAtoms *
debye_document_get_suggested_atoms(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->suggested_atoms;
}

DebyeFrame *
debye_document_get_first_frame(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->first_frame;
}

DebyeFrame *
debye_document_get_drawn_frame(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->drawn_frame != NULL ? self->drawn_frame : self->first_frame;
}

GPtrArray *
debye_document_get_layers(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->layers;
}

DebyeSession *
debye_document_get_session(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->session;
}

GVariant *
debye_document_get_scene(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->scene;
}

guint
debye_document_get_n_restored_maps(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), 0);
  return self->n_restored_maps;
}

GPtrArray *
debye_document_get_maps(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->maps;
}

guint
debye_document_get_n_earlier_maps(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), 0);
  return self->n_earlier_maps;
}

const char *const *
debye_document_get_paths(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return (const char *const *)self->paths;
}

const char *const *
debye_document_get_warnings(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return (const char *const *)self->warnings->pdata;
}

const char *const *
debye_document_get_left_out(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return (const char *const *)self->left_out->pdata;
}

const char *const *
debye_document_get_left_out_paths(DebyeDocument *self)
{
  static const char *const none[] = {NULL};
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), NULL);
  return self->left_out_paths != NULL ? (const char *const *)self->left_out_paths : none;
}

gboolean
debye_document_is_continuation(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), FALSE);
  return self->continuation;
}

gboolean
debye_document_adds_only_maps(DebyeDocument *self)
{
  g_return_val_if_fail(DEBYE_IS_DOCUMENT(self), FALSE);
  return self->only_maps;
}

static void
debye_document_finalize(GObject *object)
{
  DebyeDocument *self = DEBYE_DOCUMENT(object);
  g_clear_object(&self->dataset);
  g_clear_object(&self->preparation);
  g_clear_pointer(&self->first_frame, debye_frame_unref);
  g_clear_pointer(&self->drawn_frame, debye_frame_unref);
  g_clear_pointer(&self->suggested_atoms, debye_suggested_atoms_free);
  g_clear_pointer(&self->layers, g_ptr_array_unref);
  g_clear_pointer(&self->scene, g_variant_unref);
  g_clear_object(&self->session);
  g_ptr_array_unref(self->maps);
  g_ptr_array_unref(self->warnings);
  g_ptr_array_unref(self->left_out);
  g_strfreev(self->paths);
  g_strfreev(self->left_out_paths);
  G_OBJECT_CLASS(debye_document_parent_class)->finalize(object);
}

static void
debye_document_class_init(DebyeDocumentClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_document_finalize;
}

static void
debye_document_init(DebyeDocument *self)
{
  self->maps = g_ptr_array_new_with_free_func(g_object_unref);
  self->warnings = g_ptr_array_new_with_free_func(g_free);
  self->left_out = g_ptr_array_new_with_free_func(g_free);
}
