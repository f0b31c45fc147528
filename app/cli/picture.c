/* SPDX-License-Identifier: MIT */
/* Builds the scene of a picture without a window; called by command_render.c. */
#include "picture.h"

#include <string.h>

#include "arguments.h"
#include "data/molecule/bonds.h"
#include "data/files/error.h"
#include "data/selection/selection.h"
#include "render/layers/molecule_colors.h"

void
debye_picture_init(DebyePicture *picture)
{
  *picture = (DebyePicture){
      .scene = debye_scene_new(),
      .molecules = g_ptr_array_new_with_free_func(g_object_unref),
      .surfaces = g_ptr_array_new_with_free_func(g_object_unref),
      .slices = g_ptr_array_new_with_free_func(g_object_unref),
  };
}

void
debye_picture_clear(DebyePicture *picture)
{
  g_clear_pointer(&picture->molecules, g_ptr_array_unref);
  g_clear_pointer(&picture->surfaces, g_ptr_array_unref);
  g_clear_pointer(&picture->slices, g_ptr_array_unref);
  g_clear_object(&picture->box);
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

/* The chosen atoms as one layer; NULL with an error. */
static GPtrArray *
build_chosen(DebyeRequest *request, DebyeTopology *topology, DebyeFrame *frame, GError **error)
{
  const char *text = debye_request_get(request, "select");
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  g_autoptr(GArray) atoms =
      selection != NULL ? debye_selection_evaluate(selection, topology, frame, error) : NULL;
  if (atoms == NULL)
    return NULL;
  if (atoms->len == 0) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION, "--select: “%s” chooses no atom", text);
    return NULL;
  }
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  g_autoptr(DebyeTopology) bonded = debye_topology_with_guessed_bonds(topology, frame);
  const guint32 *chosen = (const guint32 *)atoms->data;
  if (is_cartoon(request))
    g_ptr_array_add(layers, debye_scene_builder_cartoon(bonded, frame, chosen, atoms->len));
  else
    g_ptr_array_add(layers, debye_scene_builder_atoms(bonded, frame, chosen, atoms->len));
  return layers;
}

static GPtrArray *
build_layers(DebyeRequest *request, DebyeTopology *topology, DebyeFrame *frame, GError **error)
{
  if (debye_request_is_set(request, "select"))
    return build_chosen(request, topology, frame, error);
  if (debye_request_is_set(request, "style") && !is_cartoon(request))
    return debye_scene_builder_all_atoms(topology, frame);
  return debye_scene_builder_molecules(topology, frame);
}

static void
apply_water(GPtrArray *layers, const char *water)
{
  for (guint i = 0; i < layers->len && strcmp(water, "auto") != 0; i++) {
    DebyeLayer *layer = g_ptr_array_index(layers, i);
    if (g_strcmp0(debye_layer_get_name(layer), "Water") == 0)
      debye_layer_set_visible(layer, strcmp(water, "show") == 0);
  }
}

static void
color_layer(DebyeLayer *layer, const char *text)
{
  DebyeMoleculeColoring coloring;
  DebyeCartoonColoring cartoon;
  if (DEBYE_IS_CARTOON_LAYER(layer) && debye_scene_builder_parse_cartoon_coloring(text, &cartoon))
    debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(layer), (int)cartoon);
  else if (DEBYE_IS_MOLECULE_LAYER(layer) && debye_scene_builder_parse_coloring(text, &coloring))
    debye_molecule_layer_set_coloring(DEBYE_MOLECULE_LAYER(layer), coloring);
}

static void
apply_style(GPtrArray *layers, DebyeRequest *request)
{
  DebyeMoleculeStyle style;
  gboolean has_style = debye_scene_builder_parse_style(debye_request_get(request, "style"), &style);
  for (guint i = 0; i < layers->len; i++) {
    DebyeLayer *layer = g_ptr_array_index(layers, i);
    if (has_style && DEBYE_IS_MOLECULE_LAYER(layer))
      debye_molecule_layer_set_style(DEBYE_MOLECULE_LAYER(layer), style);
    color_layer(layer, debye_request_get(request, "color"));
  }
}

/* Of the atoms that --select chose; else of the solute. */
static DebyeMolecularSurfaceLayer *
build_surface(DebyeRequest *request, DebyeTopology *topology, DebyeFrame *frame)
{
  if (!debye_request_is_set(request, "select"))
    return debye_scene_builder_solute_surface(topology, frame);
  g_autoptr(DebyeSelection) selection =
      debye_selection_parse(debye_request_get(request, "select"), NULL, NULL);
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, topology, frame, NULL);
  return debye_scene_builder_molecular_surface(topology, frame, (const guint32 *)atoms->data, atoms->len);
}

static void
add_molecular_surface(GPtrArray *layers, DebyeRequest *request, DebyeTopology *topology, DebyeFrame *frame)
{
  if (!debye_request_get_boolean(request, "molecular-surface"))
    return;
  DebyeMolecularSurfaceLayer *layer = build_surface(request, topology, frame);
  DebyeMoleculeColoring coloring;
  if (debye_scene_builder_parse_coloring(debye_request_get(request, "color"), &coloring))
    debye_molecule_mesh_layer_set_coloring(DEBYE_MOLECULE_MESH_LAYER(layer), (int)coloring);
  gboolean excluded = g_strcmp0(debye_request_get(request, "surface-kind"), "excluded") == 0;
  g_object_set(layer, "resolution", debye_request_get_number(request, "resolution"), "opacity",
               debye_request_get_number(request, "opacity"), "probe",
               debye_request_get_number(request, "probe"), "kind",
               excluded ? DEBYE_SURFACE_EXCLUDED : DEBYE_SURFACE_GAUSSIAN, NULL);
  g_ptr_array_add(layers, layer);
}

/* Element colours under another name would be taken for what was asked for. */
static gboolean
check_coloring(DebyeRequest *request, DebyeTopology *topology, GError **error)
{
  const char *text = debye_request_get(request, "color"), *lack = NULL;
  DebyeMoleculeColoring coloring;
  if (debye_request_is_set(request, "color") && debye_scene_builder_parse_coloring(text, &coloring))
    lack = debye_molecule_find_coloring_lack(topology, coloring);
  if (lack != NULL)
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING, "--color %s: %c%s", text, g_ascii_tolower(lack[0]),
                lack + 1);
  return lack == NULL;
}

gboolean
debye_picture_add_molecules(DebyePicture *picture, DebyeRequest *request, DebyeTopology *topology,
                            DebyeFrame *frame, GError **error)
{
  g_autoptr(GPtrArray) layers =
      check_coloring(request, topology, error) ? build_layers(request, topology, frame, error) : NULL;
  if (layers == NULL)
    return FALSE;
  apply_water(layers, debye_request_get(request, "water"));
  apply_style(layers, request);
  add_molecular_surface(layers, request, topology, frame);
  if (debye_request_get_boolean(request, "box") && (picture->box = debye_scene_builder_box(frame)) != NULL) {
    debye_layer_set_visible(DEBYE_LAYER(picture->box), TRUE);
    debye_scene_add(picture->scene, DEBYE_LAYER(picture->box));
  }
  for (guint i = 0; i < layers->len; i++)
    debye_scene_add(picture->scene, g_ptr_array_index(layers, i));
  g_ptr_array_extend_and_steal(picture->molecules, g_steal_pointer(&layers));
  return TRUE;
}

void
debye_picture_set_frame(DebyePicture *picture, DebyeFrame *frame)
{
  for (guint i = 0; i < picture->molecules->len; i++)
    debye_scene_builder_show_frame(g_ptr_array_index(picture->molecules, i), frame);
  if (picture->box != NULL && frame->has_cell)
    debye_box_layer_set_cell(picture->box, &frame->cell, frame->cell_origin);
}

/* --- Map --- */

static gboolean
add_slices(DebyePicture *picture, DebyeField *field, const char *const *places, GError **error)
{
  for (; *places != NULL; places++) {
    int axis;
    double position;
    if (!debye_scene_builder_parse_slice(*places, debye_field_get_grid(field), &axis, &position, error))
      return FALSE;
    g_ptr_array_add(picture->slices, debye_scene_builder_slice(field, axis, position));
  }
  return TRUE;
}

static void
add_surfaces(DebyePicture *picture, DebyeField *field, const char *const *levels)
{
  for (; *levels != NULL; levels++)
    g_ptr_array_add(picture->surfaces, debye_scene_builder_surface(field, g_ascii_strtod(*levels, NULL)));
}

static void
add_default_surfaces(DebyePicture *picture, DebyeField *field)
{
  g_autoptr(GPtrArray) layers = debye_scene_builder_field(field);
  for (guint i = 0; i < layers->len; i++) {
    DebyeLayer *layer = g_ptr_array_index(layers, i);
    if (DEBYE_IS_ISOSURFACE_LAYER(layer))
      g_ptr_array_add(picture->surfaces, g_object_ref(layer));
  }
}

gboolean
debye_picture_add_map(DebyePicture *picture, DebyeRequest *request, DebyeField *field,
                      const char *const *levels, const char *const *places, GError **error)
{
  if (!add_slices(picture, field, places, error))
    return FALSE;
  add_surfaces(picture, field, levels);
  if (picture->slices->len + picture->surfaces->len == 0)
    add_default_surfaces(picture, field);
  for (guint i = 0; i < picture->slices->len; i++)
    debye_scene_add(picture->scene, g_ptr_array_index(picture->slices, i));
  for (guint i = 0; i < picture->surfaces->len; i++) {
    DebyeIsosurfaceLayer *surface = g_ptr_array_index(picture->surfaces, i);
    debye_layer_set_opacity(DEBYE_LAYER(surface), debye_request_get_number(request, "opacity"));
    debye_scene_add(picture->scene, DEBYE_LAYER(surface));
  }
  return TRUE;
}

static void
color_surface(DebyeMeshLayer *surface, DebyeField *coloring, const double limits[2])
{
  debye_mesh_layer_set_color_field(surface, coloring);
  if (limits != NULL)
    debye_mesh_layer_set_limits(surface, limits[0], limits[1]);
}

void
debye_picture_color_surfaces(DebyePicture *picture, DebyeField *coloring, const double limits[2])
{
  for (guint i = 0; i < picture->surfaces->len; i++)
    color_surface(g_ptr_array_index(picture->surfaces, i), coloring, limits);
  for (guint i = 0; i < picture->molecules->len; i++) {
    DebyeLayer *layer = g_ptr_array_index(picture->molecules, i);
    if (DEBYE_IS_MOLECULAR_SURFACE_LAYER(layer))
      color_surface(DEBYE_MESH_LAYER(layer), coloring, limits);
  }
}

void
debye_picture_set_map(DebyePicture *picture, DebyeField *field)
{
  for (guint i = 0; i < picture->surfaces->len; i++)
    debye_isosurface_layer_set_field(g_ptr_array_index(picture->surfaces, i), field);
  for (guint i = 0; i < picture->slices->len; i++) {
    /* A series keeps the colours of its first picture, or they could not be compared. */
    DebyeSliceLayer *slice = g_ptr_array_index(picture->slices, i);
    double minimum, maximum;
    debye_slice_layer_get_limits(slice, &minimum, &maximum);
    debye_slice_layer_set_field(slice, field);
    debye_slice_layer_set_limits(slice, minimum, maximum);
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
look_from(DebyeCamera *camera, const char *view)
{
  static const struct {
    const char *name;
    float degrees, x, y;
  } turns[] = {
      {"front", 0.0f, 0.0f, 1.0f},   {"back", 180.0f, 0.0f, 1.0f}, {"left", 90.0f, 0.0f, 1.0f},
      {"right", -90.0f, 0.0f, 1.0f}, {"top", 90.0f, 1.0f, 0.0f},   {"bottom", -90.0f, 1.0f, 0.0f},
  };
  glm_quat_identity(camera->orientation);
  for (gsize i = 0; i < G_N_ELEMENTS(turns); i++)
    if (strcmp(turns[i].name, view) == 0)
      turn(camera, turns[i].degrees, turns[i].x, turns[i].y, 0.0f);
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
  g_set_error(error, DEBYE_USAGE_ERROR, 0, "render: --orbit: expected TURN,TILT in degrees, found “%s”",
              text);
  return FALSE;
}

static void
set_if_given(DebyeRequest *request, const char *key, gboolean *value)
{
  if (debye_request_is_set(request, key))
    *value = debye_request_get_boolean(request, key);
}

gboolean
debye_picture_set_view(DebyePicture *picture, DebyeRequest *request, double aspect, GError **error)
{
  DebyeLook *look = debye_scene_get_look(picture->scene);
  DebyeCamera *camera = debye_scene_get_camera(picture->scene);
  debye_look_preset(look, debye_request_get(request, "preset"), TRUE);
  set_if_given(request, "legend", &look->legend);
  set_if_given(request, "axes", &look->axes);
  set_if_given(request, "scale-bar", &look->scale_bar);
  camera->perspective = strcmp(debye_request_get(request, "preset"), "figure") != 0;
  look_from(camera, debye_request_get(request, "view"));
  if (!orbit(camera, debye_request_get(request, "orbit"), error))
    return FALSE;
  /* Meshes first: what is framed is what is seen. */
  debye_scene_settle(picture->scene);
  debye_scene_view_all(picture->scene, aspect);
  camera->height /= (float)debye_request_get_number(request, "zoom");
  debye_scene_changed(picture->scene);
  return TRUE;
}
