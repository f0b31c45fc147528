/* SPDX-License-Identifier: MIT */
/* Opens the document that a session describes; called by window_opening.c and session_picture.c. */
#include "document_private.h"

#include "app/analysis/driver/dataset_choice.h"
#include "data/files/error.h"
#include "json_reader.h"
#include "map_file.h"
#include "session_scene.h"

/* A frame that isn't there (any more) is told nowhere but in the picture: the first is shown. */
static DebyeFrame *
find_frame(DebyeDocument *self, gint64 number)
{
  DebyeTrajectory *trajectory = self->dataset != NULL ? debye_dataset_get_trajectory(self->dataset) : NULL;
  gboolean is_there =
      trajectory != NULL && number > 0 && (guint64)number < debye_trajectory_get_n_frames(trajectory);
  DebyeFrame *frame = is_there ? debye_document_read_frame(trajectory, (gsize)number, NULL) : NULL;
  return frame != NULL || self->first_frame == NULL ? frame : debye_frame_ref(self->first_frame);
}

static void
align_drawn(DebyeDocument *self, GVariant *scene)
{
  g_auto(DebyeAlignment) alignment = {0};
  debye_session_scene_find_alignment(scene, &alignment);
  if (alignment.atoms == NULL || self->dataset == NULL)
    return;
  g_autoptr(DebyeFrameEdit) edit = debye_alignment_new_edit(&alignment, self->dataset, NULL);
  DebyeFrame *aligned = edit != NULL ? debye_alignment_apply(edit, self->drawn_frame, NULL) : NULL;
  if (aligned == NULL)
    return;
  debye_frame_unref(self->drawn_frame);
  self->drawn_frame = aligned;
}

/* Here already: what is drawn first is what the session had. A frame that can't be placed is drawn as it is. */
static void
place_drawn(DebyeDocument *self, GVariant *scene, DebyeFrame *frame)
{
  DebyeTopology *topology = debye_document_get_topology(self);
  if (topology == NULL || frame == NULL)
    return;
  g_autoptr(DebyePlacer) placer = debye_placer_new(topology);
  g_clear_pointer(&self->drawn_frame, debye_frame_unref);
  self->drawn_frame = debye_placer_place(placer, debye_session_scene_find_placing(scene), frame, NULL);
  if (self->drawn_frame == NULL)
    self->drawn_frame = debye_frame_ref(frame);
  align_drawn(self, scene);
}

void
debye_document_restore_scene(DebyeDocument *self, GVariant *scene, gint64 number, GPtrArray *maps)
{
  g_return_if_fail(DEBYE_IS_DOCUMENT(self) && scene != NULL);
  g_autoptr(DebyeFrame) frame = find_frame(self, number);
  place_drawn(self, scene, frame);
  const DebyeSessionSource source = {.topology = debye_document_get_topology(self),
                                     .frame = debye_document_get_drawn_frame(self),
                                     .maps = maps};
  g_ptr_array_set_size(self->warnings, (int)self->warnings->len - 1); /* the NULL at the end */
  g_clear_pointer(&self->layers, g_ptr_array_unref);
  self->layers = debye_session_scene_load_layers(scene, &source, self->warnings);
  g_ptr_array_add(self->warnings, NULL);
  g_variant_ref_sink(scene);
  g_clear_pointer(&self->scene, g_variant_unref);
  self->scene = scene;
  self->n_restored_maps = self->continuation ? self->n_earlier_maps : self->maps->len;
}

static char **
list_present(DebyeSession *session)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (guint i = 0; i < debye_session_get_n_files(session); i++) {
    const DebyeSessionFile *file = debye_session_get_file(session, i);
    if (file->state != DEBYE_SESSION_FILE_MISSING)
      g_strv_builder_add(builder, file->path);
  }
  return g_strv_builder_end(builder);
}

/* A session numbers maps by its files. */
static GPtrArray *
number_maps(DebyeDocument *self, DebyeSession *session)
{
  GPtrArray *numbered = g_ptr_array_new();
  for (guint i = 0; i < debye_session_get_n_files(session); i++) {
    const char *path = debye_session_get_file(session, i)->path;
    gpointer found = NULL;
    for (guint k = 0; found == NULL && k < self->maps->len; k++)
      if (g_strcmp0(debye_map_file_get_path(self->maps->pdata[k]), path) == 0)
        found = self->maps->pdata[k];
    g_ptr_array_add(numbered, found);
  }
  return numbered;
}

static char **
list_texts(GVariant *values, const char *key)
{
  g_autoptr(GVariant) list = debye_json_get(values, key, G_VARIANT_TYPE("av"));
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  for (gsize i = 0; list != NULL && i < g_variant_n_children(list); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(list, i);
    g_autoptr(GVariant) text = g_variant_get_variant(boxed);
    if (g_variant_is_of_type(text, G_VARIANT_TYPE_STRING))
      g_strv_builder_add(builder, g_variant_get_string(text, NULL));
  }
  return g_strv_builder_end(builder);
}

/* A document that was made of `opened` stands in its place. */
static void
come_first(DebyeDocument *chosen, DebyeDocument *opened)
{
  chosen->continuation = FALSE;
  g_clear_pointer(&chosen->left_out, g_ptr_array_unref);
  chosen->left_out = g_ptr_array_ref(opened->left_out);
  chosen->n_earlier_maps = 0;
}

/* The same document, were it opened with these elements. */
static DebyeDocument *
choose_elements(DebyeDocument *self, GVariant *values, GError **error)
{
  g_auto(GStrv) choices = list_texts(values, "elements");
  if (choices[0] == NULL || self->dataset == NULL)
    return g_object_ref(self);
  DebyeDocument *chosen = debye_document_with_elements(self, (const char *const *)choices, error);
  if (chosen != NULL)
    come_first(chosen, self);
  return chosen;
}

/* TRUE where the session has another value. */
static gboolean
take_choice(DebyeRequest *choice, const char *key, GVariant *values, const char *name)
{
  g_autofree char *value = debye_json_get_text(values, name);
  if (value == NULL || debye_setting_table_find(debye_request_get_table(choice), key) == NULL ||
      g_strcmp0(value, debye_request_get(choice, key)) == 0)
    return FALSE;
  return debye_request_set(choice, key, value, NULL);
}

/* The same document, were it opened with these alternate locations, this cell and this unit of length. */
static DebyeDocument *
choose_counted(DebyeDocument *self, GVariant *values, GError **error)
{
  g_autoptr(DebyeRequest) choice = self->dataset != NULL ? debye_dataset_choice_request(self->dataset) : NULL;
  gboolean differs = choice != NULL && take_choice(choice, "altloc", values, "altloc");
  differs |= choice != NULL && take_choice(choice, "cell", values, "cell");
  differs |= choice != NULL && take_choice(choice, "length-unit", values, "length_unit");
  if (!differs)
    return g_object_ref(self);
  DebyeDocument *chosen = debye_document_with_counted(self, choice, error);
  if (chosen != NULL)
    come_first(chosen, self);
  return chosen;
}

/* The same document, prepared as the session says. */
static DebyeDocument *
choose_prepared(DebyeDocument *self, GVariant *values, GError **error)
{
  g_autoptr(GVariant) saved = debye_json_get(values, "prepared", G_VARIANT_TYPE_VARDICT);
  if (saved == NULL || self->dataset == NULL)
    return g_object_ref(self);
  g_autoptr(DebyePreparation) preparation = debye_preparation_load(self->dataset, saved, error);
  DebyeDocument *chosen =
      preparation != NULL ? debye_document_with_preparation(self, preparation, error) : NULL;
  if (chosen != NULL)
    come_first(chosen, self);
  return chosen;
}

DebyeDocument *
debye_document_open_session(DebyeSession *session, DebyeProgressFunc progress, gpointer data, GError **error)
{
  GVariant *values = debye_session_get_values(session);
  g_auto(GStrv) paths = list_present(session);
  if (paths[0] == NULL) {
    debye_error_set(error, DEBYE_ERROR_MISSING, "None of the session's files was found");
    return NULL;
  }
  g_autoptr(DebyeDocument) opened =
      debye_document_open_listed((const char *const *)paths, NULL, progress, data, error);
  g_autoptr(DebyeDocument) chosen = opened != NULL ? choose_elements(opened, values, error) : NULL;
  g_autoptr(DebyeDocument) counted = chosen != NULL ? choose_counted(chosen, values, error) : NULL;
  DebyeDocument *self = counted != NULL ? choose_prepared(counted, values, error) : NULL;
  g_autoptr(GVariant) scene = debye_json_get(values, "scene", G_VARIANT_TYPE_VARDICT);
  g_autoptr(GPtrArray) maps = self != NULL ? number_maps(self, session) : NULL;
  if (self != NULL)
    self->session = g_object_ref(session);
  if (self != NULL && scene != NULL)
    debye_document_restore_scene(self, scene, debye_json_get_integer(values, "frame", 0), maps);
  return self;
}

void
debye_document_restore_frame(DebyeDocument *self, gint64 number)
{
  g_return_if_fail(DEBYE_IS_DOCUMENT(self) && self->session != NULL);
  GVariant *values = debye_session_get_values(self->session);
  g_autoptr(GVariant) scene = debye_json_get(values, "scene", G_VARIANT_TYPE_VARDICT);
  g_autoptr(GPtrArray) maps = number_maps(self, self->session);
  if (scene != NULL)
    debye_document_restore_scene(self, scene, number, maps);
}
