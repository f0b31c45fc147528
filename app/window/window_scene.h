/* SPDX-License-Identifier: MIT */
/* The scene of one window: layers from a document and from the maps computed of it, the look, the frame
 * shown. */
#pragma once

#include "app/document/document.h"
#include "ui/widgets/preferences.h"
#include "ui/scene/scene_history.h"

#include "data/results/result.h"
#include "render/layers/layer_kinds.h"
#include "app/scene/scene_copy.h"

#define DEBYE_TYPE_WINDOW_SCENE (debye_window_scene_get_type())
G_DECLARE_FINAL_TYPE(DebyeWindowScene, debye_window_scene, DEBYE, WINDOW_SCENE, GObject)

DebyeWindowScene *debye_window_scene_new(DebyeDocument *document, DebyePreferences *preferences);
DebyeScene *debye_window_scene_get_scene(DebyeWindowScene *self);
DebyeSceneHistory *debye_window_scene_get_history(DebyeWindowScene *self);
/* As it is now, for exports. */
DebyeSceneCopy *debye_window_scene_copy(DebyeWindowScene *self);
/* The frame shown, its molecules placed as they are drawn; NULL: none. */
DebyeFrame *debye_window_scene_get_frame(DebyeWindowScene *self);
/* The same as the file has it, for what is computed. */
DebyeFrame *debye_window_scene_get_file_frame(DebyeWindowScene *self);
void debye_window_scene_set_frame(DebyeWindowScene *self, DebyeFrame *file_frame, DebyeFrame *placed);

/* A map that is whole, from the file `name`: with a slice and surfaces of its own. */
void debye_window_scene_add_map(DebyeWindowScene *self, DebyeField *field, const char *name);
/* Its layers are there, but not to be seen, until they are wanted again. */
void debye_window_scene_hide_map(DebyeWindowScene *self, DebyeField *field);
/* A map that grows. Layers that show the one computed before it take this one over, so levels that were
 * chosen stay; where there are none, a slice comes at once and surfaces when enough of the map is there to
 * choose a level that lasts. */
void debye_window_scene_show_map(DebyeWindowScene *self, DebyeField *field);
/* No more of the map will come: surfaces that came by themselves and that nobody has touched get the level
 * that suits all of it. */
void debye_window_scene_finish_map(DebyeWindowScene *self);
/* The map of the frame shown, one after the other. With the first, layers come where there are none of a map
 * computed before, and a slice's colours keep their limits from then on; a layer that is removed stays away. */
void debye_window_scene_follow_map(DebyeWindowScene *self, DebyeField *field, gboolean is_first);
/* The electrostatic surface of this map (app/scene/electrostatic_surface.h), of the atoms that `selection` chooses, with
 * its isosurfaces hidden: added where it isn't there yet. NULL: there are no atoms. (transfer none) */
DebyeLayer *debye_window_scene_show_electrostatic(DebyeWindowScene *self, DebyeField *field,
                                                  const char *selection);
/* An orbital's map as two surfaces at ± `level` (in the map's unit), which enclose a share in percent, in place of the
 * one shown before; those that a person removed come again. */
void debye_window_scene_show_orbital(DebyeWindowScene *self, DebyeResult *orbital, double level, guint share);
/* Surfaces of this map take their colours from another one, nearly opaque;
 * slices through it, which would hide them, are hidden. */
void debye_window_scene_color_surfaces(DebyeWindowScene *self, DebyeField *field, DebyeField *colors);
/* Another level of the same. */
void debye_window_scene_set_orbital_level(DebyeWindowScene *self, double level, guint share);
/* What surfaces show; NULL: none does. For sessions. (transfer none) */
DebyeResult *debye_window_scene_get_orbital(DebyeWindowScene *self, guint *share);
/* The surfaces of this orbital that came with a session are from now on those of the orbital shown; FALSE: it has none. */
gboolean debye_window_scene_adopt_orbital(DebyeWindowScene *self, DebyeResult *orbital, guint share);
/* Ways between cavities and bulk, as tubes about where the map `ways` is 1 in the colours of the map `colors`; the tubes
 * of the run before show these. Surfaces of `energies` are at the level of the cavities. */
void debye_window_scene_show_pathways(DebyeWindowScene *self, DebyeField *ways, DebyeField *colors,
                                      DebyeField *energies, double level);
/* Ions that were placed, as spheres of their own, in place of those placed before. */
void debye_window_scene_show_ions(DebyeWindowScene *self, DebyeTopology *topology, DebyeFrame *frame);
/* The newest map, or NULL. */
DebyeField *debye_window_scene_get_map(DebyeWindowScene *self);

/* Goes on with the map that was computed in another scene of the same molecule. */
void debye_window_scene_continue(DebyeWindowScene *self, DebyeWindowScene *before);
/* What the scene is like, of session_scene.h, with maps by their numbers in `maps`. (transfer floating) */
GVariant *debye_window_scene_save(DebyeWindowScene *self, GPtrArray *maps);
/* TRUE where the camera came with the document. */
gboolean debye_window_scene_has_view(DebyeWindowScene *self);

/* A new layer by hand; undoable. NULL where what it is made of is missing: a chain of residues, a map, a cell.
 * (transfer none) */
DebyeLayer *debye_window_scene_add(DebyeWindowScene *self, const DebyeLayerKind *kind);
/* Not by hand: the scene's alignment says this and is visible; `atoms` NULL: it is hidden, where there is one. */
void debye_window_scene_align(DebyeWindowScene *self, const char *atoms, const char *reference,
                              gboolean by_mass);
/* Isosurfaces and slices of the newest map, which may hide what else is there. */
void debye_window_scene_hide_map_layers(DebyeWindowScene *self);
/* The atom that a measurement begins with: no step that is undone. */
DebyeLayer *debye_window_scene_mark_atom(DebyeWindowScene *self, guint32 atom);
/* A residue of the topology as balls and sticks, and what is near it as sticks, in place of the one shown before: no step that
 * is undone. FALSE: it has no atoms. Its middle is put into `center`. */
gboolean debye_window_scene_show_residue(DebyeWindowScene *self, guint32 residue, DebyeVec3 *center);
/* A blob of a density map, whose surface at `level` is around it alone, marked in place of the one before. */
void debye_window_scene_show_blob(DebyeWindowScene *self, DebyeField *blob, double level);
/* The residue that all residues of a kind were laid on, for a map around it: in place of the atoms, which would hide it, and
 * all frames superposed on it as it is in frame `first`. */
void debye_window_scene_show_reference(DebyeWindowScene *self, guint32 residue, gsize first);
/* Whether it is among the layers. */
gboolean debye_window_scene_has_residue(GListModel *layers);
/* Of two to four atoms. */
DebyeLayer *debye_window_scene_add_measurement(DebyeWindowScene *self, const guint32 *atoms, gsize n_atoms);
/* The slice that the newest map has, else a new one. */
DebyeLayer *debye_window_scene_show_slice(DebyeWindowScene *self);
