/* SPDX-License-Identifier: MIT */
/* Builds the scene of a picture without a window; called by command_render.c. */
#include "picture.h"

#include <math.h>
#include <string.h>

#include "app/document/camera_file.h"
#include "app/scene/electrostatic_surface.h"
#include "app/scene/layer_options.h"
#include "data/files/error.h"
#include "data/selection/selection.h"
#include "render/layers/molecule_colors.h"
#include "render/layers/shown_atoms.h"
#include "render/scene/look_settings.h"
#include "render/layers/slice_layer.h"
#include "render/mesh/slice_plane.h"
#include "usage_error.h"

/* Of a slice's normal along the line of sight: below, it stands on edge. */
#define LEAST_SEEN 0.2

void
debye_picture_init(DebyePicture *picture)
{
  *picture = (DebyePicture){.scene = debye_scene_new_still()};
}

void
debye_picture_clear(DebyePicture *picture)
{
  if (picture->scene != NULL)
    debye_scene_release(picture->scene, FALSE);
  g_clear_object(&picture->scene);
}

/* --- Molecules --- */

static gboolean
is_cartoon(DebyeRequest *request)
{
  return g_strcmp0(debye_request_get(request, "style"), "cartoon") == 0;
}

/* The atoms that this setting chooses, one at least; NULL with an error. */
static GArray *
choose(DebyeRequest *request, const char *key, const DebyeSceneSource *source, GError **error)
{
  const char *text = debye_request_get(request, key);
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  g_autoptr(GArray) atoms =
      selection != NULL ? debye_selection_evaluate(selection, source->topology, source->frame, error) : NULL;
  if (atoms == NULL || atoms->len > 0)
    return g_steal_pointer(&atoms);
  debye_error_set(error, DEBYE_ERROR_SELECTION, "--%s: “%s” selects no atoms", key, text);
  return NULL;
}

/* The chosen atoms as one layer. A legend says of what they are, so they need no name. */
static GPtrArray *
build_chosen(const DebyeSceneSource *source, GArray *atoms)
{
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  DebyeLayer *layer = debye_scene_builder_layer(&debye_molecule_layer_kind, source,
                                                (const guint32 *)(gpointer)atoms->data, atoms->len);
  debye_layer_set_name(layer, "");
  g_ptr_array_add(layers, layer);
  return layers;
}

/* NULL with an error. */
static GPtrArray *
build_layers(DebyeRequest *request, const DebyeSceneSource *source, GError **error)
{
  const char *chosen = debye_request_find_set(request, "select");
  if (chosen != NULL) {
    g_autoptr(GArray) atoms = choose(request, "select", source, error);
    if (atoms == NULL)
      return NULL;
    return is_cartoon(request) ? debye_scene_builder_chosen(source->topology, source->frame, chosen)
                               : build_chosen(source, atoms);
  }
  if (debye_request_is_set(request, "style") && !is_cartoon(request))
    return debye_scene_builder_all_atoms(source->topology, source->frame);
  return debye_scene_builder_molecules(source->topology, source->frame);
}

static void
apply_water(DebyeLayer *layer, DebyeWater water)
{
  const DebyeShownAtoms *shown = debye_layer_get_shown(layer);
  if (water != DEBYE_WATER_AUTO && shown != NULL && g_strcmp0(shown->selection, "water") == 0)
    debye_layer_set_visible(layer, water == DEBYE_WATER_SHOW);
}

/* Element colours under another name would be taken for what was asked for. */
static gboolean
check_coloring(DebyeRequest *request, DebyeTopology *topology, GError **error)
{
  const char *text = debye_request_find_set(request, "color"), *lack = NULL;
  for (int i = 0; text != NULL && debye_molecule_colorings[i].value != NULL; i++)
    if (strcmp(debye_molecule_colorings[i].value, text) == 0)
      lack = debye_molecule_find_coloring_lack(topology, (DebyeMoleculeColoring)i);
  return lack == NULL || debye_error_set(error, DEBYE_ERROR_MISSING, "--color %s: %c%s", text,
                                         g_ascii_tolower(lack[0]), lack + 1);
}

gboolean
debye_picture_add_molecules(DebyePicture *picture, DebyeRequest *request, DebyeWater water,
                            const DebyeSceneSource *source, GError **error)
{
  g_autoptr(GPtrArray) layers =
      check_coloring(request, source->topology, error) ? build_layers(request, source, error) : NULL;
  if (layers == NULL)
    return FALSE;
  for (guint i = 0; i < layers->len; i++) {
    apply_water(layers->pdata[i], water);
    if (!debye_layer_options_apply(layers->pdata[i], request, 0, error))
      return FALSE;
    debye_scene_add(picture->scene, layers->pdata[i]);
  }
  return TRUE;
}

void
debye_picture_set_frame(DebyePicture *picture, DebyeFrame *frame)
{
  GListModel *layers = debye_scene_get_layers(picture->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    debye_layer_show_frame(layer, frame);
  }
}

/* --- Layers that options add --- */

/* The setting that chooses the atoms of such a layer; NULL: none is given. */
static const char *
find_selection(const DebyeLayerKind *kind, DebyeRequest *request)
{
  for (gsize i = 0; i < kind->n_settings; i++) {
    const DebyeSetting *option = debye_layer_options_find(&kind->settings[i], request);
    if (option != NULL && option->kind == DEBYE_SETTING_SELECTION &&
        debye_request_is_set(request, option->key))
      return option->key;
  }
  return debye_request_is_set(request, "select") ? "select" : NULL;
}

/* The edges of a cell that isn't there are left out; what else was asked for is told, mistakes first. */
static gboolean
miss_cell(const DebyeLayerKind *kind, DebyeRequest *request, GError **error)
{
  const DebyeLayerContents nothing = {0};
  g_autoptr(DebyeLayer) blank = kind->create(&nothing);
  if (!debye_layer_options_apply(blank, request, 0, error))
    return FALSE;
  for (gsize i = 0; i < kind->n_settings; i++) {
    const DebyeSetting *option = debye_layer_options_find(&kind->settings[i], request);
    if (option == NULL || option->kind == DEBYE_SETTING_BOOLEAN ||
        !debye_request_is_set(request, option->key))
      continue;
    return debye_error_set(error, DEBYE_ERROR_MISSING, "--%s: the first frame that is drawn has no cell",
                           option->key);
  }
  return TRUE;
}

static gboolean
add_layer(DebyePicture *picture, const DebyeLayerKind *kind, guint number, DebyeRequest *request,
          const DebyeSceneSource *source, GError **error)
{
  const char *key = kind->needs == DEBYE_LAYER_NEEDS_ATOMS ? find_selection(kind, request) : NULL;
  g_autoptr(GArray) atoms = NULL;
  if (key != NULL && source->frame != NULL && (atoms = choose(request, key, source, error)) == NULL)
    return FALSE;
  g_autoptr(DebyeLayer) layer =
      debye_scene_builder_layer(kind, source, atoms != NULL ? (const guint32 *)(gpointer)atoms->data : NULL,
                                atoms != NULL ? atoms->len : 0);
  if (layer == NULL)
    return kind->needs != DEBYE_LAYER_NEEDS_CELL || miss_cell(kind, request, error);
  if (!debye_layer_options_apply(layer, request, number, error))
    return FALSE;
  debye_scene_builder_name(layer);
  debye_scene_add(picture->scene, layer);
  return TRUE;
}

static gboolean
add_kind(DebyePicture *picture, const DebyeLayerKind *kind, DebyeRequest *request,
         const DebyeSceneSource *source, GError **error)
{
  const guint n_layers = debye_layer_options_count(kind, request);
  for (guint i = 0; i < n_layers; i++)
    if (!add_layer(picture, kind, i, request, source, error))
      return FALSE;
  return TRUE;
}

gboolean
debye_picture_add_layers(DebyePicture *picture, DebyeRequest *request, const DebyeSceneSource *source,
                         GError **error)
{
  for (const DebyeLayerKind *const *kind = debye_layer_kinds(); *kind != NULL; kind++)
    if ((*kind)->needs != DEBYE_LAYER_NEEDS_MAP && !add_kind(picture, *kind, request, source, error))
      return FALSE;
  return TRUE;
}

/* --- Map --- */

static gboolean
add_default_surfaces(DebyePicture *picture, DebyeRequest *request, DebyeField *field, GError **error)
{
  g_autoptr(GPtrArray) layers = debye_scene_builder_field(field);
  for (guint i = 0; i < layers->len; i++) {
    DebyeLayer *layer = g_ptr_array_index(layers, i);
    if (debye_layer_kind_of(layer) != &debye_isosurface_layer_kind)
      continue;
    if (!debye_layer_options_apply(layer, request, 0, error))
      return FALSE;
    debye_scene_add(picture->scene, layer);
  }
  return TRUE;
}

/* Backwards, for slices to lie behind surfaces, as in the window. */
gboolean
debye_picture_add_map(DebyePicture *picture, DebyeRequest *request, const DebyeSceneSource *source,
                      GError **error)
{
  GListModel *layers = debye_scene_get_layers(picture->scene);
  const guint n_before = g_list_model_get_n_items(layers);
  const DebyeLayerKind *const *kinds = debye_layer_kinds(), *const *end = kinds;
  while (*end != NULL)
    end++;
  while (end-- > kinds)
    if ((*end)->needs == DEBYE_LAYER_NEEDS_MAP && !add_kind(picture, *end, request, source, error))
      return FALSE;
  return g_list_model_get_n_items(layers) > n_before ||
         add_default_surfaces(picture, request, source->map, error);
}

/* Applies what the request sets. Defaults of options are those of an ordinary surface and don't count. */
static gboolean
apply_set_options(DebyeLayer *layer, DebyeRequest *request, GError **error)
{
  static const struct {
    const char *property, *option;
  } own[] = {{"kind", "surface-kind"}, {"sample-distance", "surface-distance"}, {"opacity", "opacity"}};
  GValue values[G_N_ELEMENTS(own)] = {0};
  for (gsize i = 0; i < G_N_ELEMENTS(own); i++)
    g_object_get_property(G_OBJECT(layer), own[i].property, &values[i]);
  const gboolean is_applied = debye_layer_options_apply(layer, request, 0, error);
  for (gsize i = 0; i < G_N_ELEMENTS(own); i++) {
    if (!debye_request_is_set(request, own[i].option))
      g_object_set_property(G_OBJECT(layer), own[i].property, &values[i]);
    g_value_unset(&values[i]);
  }
  return is_applied;
}

gboolean
debye_picture_add_electrostatic(DebyePicture *picture, DebyeRequest *request, const DebyeSceneSource *source,
                                const char *selection, const double limits[2], GError **error)
{
  g_autoptr(DebyeLayer) layer = debye_electrostatic_surface_new(source, selection);
  if (layer == NULL)
    return debye_error_set(error, DEBYE_ERROR_MISSING,
                           "--electrostatic: there are no atoms: add the molecule's file");
  if (!apply_set_options(layer, request, error))
    return FALSE;
  if (limits != NULL)
    debye_layer_set_limits(DEBYE_LAYER(layer), limits[0], limits[1]);
  debye_scene_add(picture->scene, layer);
  return TRUE;
}

/* Of a map that an option names; a cartoon keeps its own colours. */
static gboolean
takes_coloring(DebyeLayer *layer)
{
  const DebyeLayerSetting *setting = debye_layer_kind_find_setting(debye_layer_kind_of(layer), "color-field");
  return setting != NULL && setting->option.key != NULL;
}

/* Opaque unless said otherwise: their colours are read against those of a bar. */
void
debye_picture_color_surfaces(DebyePicture *picture, DebyeRequest *request, DebyeField *coloring,
                             const double limits[2])
{
  GListModel *layers = debye_scene_get_layers(picture->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!takes_coloring(layer))
      continue;
    debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(layer), coloring);
    if (!debye_request_is_set(request, "opacity"))
      debye_layer_set_opacity(layer, 1.0);
    if (limits != NULL)
      debye_layer_set_limits(DEBYE_LAYER(layer), limits[0], limits[1]);
  }
}

/* A series keeps the colours of its first picture, or they could not be compared. */
void
debye_picture_set_map(DebyePicture *picture, DebyeField *before, DebyeField *field)
{
  GListModel *layers = debye_scene_get_layers(picture->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    DebyeField *own = debye_layer_get_field(layer);
    if (own != NULL && debye_layer_get_color_field(layer) == own)
      debye_layer_hold_limits(layer);
    if (DEBYE_IS_MESH_LAYER(layer) && debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)) == before)
      debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(layer), field);
    debye_layer_set_field(layer, field);
  }
}

/* --- View --- */

static void
turn(DebyeCamera *camera, float degrees, float x, float y, float z)
{
  versor rotation, turned;
  glm_quat(rotation, glm_rad(degrees), x, y, z);
  glm_quat_mul(rotation, camera->orientation, turned);
  glm_quat_copy(turned, camera->orientation);
}

/* The world turns, so that what was at the named side faces the viewer. */
static void
look_from(DebyeCamera *camera, DebyeRenderView view)
{
  static const struct {
    float degrees, x, y;
  } turns[] = {
      [DEBYE_VIEW_FRONT] = {0.0f, 0.0f, 1.0f}, [DEBYE_VIEW_BACK] = {180.0f, 0.0f, 1.0f},
      [DEBYE_VIEW_LEFT] = {90.0f, 0.0f, 1.0f}, [DEBYE_VIEW_RIGHT] = {-90.0f, 0.0f, 1.0f},
      [DEBYE_VIEW_TOP] = {90.0f, 1.0f, 0.0f},  [DEBYE_VIEW_BOTTOM] = {-90.0f, 1.0f, 0.0f},
  };
  glm_quat_identity(camera->orientation);
  turn(camera, turns[view].degrees, turns[view].x, turns[view].y, 0.0f);
}

/* Of unit length. */
static DebyeVec3
find_normal(DebyeLayer *slice)
{
  int axis;
  g_autofree char *plane = NULL;
  DebyeVec3 point, normal;
  g_object_get(slice, "axis", &axis, "plane", &plane, NULL);
  if (axis == DEBYE_SLICE_ANY_PLANE && plane != NULL && debye_slice_plane_parse(plane, &point, &normal))
    return debye_vec3_scale(normal, 1.0 / debye_vec3_length(normal));
  return debye_slice_plane_normal(debye_field_get_grid(debye_layer_get_field(slice)),
                                  axis == DEBYE_SLICE_ANY_PLANE ? 2 : axis);
}

/* The side that a slice is seen best from; *is_seen: from the front, too. */
static DebyeRenderView
find_side(DebyeLayer *slice, gboolean *is_seen)
{
  const DebyeVec3 normal = find_normal(slice);
  *is_seen = fabs(normal.z) > LEAST_SEEN;
  return fabs(normal.x) >= fabs(normal.y) ? DEBYE_VIEW_RIGHT : DEBYE_VIEW_TOP;
}

/* From the front, unless all slices stand on edge there. */
static DebyeRenderView
choose_view(DebyeScene *scene)
{
  GListModel *layers = debye_scene_get_layers(scene);
  DebyeRenderView view = DEBYE_VIEW_FRONT;
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    gboolean is_seen = TRUE;
    if (!DEBYE_IS_SLICE_LAYER(layer) || !debye_layer_get_visible(layer))
      continue;
    const DebyeRenderView side = find_side(layer, &is_seen);
    if (is_seen)
      return DEBYE_VIEW_FRONT;
    view = view == DEBYE_VIEW_FRONT ? side : view;
  }
  return view;
}

static gboolean
orbit(DebyeCamera *camera, const char *text, GError **error)
{
  g_auto(GStrv) parts = g_strsplit(text != NULL ? text : "0,0", ",", -1);
  if (g_strv_length(parts) == 2) {
    char *ends[2];
    float degrees[2];
    for (int i = 0; i < 2; i++)
      degrees[i] = (float)g_ascii_strtod(parts[i], &ends[i]);
    if (ends[0] != parts[0] && *ends[0] == '\0' && ends[1] != parts[1] && *ends[1] == '\0') {
      turn(camera, degrees[0], 0.0f, 1.0f, 0.0f);
      turn(camera, degrees[1], 1.0f, 0.0f, 0.0f);
      return TRUE;
    }
  }
  return debye_usage_refuse(error, "render: --orbit: expected TURN,TILT in degrees, found “%s”", text);
}

gboolean
debye_picture_turn(DebyePicture *picture, const DebyeRenderSettings *settings, GError **error)
{
  DebyeCamera *camera = debye_scene_get_camera(picture->scene);
  if (!orbit(camera, settings->orbit, error))
    return FALSE;
  camera->height /= (float)settings->zoom;
  debye_scene_changed(picture->scene);
  return TRUE;
}

gboolean
debye_picture_look_through(DebyePicture *picture, const DebyeRenderSettings *settings, const char *path,
                           GError **error)
{
  DebyeCamera *camera = debye_scene_get_camera(picture->scene);
  if (!debye_camera_parse(camera, path) && !debye_camera_file_read(camera, path, error))
    return FALSE;
  if (settings->has_view)
    look_from(camera, settings->view);
  return debye_picture_turn(picture, settings, error);
}

static gboolean
apply_look(DebyeScene *scene, DebyeRequest *request, GError **error)
{
  gsize n_settings;
  const DebyeLookSetting *settings = debye_look_settings(&n_settings);
  for (gsize i = 0; i < n_settings; i++) {
    const char *key = settings[i].option.key;
    if (!debye_request_is_set(request, key) ||
        debye_look_setting_set(&settings[i], scene, debye_request_get(request, key), error))
      continue;
    debye_error_prefix(error, "--%s: ", key);
    return FALSE;
  }
  return TRUE;
}

gboolean
debye_picture_set_look(DebyePicture *picture, DebyeRequest *request, GError **error)
{
  DebyeLook *look = debye_scene_get_look(picture->scene);
  if (!apply_look(picture->scene, request, error))
    return FALSE;
  if (debye_request_is_set(request, "color-legend") && !debye_request_is_set(request, "legend"))
    look->legend |= look->color_legend;
  return TRUE;
}

void
debye_picture_set_preset(DebyePicture *picture, const DebyeRenderSettings *settings)
{
  const char *preset = debye_render_presets[settings->preset].value;
  debye_look_preset(debye_scene_get_look(picture->scene), preset, TRUE);
  debye_scene_get_camera(picture->scene)->perspective = strcmp(preset, "figure") != 0;
}

gboolean
debye_picture_frame(DebyePicture *picture, const DebyeRenderSettings *settings, double width, double height,
                    GError **error)
{
  DebyeCamera *camera = debye_scene_get_camera(picture->scene);
  look_from(camera,
            settings->has_view || settings->orbit != NULL ? settings->view : choose_view(picture->scene));
  if (!orbit(camera, settings->orbit, error))
    return FALSE;
  /* Meshes first: what is framed is what is seen. */
  debye_scene_settle(picture->scene);
  const double aside = debye_scene_view_all_beside_legend(picture->scene, width, height);
  camera->height /= (float)settings->zoom;
  debye_camera_pan(camera, aside * width, 0.0, width, height);
  debye_scene_changed(picture->scene);
  return TRUE;
}
