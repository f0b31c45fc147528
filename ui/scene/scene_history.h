/* SPDX-License-Identifier: MIT */
/* Changes of a scene that can be undone and done again: of its list of layers (add, remove, reorder) and of
 * what is set of them by hand (a layer's signal "edit") or of the look (the scene's "edit-look"). What a slider passes
 * while it is drawn is one change, and so is a selection while it is typed. A new change forgets those that were undone.
 *
 * Signal "changed": there is something else to undo, or to do again. */
#pragma once

#include "render/scene/scene.h"

#define DEBYE_TYPE_SCENE_HISTORY (debye_scene_history_get_type())
G_DECLARE_FINAL_TYPE(DebyeSceneHistory, debye_scene_history, DEBYE, SCENE_HISTORY, GObject)

DebyeSceneHistory *debye_scene_history_new(DebyeScene *scene);
void debye_scene_history_add(DebyeSceneHistory *self, DebyeLayer *layer);
/* Layers (DebyeLayer) that belong together, in this order: one step, called by the last of them. */
void debye_scene_history_add_all(DebyeSceneHistory *self, GPtrArray *layers);
void debye_scene_history_remove(DebyeSceneHistory *self, DebyeLayer *layer);
/* `position` in the list once the layer has left its old place. */
void debye_scene_history_move(DebyeSceneHistory *self, DebyeLayer *layer, guint position);
/* FALSE: there was nothing to undo, or to do again. */
gboolean debye_scene_history_undo(DebyeSceneHistory *self);
gboolean debye_scene_history_redo(DebyeSceneHistory *self);
gboolean debye_scene_history_can_undo(DebyeSceneHistory *self);
gboolean debye_scene_history_can_redo(DebyeSceneHistory *self);
/* What the next one to be undone, or done again, did: "Slice · Opacity", "Box removed", in the user's language; NULL:
 * there is none. They live until the next change. */
const char *debye_scene_history_get_undo_name(DebyeSceneHistory *self);
const char *debye_scene_history_get_redo_name(DebyeSceneHistory *self);

/* The layer's place in the scene; G_MAXUINT where it isn't in it. */
guint debye_scene_history_find(DebyeSceneHistory *self, DebyeLayer *layer);
