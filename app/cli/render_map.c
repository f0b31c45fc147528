/* SPDX-License-Identifier: MIT */
/* Loads or computes the map of debye-cli render; called by command_render.c. */
#include "render_map.h"

#include "cli_field.h"
#include "cli_work.h"
#include "app/scene/mesh_device.h"
#include "app/scene/layer_options.h"
#include "app/analysis/analysis_list.h"

gboolean
debye_render_map_has_layers(const DebyeRenderMap *map)
{
  DebyeRequest *request = debye_arguments_get_request(map->arguments);
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++)
    if ((*kind)->needs == DEBYE_LAYER_NEEDS_MAP && debye_layer_options_count(*kind, request) > 0)
      return TRUE;
  return FALSE;
}

/* Nothing where there is no path. FALSE with an error. */
static gboolean
load(DebyeRenderMap *map, const char *path, DebyeField **field, GError **error)
{
  if (path == NULL)
    return TRUE;
  *field = debye_cli_load_field(path, map->arguments, error);
  return *field != NULL;
}

/* Frames that are drawn are superposed as those of the map were. */
static void
take_alignment(DebyeRenderMap *map, DebyeRequest *request, DebyeDataset *dataset)
{
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  debye_alignment_clear(&map->alignment);
  if (trajectory != NULL)
    debye_alignment_init_of_request(&map->alignment, request, debye_trajectory_get_n_frames(trajectory));
}

/* A map of another program, or in a file that holds no settings, says nothing of it. */
static void
take_alignment_of_file(DebyeRenderMap *map, DebyeDataset *dataset)
{
  const char *path = debye_arguments_get_path(map->arguments, "map");
  g_autoptr(DebyeRequest) request =
      path != NULL && g_str_has_suffix(path, ".h5")
          ? debye_result_load_request(path, debye_analysis_find_table, NULL, NULL)
          : NULL;
  if (request != NULL)
    take_alignment(map, request, dataset);
}

/* The first map lays the grid of the whole series. */
static gboolean
fix_grid(DebyeRequest *request, const DebyeGrid *grid, GError **error)
{
  char number[3][G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *origin =
      g_strdup_printf("%s,%s,%s", g_ascii_dtostr(number[0], sizeof number[0], grid->origin.x),
                      g_ascii_dtostr(number[1], sizeof number[1], grid->origin.y),
                      g_ascii_dtostr(number[2], sizeof number[2], grid->origin.z));
  g_autofree char *shape = g_strdup_printf("%zu,%zu,%zu", grid->shape[0], grid->shape[1], grid->shape[2]);
  return debye_request_set(request, "origin", origin, error) &&
         debye_request_set(request, "shape", shape, error);
}

static gboolean
has_frames(DebyeRequest *request)
{
  return debye_request_is_set(request, "frames");
}

/* Called on a thread, which is waited for before the devices go. */
static const DebyeRegistry *
get_registry(gpointer devices)
{
  return debye_devices_wait(devices);
}

/* To mesh surfaces. */
static void
lend(DebyeRenderMap *map, const char *device)
{
  debye_mesh_device_lend(get_registry, map->devices, device != NULL ? device : "auto");
}

/* Points of molecules' surfaces that one core makes in the 0.3 s that CUDA takes to start: of the protease's (3,261 atoms, about 2
 * million points) it made one in 0.37 s. A picture's one surface is made sooner than that, many frames' aren't: where
 * processors have spent that time, as much again is the most that a start can lose. */
#define START_POINTS 1600000

/* Where no map needs devices. */
static void
lend_for_surfaces(DebyeRenderMap *map)
{
  const char *device = debye_cli_get_device(debye_arguments_get_further(map->arguments));
  if (map->devices != NULL || g_strcmp0(device, "cpu") == 0)
    return;
  map->devices = debye_devices_new();
  lend(map, device);
  debye_mesh_device_set_patience((gsize)START_POINTS * g_get_num_processors());
}

/* The devices that compute maps also mesh them. */
static void
begin_devices(DebyeRenderMap *map)
{
  const char *device = debye_cli_get_device(debye_arguments_get_further(map->arguments));
  if (map->devices != NULL)
    return;
  map->devices = debye_devices_begin(device, 0, 1);
  lend(map, device);
}

static const char *
get_path(const DebyeRenderMap *map)
{
  const char *path = debye_arguments_get_path(map->arguments, "map");
  return path != NULL ? path : map->path;
}

void
debye_render_map_expect(DebyeRenderMap *map)
{
  if (get_path(map) == NULL && (map->is_needed || debye_render_map_has_layers(map)))
    begin_devices(map);
}

gboolean
debye_render_map_compute(DebyeRenderMap *map, DebyeDataset *dataset, gsize frame, GError **error)
{
  DebyeRequest *further = debye_arguments_get_further(map->arguments);
  g_autoptr(DebyeRequest) request = debye_request_copy(further);
  g_autofree char *number = g_strdup_printf("%" G_GSIZE_FORMAT, frame);
  if (!has_frames(request) && !debye_request_set(request, "frames", number, error))
    return FALSE;
  begin_devices(map);
  g_autoptr(DebyeResult) result = debye_cli_analyse(map->arguments, &debye_analysis_map, dataset, request,
                                                    debye_devices_wait(map->devices), error);
  if (result == NULL)
    return FALSE;
  g_clear_object(&map->field);
  map->field = g_list_model_get_item(debye_result_get_fields(result), 0);
  map->is_computed = TRUE;
  take_alignment(map, debye_result_get_request(result), dataset);
  const char *spacing = debye_request_get(request, "spacing");
  return (spacing == NULL || debye_request_set(further, "spacing", spacing, error)) &&
         fix_grid(further, debye_field_get_grid(map->field), error);
}

gboolean
debye_render_map_begin(DebyeRenderMap *map, DebyeDataset *dataset, gsize frame, GError **error)
{
  if (!load(map, get_path(map), &map->field, error))
    return FALSE;
  take_alignment_of_file(map, dataset);
  const gboolean is_wanted = map->is_needed || debye_render_map_has_layers(map);
  if (map->field == NULL && is_wanted && !debye_render_map_compute(map, dataset, frame, error))
    return FALSE;
  lend_for_surfaces(map);
  return load(map, debye_arguments_get_path(map->arguments, "surface-color"), &map->coloring, error);
}

gboolean
debye_render_map_follows(const DebyeRenderMap *map)
{
  return map->is_computed && !has_frames(debye_arguments_get_further(map->arguments));
}

void
debye_render_map_rest(DebyeRenderMap *map)
{
  if (!map->is_computed)
    return;
  debye_mesh_device_end();
  debye_devices_rest(map->devices);
}

void
debye_render_map_clear(DebyeRenderMap *map)
{
  g_clear_object(&map->field);
  g_clear_object(&map->coloring);
  debye_alignment_clear(&map->alignment);
  debye_mesh_device_end();
  g_clear_pointer(&map->devices, debye_devices_unref);
}
