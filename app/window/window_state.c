/* SPDX-License-Identifier: MIT */
/* Collects and restores what one window shows; called by window_session.c and window_autosave.c. */
#include "window_state.h"

#include "app/analysis/orbital/orbital_settings.h"
#include "app/document/json_reader.h"
#include "app/document/json_writer.h"
#include "app/document/map_file.h"
#include "app/document/recovery.h"
#include "app/document/session_vibration.h"
#include "window_classroom.h"
#include "window_plots.h"

/* --- To be saved --- */

static GVariant *
save_form(DebyeAnalysisForm *form)
{
  const DebyeSettingTable *table = debye_analysis_form_get_table(form);
  DebyeRequest *request = debye_analysis_form_get_request(form);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key;
    if (debye_request_is_set(request, key) && debye_request_get(request, key) != NULL)
      g_variant_dict_insert(&dict, key, "s", debye_request_get(request, key));
  }
  return g_variant_dict_end(&dict);
}

static GVariant *
save_forms(DebyeWindowComputing *computing)
{
  GListModel *forms = debye_window_analyses_get_forms(debye_window_computing_get_analyses(computing));
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (guint i = 0; i < g_list_model_get_n_items(forms); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(forms, i);
    g_variant_dict_insert_value(&dict, debye_analysis_form_get_table(form)->id, save_form(form));
  }
  return g_variant_dict_end(&dict);
}

static GVariant *
save_texts(const char *const *texts)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (; texts != NULL && *texts != NULL; texts++)
    g_variant_builder_add(&builder, "v", g_variant_new_string(*texts));
  return g_variant_builder_end(&builder);
}

static DebyeResultLook *
get_look(DebyeWindowDocument *document)
{
  return debye_plot_panel_get_look(debye_window_get_plot_panel(debye_window_document_get_window(document)));
}

static gint64
get_frame(DebyeWindowDocument *document)
{
  DebyeFrame *frame = debye_window_document_get_frame(document);
  return frame != NULL ? (gint64)frame->index : 0;
}

/* The share that an orbital's surfaces enclose; the rest of it stands in its map's request and in its layers. */
static void
save_orbital(DebyeWindowScene *scene, GVariantDict *dict)
{
  guint share;
  g_variant_dict_remove(dict, "orbital-share");
  if (scene != NULL && debye_window_scene_get_orbital(scene, &share) != NULL)
    g_variant_dict_insert(dict, "orbital-share", "x", (gint64)share);
}

/* The normal mode that is played. */
static void
save_vibration(DebyeWindowDocument *document, GVariantDict *dict)
{
  DebyeVibrationPanel *panel = debye_window_get_vibration_panel(debye_window_document_get_window(document));
  debye_session_vibration_save(dict, debye_vibration_panel_get_chosen(panel),
                               debye_vibration_panel_get_amplitude(panel));
}

/* With members that another version wrote. `folder`: where the session will lie; NULL: not known. A new reference. */
static GVariant *
collect_values(DebyeWindowComputing *computing, DebyeSession *session, GPtrArray *maps, const char *folder)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  DebyeDataset *dataset = debye_document_get_origin(debye_window_document_get_document(document));
  DebyePreparation *preparation =
      debye_document_get_preparation(debye_window_document_get_document(document));
  GVariantDict dict;
  g_variant_dict_init(&dict, session != NULL ? debye_session_get_values(session) : NULL);
  g_variant_dict_remove(&dict, DEBYE_WINDOW_STATE_ORIGIN);
  g_variant_dict_insert_value(&dict, "scene", debye_window_scene_save(scene, maps));
  g_variant_dict_insert_value(&dict, "forms", save_forms(computing));
  g_variant_dict_insert_value(&dict, "classroom", debye_window_classroom_save(document));
  g_variant_dict_insert_value(&dict, "plot-looks", debye_result_look_save(get_look(document)));
  debye_window_plots_save_measured(document, &dict, folder);
  g_variant_dict_insert_value(
      &dict, "elements", save_texts(dataset != NULL ? debye_dataset_get_element_choices(dataset) : NULL));
  if (dataset != NULL) {
    g_variant_dict_insert(&dict, "altloc", "s", debye_dataset_get_altloc(dataset));
    g_variant_dict_insert(&dict, "cell", "s", debye_dataset_get_cell_choice(dataset));
    if (debye_dataset_get_length_unit(dataset) != NULL)
      g_variant_dict_insert(&dict, "length_unit", "s", debye_dataset_get_length_unit(dataset));
  }
  save_orbital(scene, &dict);
  save_vibration(document, &dict);
  if (preparation != NULL)
    g_variant_dict_insert_value(&dict, "prepared", debye_preparation_save(preparation));
  else
    g_variant_dict_remove(&dict, "prepared");
  g_variant_dict_insert(&dict, "frame", "x", get_frame(document));
  return g_variant_ref_sink(g_variant_dict_end(&dict));
}

/* The map of the page of orbitals, which is no result of the list, for the layers that show it. */
static void
add_orbital(DebyeWindowDocument *shown, GPtrArray *opened, GPtrArray *maps, DebyeSessionResults *results)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(shown);
  guint share;
  DebyeResult *orbital = scene != NULL ? debye_window_scene_get_orbital(scene, &share) : NULL;
  if (orbital == NULL || g_ptr_array_find(opened, orbital, NULL) || g_ptr_array_find(maps, orbital, NULL))
    return;
  g_ptr_array_add(maps, orbital);
  if (results != NULL)
    debye_session_results_add_shown(results, orbital);
}

static GObject *
find_opened(GPtrArray *opened, const char *path)
{
  for (guint i = 0; i < opened->len; i++)
    if (g_strcmp0(debye_map_file_get_path(opened->pdata[i]), path) == 0)
      return opened->pdata[i];
  return NULL;
}

static gboolean
layer_shows(DebyeLayer *layer, DebyeField *field)
{
  guint n_specs;
  gboolean found = FALSE;
  g_autofree GParamSpec **specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(layer), &n_specs);
  for (guint i = 0; !found && i < n_specs; i++) {
    g_autoptr(GObject) shown = NULL;
    if (specs[i]->value_type == DEBYE_TYPE_FIELD && (specs[i]->flags & G_PARAM_READABLE) != 0)
      g_object_get(layer, specs[i]->name, &shown, NULL);
    found = shown == G_OBJECT(field);
  }
  return found || debye_layer_get_field(layer) == field;
}

/* A map that a session kept because it was shown: whether it is still. */
static gboolean
is_still_shown(DebyeWindowScene *scene, GObject *map)
{
  GListModel *layers =
      scene != NULL ? G_LIST_MODEL(debye_scene_get_layers(debye_window_scene_get_scene(scene))) : NULL;
  DebyeField *field = debye_map_file_get_field(map);
  for (guint i = 0; field != NULL && layers != NULL && i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (layer_shows(layer, field))
      return TRUE;
  }
  return FALSE;
}

/* `map` NULL: the file is no map. */
static void
add_file(GPtrArray *maps, DebyeSessionResults *results, const char *path, GObject *map)
{
  const gboolean is_result = map != NULL && DEBYE_IS_RESULT(map);
  g_ptr_array_add(maps, map);
  if (results == NULL)
    return;
  /* One that another save has removed since gets another file, and so does one that another session may remove with its next
   * save; a result that was recovered needs one that lasts. */
  if (is_result && debye_session_results_is_shown(path) &&
      (!debye_session_results_is_own(results, path) || !g_file_test(path, G_FILE_TEST_EXISTS)))
    debye_session_results_add_shown(results, DEBYE_RESULT(map));
  else if (is_result && debye_recovery_has_path(path))
    debye_session_results_add(results, DEBYE_RESULT(map));
  else
    debye_session_results_add_path(results, path);
}

/* All files in their order and, at the same places, the maps that they are (NULL: no map); after them the
 * results of this window, which have a file only where `results` gives one. */
static GPtrArray *
collect_maps(DebyeWindowDocument *shown, DebyeSessionResults *results)
{
  DebyeDocument *document = debye_window_document_get_document(shown);
  GPtrArray *maps = g_ptr_array_new();
  GPtrArray *opened = debye_document_get_maps(document);
  GListModel *computed = debye_window_document_get_results(shown);
  for (const char *const *path = debye_document_get_paths(document); *path != NULL; path++) {
    GObject *map = find_opened(opened, *path);
    if (map == NULL || !debye_session_results_is_shown(*path) ||
        is_still_shown(debye_window_document_get_scene(shown), map))
      add_file(maps, results, *path, map);
  }
  for (guint i = g_list_model_get_n_items(computed); i-- > 0;) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(computed, i);
    if (g_ptr_array_find(opened, result, NULL))
      continue;
    g_ptr_array_add(maps, result); /* the list keeps it */
    if (results != NULL)
      debye_session_results_add(results, result);
  }
  add_orbital(shown, opened, maps, results);
  return maps;
}

/* What the session named and this document couldn't open: it is asked for, or tried, when the session is opened
 * again. After the other files, so that maps keep their places. */
static void
keep_unopened(DebyeDocument *document, DebyeSession *session, DebyeSessionResults *results, GPtrArray *maps)
{
  const char *const *opened = debye_document_get_paths(document);
  const char *const *left_out = debye_document_get_left_out_paths(document);
  for (; *left_out != NULL; left_out++) {
    g_ptr_array_add(maps, NULL);
    debye_session_results_add_path(results, *left_out);
  }
  for (guint i = 0; session != NULL && i < debye_session_get_n_files(session); i++) {
    const DebyeSessionFile *file = debye_session_get_file(session, i);
    if (file->state != DEBYE_SESSION_FILE_MISSING || g_strv_contains(opened, file->path))
      continue;
    g_ptr_array_add(maps, NULL);
    debye_session_results_add_path(results, file->path);
  }
}

char *
debye_window_state_describe(DebyeWindowComputing *computing, DebyeSession *session)
{
  g_autoptr(GPtrArray) maps = collect_maps(debye_window_computing_get_document(computing), NULL);
  g_autoptr(GVariant) values = collect_values(computing, session, maps, NULL);
  GVariantDict dict;
  g_variant_dict_init(&dict, values);
  g_variant_dict_remove(&dict, "frame");
  g_variant_dict_insert(&dict, "n-maps", "x", (gint64)maps->len);
  g_autoptr(GVariant) lasting = g_variant_ref_sink(g_variant_dict_end(&dict));
  return debye_json_from_value(lasting);
}

DebyeSessionSave *
debye_window_state_save(DebyeWindowComputing *computing, DebyeSession *session, const char *path,
                        DebyeSession *previous)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeSessionResults *results = debye_session_results_new(path);
  g_autoptr(GPtrArray) maps = collect_maps(document, results);
  keep_unopened(debye_window_document_get_document(document), session, results, maps);
  g_autofree char *absolute = g_canonicalize_filename(path, NULL), *folder = g_path_get_dirname(absolute);
  g_autoptr(GVariant) values = collect_values(computing, session, maps, folder);
  return debye_session_save_new(path, values, results, previous);
}

/* --- From a session --- */

static void
load_form(DebyeAnalysisForm *form, GVariant *saved)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;
  g_variant_iter_init(&iter, saved);
  while (g_variant_iter_loop(&iter, "{&sv}", &key, &value))
    if (g_variant_is_of_type(value, G_VARIANT_TYPE_STRING) &&
        debye_setting_table_find(debye_analysis_form_get_table(form), key) != NULL)
      debye_request_set(debye_analysis_form_get_request(form), key, g_variant_get_string(value, NULL), NULL);
}

static void
load_forms(DebyeWindowComputing *computing, GVariant *values)
{
  g_autoptr(GVariant) forms = debye_json_get(values, "forms", G_VARIANT_TYPE_VARDICT);
  GListModel *list = debye_window_analyses_get_forms(debye_window_computing_get_analyses(computing));
  for (guint i = 0; forms != NULL && i < g_list_model_get_n_items(list); i++) {
    g_autoptr(DebyeAnalysisForm) form = g_list_model_get_item(list, i);
    g_autoptr(GVariant) saved =
        debye_json_get(forms, debye_analysis_form_get_table(form)->id, G_VARIANT_TYPE_VARDICT);
    if (saved != NULL)
      load_form(form, saved);
  }
}

/* Those whose files can't be read are told of as if they were opened by hand, and stay in the session. */
static void
load_measured(DebyeWindowDocument *document, DebyeSession *session)
{
  const char *path = debye_session_get_path(session);
  g_autofree char *absolute = g_canonicalize_filename(path != NULL ? path : "", NULL),
                  *folder = g_path_get_dirname(absolute);
  debye_window_plots_restore_measured(document, debye_session_get_values(session), folder);
}

/* It plays as soon as its file's modes are read. */
static void
load_vibration(DebyeWindowDocument *document, GVariant *values)
{
  DebyeVibrationPanel *panel = debye_window_get_vibration_panel(debye_window_document_get_window(document));
  double amplitude = debye_vibration_panel_get_amplitude(panel);
  const guint mode = debye_session_vibration_load(values, &amplitude);
  debye_vibration_panel_set_amplitude(panel, amplitude);
  debye_vibration_panel_wait_for(panel, mode);
}

void
debye_window_state_restore(DebyeWindowComputing *computing, DebyeWindowFrames *frames, DebyeSession *session)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  GVariant *values = debye_session_get_values(session);
  const gint64 frame = debye_json_get_integer(values, "frame", 0);
  g_autoptr(GVariant) room = debye_json_get(values, "classroom", G_VARIANT_TYPE_VARDICT);
  g_autoptr(GVariant) looks = debye_json_get(values, "plot-looks", G_VARIANT_TYPE_VARDICT);
  load_forms(computing, values);
  if (room != NULL)
    debye_window_classroom_restore(document, room);
  if (looks != NULL)
    debye_result_look_load(get_look(document), looks);
  load_measured(document, session);
  if (frame > 0 && frame <= G_MAXINT)
    debye_window_frames_go_to(frames, (guint)frame);
  load_vibration(document, values);
}

/* TRUE of one orbital's map. */
static gboolean
get_orbital_number(DebyeResult *result, guint *number)
{
  DebyeRequest *request = debye_result_get_request(result);
  DebyeOrbitalChoices choices;
  guint64 value;
  if (debye_request_get_table(request) != &debye_orbital_settings ||
      g_list_model_get_n_items(debye_result_get_fields(result)) != 1)
    return FALSE;
  debye_request_fill(request, &choices);
  if (choices.orbitals == NULL ||
      !g_ascii_string_to_unsigned(choices.orbitals, 10, 0, G_MAXINT, &value, NULL))
    return FALSE;
  *number = (guint)value;
  return TRUE;
}

DebyeResult *
debye_window_state_adopt_orbital(DebyeWindowDocument *document, guint *number, guint *share)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  DebyeDocument *opened = debye_window_document_get_document(document);
  DebyeSession *session = opened != NULL ? debye_document_get_session(opened) : NULL;
  if (scene == NULL || session == NULL || debye_window_scene_get_orbital(scene, share) != NULL)
    return NULL;
  GPtrArray *maps = debye_document_get_maps(opened);
  const gint64 saved = debye_json_get_integer(debye_session_get_values(session), "orbital-share", 0);
  if (saved < 1 || saved > 99)
    return NULL;
  *share = (guint)saved;
  for (guint i = maps->len; i-- > 0;)
    if (DEBYE_IS_RESULT(maps->pdata[i]) && get_orbital_number(maps->pdata[i], number) &&
        debye_window_scene_adopt_orbital(scene, maps->pdata[i], *share))
      return maps->pdata[i];
  return NULL;
}
