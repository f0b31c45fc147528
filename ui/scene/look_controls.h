/* SPDX-License-Identifier: MIT */
/* The row “Look” below the layers: background, light, shadows and what stands in the corners, one line for each row of
 * render/scene/look_settings.h. */
#pragma once

#include <adwaita.h>

#include "render/scene/scene.h"

/* Fills an empty row with the controls of this scene, which it follows as long as both live. */
void debye_look_controls_fill(AdwExpanderRow *row, DebyeScene *scene);
