/* SPDX-License-Identifier: MIT */
/* Builds the scene of a session without a window; called by command_render.c. */
#include "session_picture.h"

#include "data/files/error.h"
#include "map_file.h"
#include "session_scene.h"

static void
warn_of_files(DebyeSession *session, GPtrArray *warnings)
{
  for (guint i = 0; i < debye_session_get_n_files(session); i++) {
    const DebyeSessionFile *file = debye_session_get_file(session, i);
    g_autofree char *difference = debye_session_file_describe(file);
    g_autofree char *name = g_filename_display_basename(file->path);
    if (difference != NULL)
      g_ptr_array_add(warnings, g_strdup_printf("%s: %s", name, difference));
  }
}

static DebyeField *
load_map(const char *path, gpointer data G_GNUC_UNUSED, GError **error)
{
  g_autoptr(GObject) loaded = debye_map_file_load(path, NULL, NULL, error);
  DebyeField *field = loaded != NULL ? debye_map_file_get_field(loaded) : NULL;
  if (loaded != NULL && field == NULL)
    debye_error_set(error, DEBYE_ERROR_MISSING, "%s: expected a map, found a result without one", path);
  return field != NULL ? g_object_ref(field) : NULL;
}

static DebyeField *
find_map(DebyeDocument *document)
{
  GPtrArray *maps = debye_document_get_maps(document);
  return maps->len > 0 && maps->pdata[0] != NULL ? debye_map_file_get_field(maps->pdata[0]) : NULL;
}

static gboolean
add_layers(DebyeScene *scene, DebyeDocument *document, GPtrArray *texts, GError **error)
{
  GPtrArray *layers = debye_document_get_layers(document);
  for (guint i = 0; layers != NULL && i < layers->len; i++)
    debye_scene_add(scene, layers->pdata[i]);
  const DebyeLayerTextContext context = {.source = {.topology = debye_document_get_topology(document),
                                                    .frame = debye_document_get_drawn_frame(document),
                                                    .map = find_map(document)},
                                         .load = load_map};
  if (debye_layer_texts_add(texts, scene, &context, error))
    return TRUE;
  debye_error_prefix(error, "--layer: ");
  return FALSE;
}

gboolean
debye_session_picture_show_frame(DebyeScene *scene, DebyeDocument *document, gsize number, GPtrArray *texts,
                                 GError **error)
{
  GListModel *shown = debye_scene_get_layers(scene);
  while (g_list_model_get_n_items(shown) > 0) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(shown, 0);
    debye_scene_remove(scene, layer);
  }
  debye_document_restore_frame(document, (gint64)number);
  return add_layers(scene, document, texts, error);
}

DebyeScene *
debye_session_picture_new(const char *path, GPtrArray *texts, DebyeDocument **opened, GPtrArray *warnings,
                          GError **error)
{
  g_autoptr(DebyeSession) session = debye_session_load(path, error);
  if (session == NULL)
    return NULL;
  if (!debye_session_check(session, NULL))
    warn_of_files(session, warnings);
  g_autoptr(DebyeDocument) document = debye_document_open_session(session, NULL, NULL, error);
  if (document == NULL)
    return NULL;
  for (const char *const *text = debye_document_get_left_out(document); *text != NULL; text++)
    g_ptr_array_add(warnings, g_strdup(*text));
  for (const char *const *text = debye_document_get_warnings(document); *text != NULL; text++)
    g_ptr_array_add(warnings, g_strdup(*text));
  GPtrArray *layers = debye_document_get_layers(document);
  if ((layers == NULL || layers->len == 0) && warnings->len > 0) {
    debye_error_set(error, DEBYE_ERROR_MISSING, "nothing of the session is left to draw: %s",
                    (const char *)warnings->pdata[0]);
    return NULL;
  }
  g_autoptr(DebyeScene) scene = debye_scene_new_still();
  if (!add_layers(scene, document, texts, error))
    return NULL;
  if (debye_document_get_scene(document) == NULL ||
      !debye_session_scene_load_view(debye_document_get_scene(document), scene))
    debye_scene_view_all(scene, 1.0);
  if (opened != NULL)
    *opened = g_steal_pointer(&document);
  return g_steal_pointer(&scene);
}
