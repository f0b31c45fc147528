/* SPDX-License-Identifier: MIT */
/* The look that a person gave a scene, as text: the preference "look", which window_scene.c applies to new scenes. */
#pragma once

#include "render/scene/scene.h"

/* `kept` with the settings of debye_look_settings() whose bit in `edited` is set: those that are the scene's own with their
 * values, the others left out. Settings of the camera are not kept. */
char *debye_kept_look_update(const char *kept, DebyeScene *scene, guint32 edited);
/* What another version wrote and this one doesn't know is left out. */
void debye_kept_look_apply(const char *kept, DebyeScene *scene);
