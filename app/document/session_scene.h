/* SPDX-License-Identifier: MIT */
/* A scene as values of a session and back: layers, camera, look. The window and `debye-cli render` share it. */
#pragma once

#include "app/analysis/driver/alignment.h"
#include "data/trajectory/placing.h"
#include "session_layers.h"

/* An a{sv}. `layers`: those to be saved, back to front. (transfer floating) */
GVariant *debye_session_scene_save(DebyeScene *scene, GPtrArray *layers, GPtrArray *maps);
/* How the scene's boxes say that molecules are placed, before there are layers. */
DebyePlacing debye_session_scene_find_placing(GVariant *saved);
/* How its first visible alignment says that frames are superposed; nothing where there is none. */
void debye_session_scene_find_alignment(GVariant *saved, DebyeAlignment *alignment);
/* On any thread. (element-type DebyeLayer) */
GPtrArray *debye_session_scene_load_layers(GVariant *saved, const DebyeSessionSource *source,
                                           GPtrArray *warnings);
/* Camera and look; what is missing or out of range stays as it is. FALSE: there was no camera. */
gboolean debye_session_scene_load_view(GVariant *saved, DebyeScene *scene);
