/* SPDX-License-Identifier: MIT */
/* Residues in the blobs of a window's density maps, declared in window_maps.h; added by window_controller.c. */
#include "window_maps.h"

#include <glib/gi18n.h>

#include "render/layers/isosurface_layer.h"
#include "window_maps_origin.h"

#define KEY "debye-window-blobs" /* of a document: its DebyeWindowFrames */

/* --- Of which run a map is --- */

/* Whose blobs can be looked for; NULL: it isn't known, or isn't a density. The results keep it. */
static DebyeResult *
find_density(DebyeWindowDocument *self, DebyeField *map)
{
  DebyeResult *result = debye_window_maps_find_result(self, map);
  DebyeRequest *request = result != NULL ? debye_result_get_request(result) : NULL;
  g_autoptr(DebyeField) first =
      result != NULL ? g_list_model_get_item(debye_result_get_fields(result), 0) : NULL;
  const gboolean is_density =
      request != NULL && first == map && g_str_equal(debye_request_get_table(request)->id, "density") &&
      !debye_request_is_set(request, "blobs") && !g_str_equal(debye_request_get(request, "weight"), "dipole");
  return is_density ? result : NULL;
}

static gboolean
is_open(const char *const *paths, const char *path)
{
  g_autofree char *name = g_path_get_basename(path);
  for (; *paths != NULL; paths++) {
    g_autofree char *other = g_path_get_basename(*paths);
    if (g_str_equal(name, other))
      return TRUE;
  }
  return FALSE;
}

/* Why the frames of a map can't be looked at again; NULL: they can. */
static char *
find_obstacle(DebyeWindowDocument *self, DebyeResult *density)
{
  DebyeDataset *dataset = debye_window_document_get_dataset(self);
  const char *const *inputs = debye_result_get_inputs(density);
  const char *const none[] = {NULL};
  const char *const *paths = dataset != NULL ? debye_dataset_get_paths(dataset) : none;
  for (; inputs != NULL && *inputs != NULL; inputs++) {
    g_autofree char *name = g_filename_display_basename(*inputs);
    if (!is_open(paths, *inputs))
      return g_strdup_printf(_("To list the residues in this blob, open %s: the map was made from it"), name);
  }
  return dataset == NULL
             ? g_strdup(_("To list the residues in this blob, open the trajectory of its map first"))
             : NULL;
}

/* --- Looking --- */

static char *
write_point(const DebyeVec3 *point)
{
  char numbers[3][G_ASCII_DTOSTR_BUF_SIZE];
  return g_strjoin(",", g_ascii_formatd(numbers[0], sizeof numbers[0], "%.4f", point->x),
                   g_ascii_formatd(numbers[1], sizeof numbers[1], "%.4f", point->y),
                   g_ascii_formatd(numbers[2], sizeof numbers[2], "%.4f", point->z), NULL);
}

/* As the map's, which it hands on, so that a map that is in no file does as well. `point` NULL: all blobs. */
static DebyeRequest *
create_request(DebyeWindowDocument *self, DebyeResult *density, DebyeField *map, double level,
               const DebyeVec3 *point)
{
  DebyeRequest *request = debye_request_copy(debye_result_get_request(density));
  const char *path = debye_window_maps_find_path(self, map);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_request_set(request, "blobs", path != NULL ? path : "map.h5", NULL);
  debye_request_set(request, "level", g_ascii_formatd(number, sizeof number, "%.7g", level), NULL);
  if (point != NULL) {
    g_autofree char *text = write_point(point);
    debye_request_set(request, "blob-at", text, NULL);
  }
  debye_request_attach(request, "blobs", G_OBJECT(map));
  return request;
}

static void
show(DebyeWindowComputing *computing, DebyeResult *result)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  DebyeRequest *request = debye_result_get_request(result);
  g_autoptr(DebyeField) blob = g_list_model_get_item(debye_result_get_fields(result), 0);
  if (scene != NULL && blob != NULL && debye_request_is_set(request, "blob-at"))
    debye_window_scene_show_blob(scene, blob, debye_request_get_number(request, "level"));
  debye_window_show_page(debye_window_document_get_window(document), "blobs");
}

/* FALSE: the map is of no run that is known. */
static gboolean
look(DebyeWindowComputing *computing, DebyeField *map, double level, const DebyeVec3 *point)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeResult *density = find_density(document, map);
  if (density == NULL)
    return FALSE;
  g_autofree char *obstacle = find_obstacle(document, density);
  if (obstacle != NULL) {
    debye_window_toast(debye_window_document_get_window(document), obstacle);
    return TRUE;
  }
  g_autoptr(DebyeRequest) request = create_request(document, density, map, level, point);
  debye_window_computing_run_request_for(computing, request, show);
  return TRUE;
}

void
debye_window_blobs_list(DebyeWindowComputing *computing, GVariant *number_and_level)
{
  g_return_if_fail(DEBYE_IS_WINDOW_COMPUTING(computing));
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  guint number;
  double level;
  g_variant_get(number_and_level, "(ud)", &number, &level);
  g_autoptr(DebyeSceneMap) map =
      scene != NULL ? g_list_model_get_item(
                          G_LIST_MODEL(debye_scene_get_maps(debye_window_scene_get_scene(scene))), number)
                    : NULL;
  DebyeField *field = map != NULL ? debye_scene_map_get_field(map) : NULL;
  if (field != NULL && !look(computing, field, level, NULL))
    debye_window_toast(
        debye_window_document_get_window(document),
        _("The residues in a blob are known for a density computed here, or opened from its HDF5 file"));
}

/* A click on another surface means nothing. */
static void
on_surface_clicked(DebyeWindowComputing *computing, DebyeLayer *layer, double x, double y, double z)
{
  const DebyeVec3 point = debye_vec3(x, y, z);
  if (DEBYE_IS_ISOSURFACE_LAYER(layer) && debye_layer_get_field(layer) != NULL)
    look(computing, debye_layer_get_field(layer),
         debye_isosurface_layer_get_level(DEBYE_ISOSURFACE_LAYER(layer)), &point);
}

/* --- The list --- */

/* The newest there is. */
static void
on_results_changed(DebyeWindowDocument *self)
{
  DebyeWindow *window = debye_window_document_get_window(self);
  GListModel *results = debye_window_document_get_results(self);
  g_autoptr(DebyeResult) newest = NULL;
  for (guint i = 0; i < g_list_model_get_n_items(results) && newest == NULL; i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    if (debye_blob_panel_can_show(result))
      newest = g_steal_pointer(&result);
  }
  debye_blob_panel_set_result(debye_window_get_blob_panel(window), newest);
  debye_window_set_has_page(window, "blobs", newest != NULL);
}

/* In a frame in which it is there. */
static void
on_residue_chosen(DebyeWindowDocument *self, guint residue, guint frame)
{
  DebyeDocument *files = debye_window_document_get_document(self);
  DebyeTopology *topology = files != NULL ? debye_document_get_topology(files) : NULL;
  DebyeWindowScene *scene = debye_window_document_get_scene(self);
  DebyeVec3 center;
  if (scene == NULL || topology == NULL || residue >= debye_topology_get_n_residues(topology))
    return;
  debye_window_scene_show_residue(scene, residue, &center);
  if (frame < debye_window_document_count_frames(self))
    debye_window_frames_go_to(g_object_get_data(G_OBJECT(self), KEY), frame);
}

void
debye_window_blobs_add(DebyeWindowComputing *computing, DebyeWindowFrames *frames)
{
  g_return_if_fail(DEBYE_IS_WINDOW_COMPUTING(computing) && DEBYE_IS_WINDOW_FRAMES(frames));
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeWindow *window = debye_window_document_get_window(document);
  g_object_set_data(G_OBJECT(document), KEY, frames); /* both are the controller's */
  g_signal_connect_object(debye_window_get_view(window), "surface-clicked", G_CALLBACK(on_surface_clicked),
                          computing, G_CONNECT_SWAPPED);
  g_signal_connect_object(debye_window_document_get_results(document), "items-changed",
                          G_CALLBACK(on_results_changed), document, G_CONNECT_SWAPPED);
  g_signal_connect_object(debye_window_get_blob_panel(window), "residue-chosen",
                          G_CALLBACK(on_residue_chosen), document, G_CONNECT_SWAPPED);
}
