/* SPDX-License-Identifier: MIT */
/* A scene once more, on another thread: a picture or a film is drawn of the copy while a person goes on with
 * the scene itself. What layers are made of is shared, for it never changes; layers, meshes and GL objects
 * are the copy's own. */
#pragma once

#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "render/scene/scene.h"

typedef struct _DebyeSceneCopy DebyeSceneCopy;

/* On the scene's thread: what is visible, as it is now. `follows`: whether frames move a layer; NULL: all. */
DebyeSceneCopy *debye_scene_copy_new(DebyeScene *scene, gboolean (*follows)(DebyeLayer *layer));
void debye_scene_copy_free(DebyeSceneCopy *copy);
/* For a small picture, in which no word could be read: without legend, axes and scale bar. */
void debye_scene_copy_take_words(DebyeSceneCopy *copy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeSceneCopy, debye_scene_copy_free)

/* A new scene, on any thread; it stays there. */
DebyeScene *debye_scene_copy_build(const DebyeSceneCopy *copy);
/* Shows another frame in a scene so built; selections in which positions decide are made anew. */
void debye_scene_copy_show_frame(DebyeScene *built, DebyeTopology *topology, DebyeFrame *frame);
