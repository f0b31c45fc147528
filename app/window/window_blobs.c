/* SPDX-License-Identifier: MIT */
/* Lists the residues in the blobs of a window's density maps; declared in window_maps.h, added by window_controller.c. */
#include "window_maps.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/analysis/density/density_settings.h"
#include "app/scene/layer_role.h"
#include "render/layers/isosurface_layer.h"
#include "window_maps_origin.h"

#define KEY "debye-window-blobs"          /* data of a document: its DebyeWindowFrames */
#define REQUEST_KEY "debye-blobs-request" /* data of a job that lists residues: its DebyeRequest */

/* --- The run that made a map --- */

/* FALSE: the request is none for densities. */
static gboolean
read_options(DebyeRequest *request, DebyeDensityOptions *options)
{
  if (debye_request_get_table(request) != &debye_density_settings)
    return FALSE;
  debye_request_fill(request, options);
  return TRUE;
}

/* The density result of a map, or NULL if it is no density or its run is unknown. (transfer none) */
static DebyeResult *
find_density(DebyeWindowDocument *self, DebyeField *map)
{
  DebyeResult *result = debye_window_maps_find_result(self, map);
  DebyeRequest *request = result != NULL ? debye_result_get_request(result) : NULL;
  g_autoptr(DebyeField) first =
      result != NULL ? g_list_model_get_item(debye_result_get_fields(result), 0) : NULL;
  DebyeDensityOptions options;
  const gboolean is_density = request != NULL && first == map && read_options(request, &options) &&
                              !debye_density_is_asked(options.blobs) && options.weight != DEBYE_WEIGHT_DIPOLE;
  return is_density ? result : NULL;
}

/* Whether each residue was a reference: such a map has no blobs with residues (density_plan.c). */
static gboolean
is_spatial_distribution(DebyeResult *density)
{
  DebyeDensityOptions options;
  return read_options(debye_result_get_request(density), &options) && options.copies;
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

/* The reason why the frames of a map can't be read again; NULL if they can. */
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

/* --- Jobs --- */

static char *
write_point(const DebyeVec3 *point)
{
  char numbers[3][G_ASCII_DTOSTR_BUF_SIZE];
  return g_strjoin(",", g_ascii_formatd(numbers[0], sizeof numbers[0], "%.4f", point->x),
                   g_ascii_formatd(numbers[1], sizeof numbers[1], "%.4f", point->y),
                   g_ascii_formatd(numbers[2], sizeof numbers[2], "%.4f", point->z), NULL);
}

/* Copies the map's request; attaches the map in case it has no file. `point` NULL: all blobs. */
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

/* The newest result with a list of residues; NULL if there is none. */
static DebyeResult *
find_newest_list(DebyeWindowDocument *self)
{
  GListModel *results = debye_window_document_get_results(self);
  for (guint i = 0; i < g_list_model_get_n_items(results); i++) {
    g_autoptr(DebyeResult) result = g_list_model_get_item(results, i);
    if (debye_blob_panel_can_show(result))
      return g_steal_pointer(&result);
  }
  return NULL;
}

/* Whether a list of residues is of one blob. */
static gboolean
is_of_one_blob(DebyeResult *list)
{
  DebyeDensityOptions options;
  return read_options(debye_result_get_request(list), &options) && options.has_blob_at;
}

/* Removes the layer of a marked blob unless the newest list is of that blob. */
static void
unmark(DebyeWindowDocument *self)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self);
  g_autoptr(DebyeResult) newest = find_newest_list(self);
  g_autoptr(DebyeField) blob = newest != NULL && is_of_one_blob(newest)
                                   ? g_list_model_get_item(debye_result_get_fields(newest), 0)
                                   : NULL;
  if (scene == NULL)
    return;
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(scene));
  for (guint i = g_list_model_get_n_items(layers); i-- > 0;) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_role_get(layer) == DEBYE_LAYER_ROLE_BLOB &&
        (blob == NULL || debye_layer_get_field(layer) != blob))
      debye_scene_remove(debye_window_scene_get_scene(scene), layer);
  }
}

static void
show(DebyeWindowComputing *computing, DebyeResult *result)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  g_autoptr(DebyeField) blob = g_list_model_get_item(debye_result_get_fields(result), 0);
  DebyeDensityOptions options;
  unmark(document);
  if (scene != NULL && blob != NULL && read_options(debye_result_get_request(result), &options) &&
      options.has_blob_at)
    debye_window_scene_show_blob(scene, blob, options.level);
  debye_window_show_page(debye_window_document_get_window(document), "blobs");
}

/* The job of this file that waits or runs and was not stopped, and its request; NULL if there is none. (transfer none) */
static DebyeJob *
find_job(DebyeWindowDocument *self, DebyeRequest **request)
{
  GListModel *jobs = G_LIST_MODEL(debye_window_document_get_jobs(self));
  for (guint i = 0; i < g_list_model_get_n_items(jobs); i++) {
    g_autoptr(DebyeJob) job = g_list_model_get_item(jobs, i);
    *request = g_object_get_data(G_OBJECT(job), REQUEST_KEY);
    if (*request != NULL && debye_job_get_state(job) <= DEBYE_JOB_RUNNING &&
        !g_cancellable_is_cancelled(debye_job_get_cancellable(job)))
      return job;
  }
  return NULL;
}

/* Whether two requests ask for the same blobs of the same map. */
static gboolean
is_same(DebyeRequest *one, DebyeRequest *other)
{
  DebyeDensityOptions options[2];
  return debye_request_get_attached(one, "blobs") == debye_request_get_attached(other, "blobs") &&
         read_options(one, &options[0]) && read_options(other, &options[1]) &&
         options[0].level == options[1].level && options[0].has_blob_at == options[1].has_blob_at &&
         memcmp(&options[0].blob_at, &options[1].blob_at, sizeof options[0].blob_at) == 0;
}

/* Starts a job in place of an earlier one, unless that one is about to give the same list. */
static void
start(DebyeWindowComputing *computing, DebyeRequest *request)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  GListModel *jobs = G_LIST_MODEL(debye_window_document_get_jobs(document));
  DebyeRequest *earlier_request = NULL;
  DebyeJob *earlier = find_job(document, &earlier_request);
  if (earlier != NULL && is_same(earlier_request, request))
    return;
  if (earlier != NULL) {
    g_object_set_data(G_OBJECT(earlier), REQUEST_KEY, NULL);
    /* Nobody wants its partial list, nor to read that it was stopped. */
    g_signal_handlers_disconnect_by_data(earlier, computing);
    debye_job_stop(earlier);
  }
  debye_window_computing_run_request(computing, request, show);
  /* The queue appends the new job. */
  g_autoptr(DebyeJob) job = g_list_model_get_item(jobs, MAX(g_list_model_get_n_items(jobs), 1) - 1);
  if (job != NULL)
    g_object_set_data_full(G_OBJECT(job), REQUEST_KEY, g_object_ref(request), g_object_unref);
}

/* FALSE: the map is no density, or its run is unknown. `point` NULL: all blobs. */
static gboolean
look(DebyeWindowComputing *computing, DebyeField *map, double level, const DebyeVec3 *point)
{
  DebyeWindowDocument *document = debye_window_computing_get_document(computing);
  DebyeResult *density = find_density(document, map);
  if (density == NULL)
    return FALSE;
  if (is_spatial_distribution(density)) {
    /* A click means nothing there; the entry of the menu was chosen on purpose. */
    if (point == NULL)
      debye_window_toast(debye_window_document_get_window(document),
                         _("The residues in the blobs of a spatial distribution can't be listed: compute the "
                           "density around one reference or none"));
    return TRUE;
  }
  g_autofree char *obstacle = find_obstacle(document, density);
  if (obstacle != NULL) {
    debye_window_toast(debye_window_document_get_window(document), obstacle);
    return TRUE;
  }
  g_autoptr(DebyeRequest) request = create_request(document, density, map, level, point);
  start(computing, request);
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

/* Clicks on surfaces of other maps do nothing. */
static void
on_surface_clicked(DebyeWindowComputing *computing, DebyeLayer *layer, double x, double y, double z)
{
  const DebyeVec3 point = debye_vec3(x, y, z);
  if (DEBYE_IS_ISOSURFACE_LAYER(layer) && debye_layer_get_field(layer) != NULL)
    look(computing, debye_layer_get_field(layer),
         debye_isosurface_layer_get_level(DEBYE_ISOSURFACE_LAYER(layer)), &point);
}

/* --- The list --- */

/* Shows the newest result with a list. Results that come don't unmark a blob here: a session lists them one after the other,
 * and its scene has the layer before. */
static void
on_results_changed(DebyeWindowDocument *self, guint position G_GNUC_UNUSED, guint n_removed)
{
  DebyeWindow *window = debye_window_document_get_window(self);
  g_autoptr(DebyeResult) newest = find_newest_list(self);
  if (n_removed > 0)
    unmark(self);
  debye_blob_panel_set_result(debye_window_get_blob_panel(window), newest);
  debye_window_set_has_page(window, "blobs", newest != NULL);
}

/* Marks the residue and goes to the first frame in which it is inside. */
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
  g_object_set_data(G_OBJECT(document), KEY, frames); /* the controller keeps both */
  g_signal_connect_object(document, "changed", G_CALLBACK(unmark), document, G_CONNECT_DEFAULT);
  g_signal_connect_object(debye_window_get_view(window), "surface-clicked", G_CALLBACK(on_surface_clicked),
                          computing, G_CONNECT_SWAPPED);
  g_signal_connect_object(debye_window_document_get_results(document), "items-changed",
                          G_CALLBACK(on_results_changed), document, G_CONNECT_SWAPPED);
  g_signal_connect_object(debye_window_get_blob_panel(window), "residue-chosen",
                          G_CALLBACK(on_residue_chosen), document, G_CONNECT_SWAPPED);
}
