/* SPDX-License-Identifier: MIT */
/* The layers that the scene adds to what was computed: the surfaces of a map, the electrostatic surface, ions. Called by
 * window_scene_maps.c and window_computing.c. */
#include "window_scene_private.h"

#include <glib/gi18n.h>

#include "app/scene/electrostatic_surface.h"
#include "app/scene/layer_role.h"
#include "app/scene/scene_builder.h"
#include "data/selection/selection.h"
#include "render/layers/isosurface_levels.h"

/* --- Surfaces of a map ---
 *
 * What their levels were chosen from is a part of the map, or the average over the first frames alone: which part depends on
 * the machine's speed. So they are chosen once more from what the job leaves, and the same job gives the same picture. */

static void
add_surface(DebyeWindowScene *self, gsize sign, double level, const char *source)
{
  g_autoptr(DebyeIsosurfaceLayer) layer = debye_scene_builder_surface(self->computed, level);
  debye_layer_set_source(DEBYE_LAYER(layer), source);
  debye_scene_add(self->scene, DEBYE_LAYER(layer));
  g_set_object(&self->own_surfaces[sign], layer);
}

void
debye_window_scene_add_own_surfaces(DebyeWindowScene *self, const char *source)
{
  double levels[2];
  debye_window_scene_forget_own_surfaces(self);
  debye_isosurface_suggest_levels(self->computed, &levels[0], &levels[1]);
  self->surfaces_chosen = TRUE;
  for (gsize sign = 0; sign < G_N_ELEMENTS(levels); sign++) {
    self->own_levels[sign] = levels[sign];
    if (levels[sign] != 0.0)
      add_surface(self, sign, levels[sign], source);
  }
}

/* One that was removed from the scene shows an older map still; one that was moved keeps its place. */
static gboolean
is_untouched(DebyeWindowScene *self, gsize sign)
{
  DebyeIsosurfaceLayer *layer = self->own_surfaces[sign];
  return layer != NULL && debye_layer_get_field(DEBYE_LAYER(layer)) == self->computed &&
         debye_isosurface_layer_get_level(layer) == self->own_levels[sign];
}

static void
settle(DebyeWindowScene *self, gsize sign, double level, const char *source)
{
  const gboolean had_sign = self->own_levels[sign] != 0.0, has_sign = level != 0.0;
  if (!had_sign && has_sign)
    add_surface(self, sign, level, source);
  else if (!is_untouched(self, sign))
    return;
  else if (has_sign)
    debye_scene_builder_set_level(self->own_surfaces[sign], level);
  else
    debye_scene_remove(self->scene, DEBYE_LAYER(self->own_surfaces[sign]));
}

void
debye_window_scene_settle_own_surfaces(DebyeWindowScene *self, const char *source)
{
  double levels[2];
  if (!self->surfaces_chosen)
    return;
  debye_isosurface_suggest_levels(self->computed, &levels[0], &levels[1]);
  for (gsize sign = 0; sign < G_N_ELEMENTS(levels); sign++)
    if (levels[sign] != self->own_levels[sign])
      settle(self, sign, levels[sign], source);
  debye_window_scene_forget_own_surfaces(self);
}

void
debye_window_scene_forget_own_surfaces(DebyeWindowScene *self)
{
  self->surfaces_chosen = FALSE;
  for (gsize sign = 0; sign < G_N_ELEMENTS(self->own_surfaces); sign++)
    g_clear_object(&self->own_surfaces[sign]);
}

/* --- Electrostatic surface --- */

/* An isosurface of this map at this level. */
static gboolean
has_contour(DebyeWindowScene *self, DebyeField *map, double level)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_ISOSURFACE_LAYER(layer) && debye_layer_get_field(layer) == map &&
        debye_isosurface_layer_get_level(DEBYE_ISOSURFACE_LAYER(layer)) == level)
      return TRUE;
  }
  return FALSE;
}

DebyeLayer *
debye_window_scene_show_electrostatic(DebyeWindowScene *self, DebyeField *field, const char *selection)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_FIELD(field), NULL);
  debye_window_scene_forget_own_surfaces(self);
  debye_window_scene_replace_computed(self, field);
  self->surfaces_due = FALSE;
  DebyeLayer *there = debye_electrostatic_surface_find(debye_scene_get_layers(self->scene), field);
  if (there != NULL) {
    debye_layer_set_visible(there, TRUE);
    return there;
  }
  g_autoptr(GPtrArray) contours = debye_electrostatic_surface_contours(field);
  g_autoptr(GPtrArray) added = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < contours->len; i++) {
    DebyeLayer *layer = contours->pdata[i];
    if (has_contour(self, field, debye_isosurface_layer_get_level(DEBYE_ISOSURFACE_LAYER(layer))))
      continue;
    debye_layer_set_source(layer, self->map_source);
    g_ptr_array_add(added, g_object_ref(layer));
  }
  const DebyeSceneSource source = {
      .topology = debye_document_get_topology(self->document), .frame = self->frame, .map = field};
  DebyeLayer *surface = debye_electrostatic_surface_new(&source, selection);
  if (surface != NULL)
    g_ptr_array_add(added, surface);
  /* One step: hidden isosurfaces are not what a person asked for, and would stay behind without their surface. */
  debye_scene_history_add_all(self->history, added);
  return surface; /* the scene keeps it */
}

/* --- Orbitals --- */

static gboolean
is_in_scene(DebyeWindowScene *self, DebyeIsosurfaceLayer *surface)
{
  guint position;
  return surface != NULL &&
         g_list_store_find(G_LIST_STORE(debye_scene_get_layers(self->scene)), surface, &position);
}

void
debye_window_scene_set_orbital_level(DebyeWindowScene *self, double level, guint share)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  self->orbital_share = share;
  for (gsize sign = 0; sign < G_N_ELEMENTS(self->orbital_surfaces); sign++)
    if (is_in_scene(self, self->orbital_surfaces[sign]))
      debye_scene_builder_set_level(self->orbital_surfaces[sign], sign == 0 ? -level : level);
}

/* Two lobes say more than a cut through them, which a person can show again. */
static void
hide_slices(DebyeWindowScene *self, DebyeField *field)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_SLICE_LAYER(layer) && debye_layer_get_field(layer) == field)
      debye_layer_set_visible(layer, FALSE);
  }
}

/* Surfaces of the map that are there become the orbital's, one of each sign. TRUE: there are some. */
static gboolean
adopt_surfaces(DebyeWindowScene *self, DebyeField *field)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  gboolean found = FALSE;
  for (guint i = 0; field != NULL && i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!DEBYE_IS_ISOSURFACE_LAYER(layer) || debye_layer_get_field(layer) != field)
      continue;
    const gsize sign = debye_isosurface_layer_get_level(DEBYE_ISOSURFACE_LAYER(layer)) < 0.0 ? 0 : 1;
    found = TRUE;
    if (!is_in_scene(self, self->orbital_surfaces[sign]))
      g_set_object(&self->orbital_surfaces[sign], DEBYE_ISOSURFACE_LAYER(layer));
  }
  return found;
}

void
debye_window_scene_show_orbital(DebyeWindowScene *self, DebyeResult *orbital, double level, guint share)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_RESULT(orbital));
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(orbital), 0);
  debye_window_scene_forget_own_surfaces(self);
  debye_window_scene_replace_computed(self, field);
  self->surfaces_due = FALSE;
  g_set_object(&self->orbital, orbital);
  if (!is_in_scene(self, self->orbital_surfaces[0]) && !is_in_scene(self, self->orbital_surfaces[1]))
    hide_slices(self, field);
  adopt_surfaces(self, field);
  debye_window_scene_set_orbital_level(self, level, share);
  for (gsize sign = 0; sign < G_N_ELEMENTS(self->orbital_surfaces); sign++) {
    if (is_in_scene(self, self->orbital_surfaces[sign]))
      continue;
    g_autoptr(DebyeIsosurfaceLayer) layer = debye_scene_builder_surface(field, sign == 0 ? -level : level);
    debye_layer_set_source(DEBYE_LAYER(layer), self->map_source);
    debye_scene_add(self->scene, DEBYE_LAYER(layer));
    g_set_object(&self->orbital_surfaces[sign], layer);
  }
}

DebyeResult *
debye_window_scene_get_orbital(DebyeWindowScene *self, guint *share)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  *share = self->orbital_share;
  return is_in_scene(self, self->orbital_surfaces[0]) || is_in_scene(self, self->orbital_surfaces[1])
             ? self->orbital
             : NULL;
}

gboolean
debye_window_scene_adopt_orbital(DebyeWindowScene *self, DebyeResult *orbital, guint share)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_RESULT(orbital), FALSE);
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(orbital), 0);
  if (!adopt_surfaces(self, field))
    return FALSE;
  g_set_object(&self->computed, field);
  g_set_object(&self->orbital, orbital);
  self->orbital_share = share;
  return TRUE;
}

#define COLORED_OPACITY 0.85

void
debye_window_scene_color_surfaces(DebyeWindowScene *self, DebyeField *field, DebyeField *colors)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_FIELD(field) && DEBYE_IS_FIELD(colors));
  GListModel *layers = debye_scene_get_layers(self->scene);
  hide_slices(self, field);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_get_field(layer) != field)
      continue;
    if (!DEBYE_IS_ISOSURFACE_LAYER(layer))
      continue;
    debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(layer), colors);
    debye_layer_set_opacity(layer, COLORED_OPACITY);
  }
}

/* --- Pathways of ligands --- */

#define TUBE_LEVEL 0.5

void
debye_window_scene_show_pathways(DebyeWindowScene *self, DebyeField *ways, DebyeField *colors,
                                 DebyeField *energies, double level)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_FIELD(ways));
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_ISOSURFACE_LAYER(layer) && debye_layer_get_field(layer) == energies)
      debye_scene_builder_set_level(DEBYE_ISOSURFACE_LAYER(layer), level);
  }
  if (is_in_scene(self, self->pathways)) {
    debye_layer_set_field(DEBYE_LAYER(self->pathways), ways);
    debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(self->pathways), colors);
    return;
  }
  g_autoptr(DebyeIsosurfaceLayer) layer = debye_scene_builder_surface(ways, TUBE_LEVEL);
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Pathways"));
  debye_layer_set_source(DEBYE_LAYER(layer), _("computed here"));
  debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(layer), colors);
  debye_layer_set_opacity(DEBYE_LAYER(layer), 1.0);
  debye_scene_add(self->scene, DEBYE_LAYER(layer));
  g_set_object(&self->pathways, layer);
}

/* --- A residue --- */

/* Also those of a scene that this one was made from. */
static void
remove_role(DebyeWindowScene *self, DebyeLayerRole role)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = g_list_model_get_n_items(layers); i-- > 0;) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_role_get(layer) == role)
      debye_scene_remove(self->scene, layer);
  }
}

static gboolean
has_role(GListModel *layers, DebyeLayerRole role)
{
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_role_get(layer) == role)
      return TRUE;
  }
  return FALSE;
}

gboolean
debye_window_scene_has_residue(GListModel *layers)
{
  return has_role(layers, DEBYE_LAYER_ROLE_RESIDUE);
}

/* The atoms; NULL: none, and nothing is added. */
static GArray *
add_chosen(DebyeWindowScene *self, const char *text, DebyeLayerRole role, DebyeMoleculeStyle style)
{
  const DebyeSceneSource source = {.topology = debye_document_get_topology(self->document),
                                   .frame = self->frame};
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, NULL);
  g_autoptr(GArray) atoms = selection != NULL && source.frame != NULL
                                ? debye_selection_evaluate(selection, source.topology, source.frame, NULL)
                                : NULL;
  if (atoms == NULL || atoms->len == 0)
    return NULL;
  g_autoptr(DebyeLayer) layer = debye_scene_builder_layer(&debye_molecule_layer_kind, &source,
                                                          (const guint32 *)(gpointer)atoms->data, atoms->len);
  debye_molecule_layer_set_style(DEBYE_MOLECULE_LAYER(layer), style);
  debye_layer_set_selection(layer, text);
  debye_layer_role_give(layer, role);
  debye_scene_add(self->scene, layer);
  return g_steal_pointer(&atoms);
}

gboolean
debye_window_scene_show_residue(DebyeWindowScene *self, guint32 residue, DebyeVec3 *center)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self) && center != NULL, FALSE);
  g_autofree char *text = g_strdup_printf("residue %u", residue);
  g_autofree char *near =
      g_strdup_printf("same residue as (within 4 of residue %u) and not residue %u", residue, residue);
  remove_role(self, DEBYE_LAYER_ROLE_RESIDUE);
  remove_role(self, DEBYE_LAYER_ROLE_NEAR);
  g_autoptr(GArray) atoms = add_chosen(self, text, DEBYE_LAYER_ROLE_RESIDUE, DEBYE_STYLE_BALL_AND_STICK);
  g_autoptr(GArray) around =
      atoms != NULL ? add_chosen(self, near, DEBYE_LAYER_ROLE_NEAR, DEBYE_STYLE_LINES) : NULL;
  *center = debye_vec3(0.0, 0.0, 0.0);
  for (guint k = 0; atoms != NULL && k < atoms->len; k++) {
    const guint32 atom = g_array_index(atoms, guint32, k);
    center->x += (double)self->frame->x[atom] / atoms->len;
    center->y += (double)self->frame->y[atom] / atoms->len;
    center->z += (double)self->frame->z[atom] / atoms->len;
  }
  return atoms != NULL;
}

/* --- The reference of a spatial distribution --- */

/* A person can show them again. */
static void
hide_atoms(DebyeWindowScene *self)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_get_shown(layer) != NULL)
      debye_layer_set_visible(layer, FALSE);
  }
}

void
debye_window_scene_show_reference(DebyeWindowScene *self, guint32 residue, gsize first)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  g_autofree char *text = g_strdup_printf("residue %u", residue);
  g_autofree char *frame = g_strdup_printf("frame:%" G_GSIZE_FORMAT, first);
  debye_window_scene_align(self, text, frame, FALSE);
  /* With another run a person may have shown the atoms again. */
  if (!has_role(debye_scene_get_layers(self->scene), DEBYE_LAYER_ROLE_REFERENCE))
    hide_atoms(self);
  remove_role(self, DEBYE_LAYER_ROLE_REFERENCE);
  GArray *atoms = add_chosen(self, text, DEBYE_LAYER_ROLE_REFERENCE, DEBYE_STYLE_BALL_AND_STICK);
  g_clear_pointer(&atoms, g_array_unref);
}

/* --- A blob --- */

#define BLOB_COLOR 0xf5b03e
#define BLOB_OPACITY 0.6

static guint
find_first_surface(DebyeWindowScene *self)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  guint position = 0;
  for (; position + 1 < g_list_model_get_n_items(layers); position++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, position);
    if (DEBYE_IS_ISOSURFACE_LAYER(layer))
      break;
  }
  return position;
}

void
debye_window_scene_show_blob(DebyeWindowScene *self, DebyeField *blob, double level)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_FIELD(blob));
  remove_role(self, DEBYE_LAYER_ROLE_BLOB);
  g_autoptr(DebyeIsosurfaceLayer) layer = debye_scene_builder_surface(blob, level);
  g_object_set(layer, "color", BLOB_COLOR, NULL);
  debye_layer_set_opacity(DEBYE_LAYER(layer), BLOB_OPACITY);
  debye_layer_role_give(DEBYE_LAYER(layer), DEBYE_LAYER_ROLE_BLOB);
  debye_layer_set_source(DEBYE_LAYER(layer), _("computed here"));
  debye_scene_add(self->scene, DEBYE_LAYER(layer));
  /* Of surfaces at the same place the first one is seen. */
  debye_scene_move(self->scene, DEBYE_LAYER(layer), find_first_surface(self));
}

/* --- Ions ---
 *
 * They are no atoms of the files: their structure is their own, and frames don't move them. */

#define OWN_STRUCTURE "debye-own-structure"
#define ION_SCALE 0.6 /* of the van der Waals radius: nearer to an ion's own */

gboolean
debye_window_scene_follows_frames(DebyeLayer *layer)
{
  return g_object_get_data(G_OBJECT(layer), OWN_STRUCTURE) == NULL;
}

void
debye_window_scene_show_ions(DebyeWindowScene *self, DebyeTopology *topology, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_TOPOLOGY(topology) && frame != NULL);
  if (self->ions != NULL) /* of the run before */
    debye_scene_remove(self->scene, self->ions);
  g_clear_object(&self->ions);
  const DebyeSceneSource source = {.topology = topology, .frame = frame};
  self->ions = debye_scene_builder_layer(&debye_molecule_layer_kind, &source, NULL, 0);
  DebyeMoleculeLayer *layer = DEBYE_MOLECULE_LAYER(self->ions);
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_SPHERES);
  g_object_set(layer, "scale", ION_SCALE, NULL);
  debye_layer_set_name(self->ions, N_("Placed ions"));
  debye_layer_set_source(self->ions, _("computed here"));
  g_object_set_data(G_OBJECT(layer), OWN_STRUCTURE, layer);
  debye_scene_add(self->scene, self->ions);
}
