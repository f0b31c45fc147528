/* SPDX-License-Identifier: MIT */
/* Finds which file or result a window's map came from; called by window_maps.c. */
#include "window_maps_origin.h"

#include <glib/gi18n.h>

#include "app/analysis/map/field_run.h"
#include "data/messages/message.h"
#include "app/document/map_file.h"
#include "app/document/result_command.h"

/* --- Results and their maps --- */

static gboolean
has_field(DebyeResult *result, DebyeField *field)
{
  GListModel *fields = debye_result_get_fields(result);
  for (guint i = 0; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) own = g_list_model_get_item(fields, i);
    if (own == field)
      return TRUE;
  }
  return FALSE;
}

DebyeResult *
debye_window_maps_find_result(DebyeWindowDocument *self, DebyeField *field)
{
  GListModel *results = debye_window_document_get_results(self);
  for (guint i = 0; i < g_list_model_get_n_items(results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    if (has_field(result, field))
      return result;
  }
  return NULL;
}

const char *
debye_window_maps_find_path(DebyeWindowDocument *self, DebyeField *field)
{
  DebyeResult *result = debye_window_maps_find_result(self, field);
  GObject *loaded = result != NULL ? G_OBJECT(result) : G_OBJECT(field);
  const char *path = debye_map_file_get_path(loaded);
  if (path == NULL)
    path = g_object_get_data(loaded, "path");
  gboolean is_first = result == NULL || debye_map_file_get_field(G_OBJECT(result)) == field;
  return path != NULL && is_first && g_file_test(path, G_FILE_TEST_IS_REGULAR) && debye_map_file_is_one(path)
             ? path
             : NULL;
}

/* --- Maps to compare --- */

static gboolean
is_listed(GListModel *maps, DebyeField *field)
{
  for (guint i = 0; i < g_list_model_get_n_items(maps); i++) {
    g_autoptr(DebyeSceneMap) map = g_list_model_get_item(maps, i);
    if (debye_scene_map_get_field(map) == field)
      return TRUE;
  }
  return FALSE;
}

/* "potential: Method Cutoff, Frames 0:9": what its request was given. */
static char *
describe(DebyeResult *result, DebyeField *field)
{
  DebyeRequest *request = debye_result_get_request(result);
  const DebyeSettingTable *table = debye_request_get_table(request);
  g_autofree char *quantity = debye_message_translate(debye_field_get_name(field));
  GString *text = g_string_new(quantity);
  guint n_said = 0;
  for (gsize i = 0; i < table->n_settings; i++) {
    const DebyeSetting *setting = &table->settings[i];
    if (debye_request_is_set(request, setting->key) && debye_request_is_relevant(request, setting))
      g_string_append_printf(text, "%s%s %s", n_said++ > 0 ? ", " : ": ", _(setting->label),
                             debye_request_get(request, setting->key));
  }
  return g_string_free(text, FALSE);
}

static void
add_maps_of(GListStore *maps, DebyeResult *result, DebyeField *but)
{
  GListModel *fields = debye_result_get_fields(result);
  for (guint i = 0; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    if (field == but || is_listed(G_LIST_MODEL(maps), field))
      continue;
    g_autofree char *name = describe(result, field);
    g_autoptr(DebyeSceneMap) map = debye_scene_map_new(name, field);
    g_list_store_append(maps, map);
  }
}

GListStore *
debye_window_maps_list_others(DebyeWindowDocument *self, DebyeField *map)
{
  DebyeScene *scene = debye_window_scene_get_scene(debye_window_document_get_scene(self));
  GListModel *shown = G_LIST_MODEL(debye_scene_get_maps(scene));
  GListStore *others = g_list_store_new(DEBYE_TYPE_SCENE_MAP);
  for (guint i = 0; i < g_list_model_get_n_items(shown); i++) {
    g_autoptr(DebyeSceneMap) other = g_list_model_get_item(shown, i);
    if (debye_scene_map_get_field(other) != NULL && debye_scene_map_get_field(other) != map)
      g_list_store_append(others, other);
  }
  GListModel *results = debye_window_document_get_results(self);
  for (guint i = 0; i < g_list_model_get_n_items(results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    add_maps_of(others, result, map);
  }
  return others;
}

/* --- The story --- */

/* A map's file, or the name of the one that the line added to `lines` writes. */
static char *
name_map(DebyeWindowDocument *self, DebyeField *field, const char *number, GString *lines)
{
  const char *path = debye_window_maps_find_path(self, field);
  if (path != NULL)
    return g_strdup(path);
  DebyeResult *result = debye_window_maps_find_result(self, field);
  char *name = g_strdup_printf("map%s.h5", number);
  g_autofree char *line = result != NULL ? debye_result_command(result, name) : NULL;
  if (line != NULL)
    g_string_append_printf(lines, "%s\n", line);
  return name;
}

static GPtrArray *
find_frames(DebyeResult *result)
{
  GPtrArray *frames = g_ptr_array_new_with_free_func((GDestroyNotify)debye_note_free);
  GPtrArray *notes = result != NULL ? debye_result_get_notes(result) : NULL;
  for (guint i = 0; notes != NULL && i < notes->len; i++) {
    const DebyeNote *note = notes->pdata[i];
    if (debye_note_is_of_frames(note) || note->kind == DEBYE_NOTE_SPAN)
      g_ptr_array_add(frames, debye_note_copy(note));
  }
  return frames;
}

void
debye_window_maps_find_origin(DebyeWindowDocument *self, DebyeRequest *request, DebyeField *map,
                              DebyeField *subtracted, DebyeMapOrigin *origin)
{
  GString *lines = g_string_new(NULL);
  DebyeResult *result = debye_window_maps_find_result(self, map);
  gboolean have_files = debye_window_maps_find_path(self, map) != NULL &&
                        (subtracted == NULL || debye_window_maps_find_path(self, subtracted) != NULL);
  *origin = (DebyeMapOrigin){.input = name_map(self, map, subtracted != NULL ? "-1" : "", lines),
                             .frames = find_frames(result)};
  if (subtracted != NULL) {
    g_autofree char *name = name_map(self, subtracted, "-2", lines);
    debye_request_set(request, "subtract", name, NULL);
  }
  if (!have_files) {
    const char *const inputs[] = {origin->input, NULL};
    g_autofree char *last = debye_request_to_command(
        request, inputs, debye_field_makes_curves(request) ? "curve.h5" : "difference.h5");
    origin->command = g_strconcat(lines->str, last, NULL);
    g_clear_pointer(&origin->input, g_free);
  }
  g_string_free(lines, TRUE);
}

void
debye_map_origin_tell(const DebyeMapOrigin *origin, DebyeResult *result)
{
  const char *const inputs[] = {origin->input, NULL};
  debye_result_set_inputs(result, inputs);
  for (guint i = 0; i < origin->frames->len; i++)
    debye_result_take_note(result, debye_note_copy(origin->frames->pdata[i]));
  debye_result_set_command(result, origin->command);
}

void
debye_map_origin_clear(DebyeMapOrigin *origin)
{
  g_clear_pointer(&origin->input, g_free);
  g_clear_pointer(&origin->command, g_free);
  g_clear_pointer(&origin->frames, g_ptr_array_unref);
}
